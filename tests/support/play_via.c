/* The part of the play that is about queries that follow relations: standing ones, which are compared
 * with the model, where targets are followed one by one. */
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "model_trees.h"
#include "play.h"

/* A term about the entity at the end of up to two relations, or about the nearest ancestor of that. */
typedef struct way {
    const kith_type *relations[2];
    uint32_t length;
    bool up;
    kith_term what[2]; /* KITH_READ and the like, and the end */
} way;

#define WAYS 2u

struct play_via {
    bool used;
    const kith_type *own; /* what the entity itself has */
    way ways[WAYS];
    uint32_t count;
};

/* ---- Making ------------------------------------------------------------------------------------ */

static const kith_type *choose_relation(play *p)
{
    const kith_type *type = NULL;
    for (uint32_t tries = 0; tries < 20 && type == NULL; tries++) {
        type = p->m.relations[input_below(&p->in, p->m.relation_count)].type;
        type = (type->relation & KITH_MANY) != 0 ? NULL : type;
    }
    return type == NULL ? play_same_type(&kith_child_of_type) : type;
}

static way choose_way(play *p)
{
    static const kith_role roles[] = {KITH_MUST, KITH_MUST, KITH_MUST_NOT, KITH_MAY};
    way w = {.up = input_chance(&p->in, 40)};
    w.length = input_below(&p->in, 3);
    w.length = w.length == 0 && !w.up ? 1 : w.length;
    for (uint32_t i = 0; i < w.length; i++) {
        w.relations[i] = choose_relation(p);
    }
    kith_term *what = &w.what[0];
    what->type = play_registered(p);
    what->role = roles[input_below(&p->in, 4)];
    if (what->type->size != 0 && what->role != KITH_MUST_NOT &&
        (what->role == KITH_MAY || input_chance(&p->in, 60))) {
        what->access = KITH_ACCESS_READ;
    }
    /* A value that may be there is read. */
    what->role = what->role == KITH_MAY && what->type->size == 0 ? KITH_MUST : what->role;
    return w;
}

/* The query of a way in its parts: the first of `terms` is it. */
typedef struct way_terms {
    kith_term terms[4][2];
    kith_condition conditions[4];
} way_terms;

static kith_term term_of(const way *w, way_terms *parts)
{
    const kith_term *inner = w->what;
    uint32_t number = 0;
    for (uint32_t i = w->length + w->up; i > 0; i--) {
        bool nearest = w->up && i == w->length + 1;
        parts->conditions[number] =
            (kith_condition){.op = nearest ? KITH_OP_NEAREST : KITH_OP_TARGET, .terms = inner};
        parts->terms[number][0] =
            (kith_term){.type = nearest ? play_same_type(&kith_child_of_type) : w->relations[i - 1],
                        .condition = &parts->conditions[number]};
        parts->terms[number][1] = (kith_term){0};
        inner = parts->terms[number++];
    }
    return inner[0];
}

static kith_result act_new(played *w, const operation *op, outcome *out)
{
    (void)out;
    const play_via *via = op->bytes;
    way_terms parts[WAYS];
    kith_term terms[WAYS + 2] = {{.type = via->own}};
    for (uint32_t i = 0; i < via->count; i++) {
        terms[1 + i] = term_of(&via->ways[i], &parts[i]);
    }
    return kith_query_new(w->world, &(kith_query_def){.terms = terms}, &w->vias[op->number]);
}

static kith_result expect_new(play *p, const operation *op, outcome *out)
{
    (void)out;
    *p->asked.vias[op->number] = *(const play_via *)op->bytes;
    return KITH_OK;
}

static void make(play *p, uint32_t number)
{
    play_via via = {
        .used = true, .own = play_registered(p), .count = 1 + input_below(&p->in, WAYS)};
    for (uint32_t i = 0; i < via.count; i++) {
        via.ways[i] = choose_way(p);
    }
    const operation op = {.name = "kith_query_new of other entities",
                          .act = act_new,
                          .expect = expect_new,
                          .bytes = &via,
                          .number = number};
    play_attempt(p, &op);
}

/* ---- Looks ------------------------------------------------------------------------------------- */

/* What a term finds at an entity; NULL: nothing. Of kith_disabled, what is inherited counts. */
static const model_value *find_value(const play *p, const model_entity *entity,
                                     const kith_type *type)
{
    static const model_value inherited;
    return type != p->m.disabled_type        ? model_get(&entity->values, type)
           : model_has(&p->m, entity, type) ? &inherited
                                            : NULL;
}

