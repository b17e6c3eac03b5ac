/* The part of the play that is about queries that visit parents first, or children first: standing ones,
 * while entities come, go and get other parents. */
#include <stdlib.h>
#include <string.h>

#include "play.h"

/* ---- Making ------------------------------------------------------------------------------------ */

/* One or two components that must be there, and one that must not or may. */
static play_query choose(play *p)
{
    static const kith_role roles[] = {KITH_MUST, KITH_MUST, KITH_MUST_NOT, KITH_MAY};
    play_query query = {.used = true};
    for (uint32_t i = 0, wanted = input_below(&p->in, 4); i < wanted; i++) {
        kith_term *term = &query.terms[query.term_count];
        term->type = play_registered(p);
        term->role = roles[input_below(&p->in, 4)];
        term->access = term->type->size != 0 && term->role != KITH_MUST_NOT ? KITH_ACCESS_READ
                                                                            : KITH_ACCESS_NONE;
        bool known = term->role == KITH_MAY && term->type->size == 0;
        for (uint32_t k = 0; k < query.term_count; k++) {
            known = known || query.terms[k].type == term->type;
        }
        query.term_count += !known;
        if (known) {
            *term = (kith_term){0};
        }
    }
    if (query.term_count > 0 && query.terms[0].role == KITH_MUST && input_chance(&p->in, 20)) {
        query.driver = query.terms[0].type;
    }
    return query;
}

static void make(play *p, uint32_t number)
{
    play_name(p, "kith_query_new with an order");
    play_query *query = &p->asked.levels[number];
    *query = choose(p);
    p->asked.levels_down[number] = input_chance(&p->in, 50);
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        const kith_order order =
            p->asked.levels_down[number] ? KITH_PARENTS_FIRST : KITH_CHILDREN_FIRST;
        const kith_query_def def = {
            .terms = query->terms, .driver = query->driver, .order = order};
        CHECK_RESULT(kith_query_new(w->world, &def, &w->levels[number]), KITH_OK);
    }
}

static void end(play *p, uint32_t number)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        kith_query_free(p->worlds[world].levels[number]);
        p->worlds[world].levels[number] = NULL;
    }
    p->asked.levels[number].used = false;
}

/* ---- Visiting ---------------------------------------------------------------------------------- */

/* What one iteration has to visit. */
typedef struct visit {
    const play_query *query;
    bool down; /* parents first */
    bool rows;
    bool *matches; /* by the place of an entity among the model's; false once it was visited */
    uint32_t *depths;
    uint32_t count; /* of those that match */
} visit;

static uint32_t depth_of(const play *p, kith_entity entity)
{
    uint32_t depth = 0;
    while (!kith_is_none(entity = model_parent(&p->m, entity))) {
        depth++;
    }
    return depth;
}

static void check_value(const visit *v, kith_iter *it, uint32_t i, const model_entity *entity)
{
    for (uint32_t term = 0; term < v->query->term_count; term++) {
        const kith_type *type = v->query->terms[term].type;
        if (v->query->terms[term].access != KITH_ACCESS_NONE) {
            const model_value *value = model_get(&entity->values, type);
            const void *got = kith_at(it, i, type, type->size, KITH_ACCESS_READ);
            CHECK_INT(got != NULL, value != NULL);
            CHECK(got == NULL || memcmp(got, value->bytes, type->size) == 0);
        }
    }
}

/* All that match once, no batch with two depths, and one depth after the other. Returns how many. */
static uint32_t visit_all(const play *p, const played *w, kith_iter *it, const visit *v)
{
    const int order = play_sure_order(w, v->query);
    const model_entity *previous = NULL;
    uint32_t count = 0;
    uint32_t depth = 0;
    while (v->rows ? kith_next_rows(it) : kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            const model_entity *entity = model_find(&p->m, kith_entities(it)[i]);
            CHECK_PTR_NOT_NULL(entity);
            const uint32_t at = (uint32_t)(entity - p->m.entities);
            CHECK(v->matches[at]);
            v->matches[at] = false;
            CHECK(i == 0 || v->depths[at] == depth);
            CHECK(count == 0 || v->depths[at] == depth || (v->depths[at] > depth) == v->down);
            play_check_order(p, w, order, v->depths[at] == depth ? previous : NULL, entity);
            check_value(v, it, i, entity);
            previous = entity;
            depth = v->depths[at];
            count++;
        }
    }
    return count;
}

static void check_world(play *p, played *w, kith_query *query, visit *v, bool failing)
{
    v->count = 0;
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        v->matches[i] =
            model_matches(&p->m, &p->m.entities[i], v->query->terms, v->query->term_count);
        v->count += v->matches[i];
    }
    kith_iter it = kith_query_iter(query);
    const uint32_t visited = visit_all(p, w, &it, v);
    if (failing && it.result == KITH_ERR_MEMORY) {
        return;
    }
    CHECK_RESULT(it.result, KITH_OK);
    CHECK_UINT(visited, v->count);
    CHECK_UINT(kith_query_count(query), v->count);
}

static void look(play *p, uint32_t number)
{
    play_name(p, "iteration by depth");
    visit v = {.query = &p->asked.levels[number],
               .down = p->asked.levels_down[number],
               .rows = input_chance(&p->in, 50),
               .matches = play_scratch(p, p->m.entity_count),
               .depths = play_scratch(p, p->m.entity_count * sizeof(uint32_t))};
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        v.depths[i] = depth_of(p, p->m.entities[i].handle);
    }
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        if (world == SUBJECT && play_wants_failure(p)) {
            play_fail_some(p);
            check_world(p, w, w->levels[number], &v, true);
            fail_nothing(&w->f);
        }
        check_world(p, w, w->levels[number], &v, false);
    }
}

void play_levels(play *p)
{
    const uint32_t number = input_below(&p->in, PLAY_LEVELS);
    const bool ends = input_chance(&p->in, 10);
    if (!p->asked.levels[number].used) {
        make(p, number);
    } else if (ends) {
        end(p, number);
        return;
    }
    look(p, number);
}