/* Follows a way. Returns whether it holds; `*value`: what it finds, or NULL. */
static bool follow(const play *p, const way *w, const model_entity *entity,
                   const model_value **value)
{
    const kith_term *what = &w->what[0];
    *value = NULL;
    for (uint32_t i = 0; i < w->length; i++) {
        entity = model_find(&p->m,
                            model_target(model_relation_of(&p->m, w->relations[i], false), entity));
        if (entity == NULL) {
            return what->role == KITH_MAY;
        }
    }
    if (!w->up) {
        *value = find_value(p, entity, what->type);
    }
    while (w->up && entity != NULL && *value == NULL) {
        entity = model_find(&p->m, model_parent(&p->m, entity->handle));
        *value = entity == NULL ? NULL : find_value(p, entity, what->type);
    }
    return what->role == KITH_MAY || (*value != NULL) == (what->role == KITH_MUST);
}

/* Whether an entity of the model matches, which has these values at the ends of the ways. */
static bool matches(const play *p, const play_via *via, const model_entity *entity,
                    const model_value **values)
{
    bool match = model_has(&p->m, entity, via->own);
    for (uint32_t i = 0; i < via->count; i++) {
        match = follow(p, &via->ways[i], entity, &values[i]) && match;
    }
    return match;
}

static void look_at_row(const play *p, const play_via *via, const kith_iter *it, uint32_t i)
{
    const model_entity *entity = model_find(&p->m, kith_entities(it)[i]);
    const model_value *values[WAYS];
    CHECK_PTR_NOT_NULL(entity);
    CHECK(matches(p, via, entity, values));
    for (uint32_t k = 0; k < via->count; k++) {
        const kith_term *what = &via->ways[k].what[0];
        if (what->access == KITH_ACCESS_READ) {
            const void *got =
                kith_term_at(it, 1 + k, i, what->type, what->type->size, KITH_ACCESS_READ);
            CHECK_INT(got != NULL, values[k] != NULL);
            CHECK(got == NULL || memcmp(got, values[k]->bytes, what->type->size) == 0);
        }
    }
}

static void look(play *p, const play_via *via, kith_query *query)
{
    const model_value *values[WAYS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        const model_entity *entity = &p->m.entities[i];
        bool match = matches(p, via, entity, values);
        count += match;
        if (p->m.entity_count < 40) {
            CHECK_INT(kith_query_contains(query, entity->handle), match);
        }
    }
    CHECK_UINT(kith_query_count(query), count);
    for (uint32_t rows = 0; rows < 2; rows++) {
        uint32_t visited = 0;
        kith_iter it = kith_query_iter(query);
        while (rows != 0 ? kith_next_rows(&it) : kith_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) {
                look_at_row(p, via, &it, i);
            }
            visited += it.count;
        }
        CHECK_RESULT(it.result, KITH_OK);
        CHECK_UINT(visited, count);
    }
}

void play_look_vias(play *p)
{
    play_name(p, "queries of other entities");
    for (uint32_t i = 0; i < PLAY_VIAS; i++) {
        const play_via *via = p->asked.vias[i];
        for (int world = 0; world < WORLD_COUNT && via != NULL && via->used; world++) {
            look(p, via, p->worlds[world].vias[i]);
        }
    }
}

void play_vias(play *p)
{
    uint32_t number = input_below(&p->in, PLAY_VIAS);
    if (p->m.relation_count == 0) {
        return;
    }
    if (p->asked.vias[number] == NULL) {
        p->asked.vias[number] = calloc(1, sizeof(*p->asked.vias[number]));
        CHECK_PTR_NOT_NULL(p->asked.vias[number]);
    }
    play_via *via = p->asked.vias[number];
    if (!via->used) {
        make(p, number);
    } else if (input_chance(&p->in, 8)) {
        play_name(p, "kith_query_free");
        for (int world = 0; world < WORLD_COUNT; world++) {
            kith_query_free(p->worlds[world].vias[number]);
        }
        via->used = false;
    }
    play_look_vias(p);
}

void play_end_vias(play *p)
{
    for (uint32_t i = 0; i < PLAY_VIAS; i++) {
        free(p->asked.vias[i]);
    }
}
