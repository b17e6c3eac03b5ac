/* The part of the play that is about queries: standing ones, which are kept while tables and types come
 * and go, and passing ones; looked at, iterated, written through, and misused. */
#include <stdlib.h>
#include <string.h>

#include "play.h"

/* ---- Making queries ------------------------------------------------------------------------ */

static kith_role choose_role(play *p)
{
    static const kith_role roles[] = {KITH_MUST, KITH_MUST, KITH_MUST,   KITH_MUST,
                                      KITH_MUST, KITH_MAY,  KITH_ONE_OF, KITH_MUST_NOT};
    return roles[input_below(&p->in, 8)];
}

static bool terms_clash(const play_query *query)
{
    for (uint32_t i = 0; i < query->term_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (query->terms[i].type == query->terms[k].type) {
                return true;
            }
        }
    }
    return false;
}

/* Asks for what many entities have, with values. */
static play_query query_for_kind(play *p)
{
    play_query query = {.used = true};
    const play_kind *kind = &p->kinds[input_below(&p->in, PLAY_KINDS)];
    for (uint32_t i = 0; i < kind->count; i++) {
        if (input_chance(&p->in, 70)) {
            kith_term *term = &query.terms[query.term_count++];
            term->type = kind->types[i];
            if (term->type->size > 0) {
                term->access = input_chance(&p->in, 50) && !play_is_guarded(term->type)
                                   ? KITH_ACCESS_WRITE
                                   : KITH_ACCESS_READ;
            }
        }
    }
    return query;
}

/* Adds what is or is not switched off. */
static void add_disabled(play *p, play_query *query)
{
    if (play_disabled_type(p) != NULL && query->term_count < PLAY_TERMS &&
        input_chance(&p->in, 25)) {
        kith_term *term = &query->terms[query->term_count++];
        *term = (kith_term){.type = p->m.disabled_type,
                            .role = input_chance(&p->in, 70) ? KITH_MUST_NOT : KITH_MUST};
        if (terms_clash(query)) {
            *term = (kith_term){0};
            query->term_count--;
        }
    }
}

static play_query terms_of_all_roles(play *p)
{
    play_query query = {.used = true};
    uint32_t wanted = input_below(&p->in, 5);
    for (uint32_t i = 0; i < wanted; i++) {
        kith_term *term = &query.terms[query.term_count++];
        term->type = play_registered(p);
        term->role = choose_role(p);
        term->group = term->role == KITH_ONE_OF ? input_below(&p->in, 2) : 0;
        term->access = term->type->size == 0 || term->role == KITH_MUST_NOT
                           ? KITH_ACCESS_NONE
                           : (kith_access)input_below(&p->in, play_is_guarded(term->type) ? 2 : 3);
        if (terms_clash(&query) && !input_chance(&p->in, 2)) {
            *term = (kith_term){0};
            query.term_count--;
        } else if (term->role == KITH_MUST && query.driver == NULL && input_chance(&p->in, 12)) {
            query.driver = term->type;
        }
    }
    return query;
}

static play_query random_query(play *p)
{
    play_query query =
        input_chance(&p->in, 40) ? query_for_kind(p) : terms_of_all_roles(p);
    if (!terms_clash(&query)) {
        add_disabled(p, &query);
    }
    return query;
}

static kith_query_def def_of(const play_query *query)
{
    return (kith_query_def){.terms = query->terms,
                            .name = query->driver != NULL ? "pinned" : NULL,
                            .driver = query->driver};
}

static kith_result act_query_new(played *w, const operation *op, outcome *out)
{
    (void)out;
    kith_query_def def = def_of(op->query);
    kith_query *query = NULL;
    kith_result result = kith_query_new(w->world, &def, &query);
    CHECK((result == KITH_OK) == (query != NULL));
    w->queries[op->number] = query;
    return result;
}

static kith_result act_query_new_or_null(played *w, const operation *op, outcome *out)
{
    (void)out;
    kith_query_def def = def_of(op->query);
    w->queries[op->number] = kith_query_new_or_null(w->world, &def);
    return w->queries[op->number] != NULL ? KITH_OK
           : terms_clash(op->query)       ? KITH_ERR_CONFLICT
                                          : KITH_ERR_MEMORY;
}

static kith_result expect_query_new(play *p, const operation *op, outcome *out)
{
    (void)out;
    p->asked.queries[op->number].used = false;
    if (terms_clash(op->query)) {
        return KITH_ERR_CONFLICT;
    }
    p->asked.queries[op->number] = *op->query;
    return KITH_OK;
}

/* False if the query makes no sense, which the library has said, too. */
static bool query_new(play *p, uint32_t number)
{
    play_query query = random_query(p);
    operation op = {.name = "kith_query_new",
                    .act = input_chance(&p->in, 70) ? act_query_new : act_query_new_or_null,
                    .act_other = act_query_new,
                    .expect = expect_query_new,
                    .query = &query,
                    .number = number};
    play_attempt(p, &op);
    return p->asked.queries[number].used;
}

static void query_free(play *p, uint32_t number)
{
    play_name(p, "kith_query_free");
    for (int world = 0; world < WORLD_COUNT; world++) {
        kith_query_free(p->worlds[world].queries[number]);
        p->worlds[world].queries[number] = NULL;
    }
    p->asked.queries[number].used = false;
}

/* ---- What the model says ------------------------------------------------------------------- */

/* For each of the model's entities whether it matches. */
typedef struct matches {
    bool *match;
    uint32_t count;
} matches;

static matches find_matches(play *p, const play_query *query)
{
    matches found = {.match = play_scratch(p, p->m.entity_count + 1)};
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        found.match[i] = model_matches(&p->m, &p->m.entities[i], query->terms, query->term_count);
        found.count += found.match[i];
    }
    return found;
}

/* Whether KITH_COLUMN is promised to work for a term: it lives in the storage that drives the query,
 * whatever the sizes of storages are. False where that is not clear. */
static bool column_is_sure(const played *w, const play_query *query, uint32_t number)
{
    const kith_term *term = &query->terms[number];
    if (term->type->size == 0 || term->access == KITH_ACCESS_NONE) {
        return false;
    }
    if (query->driver != NULL) {
        return query->driver == term->type;
    }
    uint32_t required = 0;
    uint32_t required_tables = 0;
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (query->terms[i].role == KITH_MUST) {
            required++;
            required_tables += play_layout(w, query->terms[i].type) == KITH_TABLE;
        }
    }
    if (required > 0 && required == required_tables) {
        return play_layout(w, term->type) == KITH_TABLE;
    }
    return required == 1 && term->role == KITH_MUST;
}

/* ---- Iterating ----------------------------------------------------------------------------- */

/* How one iteration is to go. */
typedef struct visit {
    const play_query *query;
    const matches *found;
    uint64_t salt; /* what is written; 0: nothing */
    bool columns;  /* write through columns where possible */
    bool rows;     /* batches of rows, not of arrays */
    bool misuse;   /* try changes of structure in between */
    uint32_t stop; /* after so many batches; UINT32_MAX: never */
    bool *visited;
    uint32_t visited_count;
    uint64_t order; /* a hash of the entities, in the order in which they were visited */
} visit;

/* The value that is written: the same on every layout, whatever the order. */
static void make_value(const kith_type *type, kith_entity entity, uint64_t salt, void *bytes)
{
    uint64_t random = salt ^ ((uint64_t)entity.index1 << 32 | entity.generation) ^ type->size;
    for (uint32_t i = 0; i < type->size; i += 8) {
        uint64_t word = random_next(&random);
        memcpy((char *)bytes + i, &word, type->size - i < 8 ? type->size - i : 8);
    }
}

/* In batches of rows all addresses are what each of them is. */
static void visit_pointers(const visit *v, kith_iter *it, uint32_t i, const kith_term *asked,
                           const void *got)
{
    const void *const *pointers = kith_pointers(it, asked->type, KITH_ACCESS_READ);
    CHECK(pointers[i] == got);
    if (v->salt != 0 && asked->access == KITH_ACCESS_WRITE) {
        CHECK(kith_pointers(it, asked->type, KITH_ACCESS_WRITE) == (const void *)pointers);
    }
}

static void visit_value(const played *w, const visit *v, kith_iter *it, uint32_t term, uint32_t i,
                        const model_entity *entity)
{
    const kith_term *asked = &v->query->terms[term];
    const kith_type *type = asked->type;
    const model_value *value = model_get(&entity->values, type);
    const void *got = kith_at(it, i, type, type->size, KITH_ACCESS_READ);
    CHECK_INT(got != NULL, value != NULL);
    if (v->rows) {
        visit_pointers(v, it, i, asked, got);
    }
    if (got == NULL) {
        return;
    }
    CHECK_INT((uintptr_t)got % type->align, 0);
    CHECK(memcmp(got, value->bytes, type->size) == 0);
    bool sure = !v->rows && column_is_sure(w, v->query, term);
    if (sure) {
        CHECK((const char *)kith_column(it, type) + (size_t)i * type->size == got);
    }
    if (v->salt != 0 && asked->access == KITH_ACCESS_WRITE) {
        char *to = sure && v->columns ? (char *)kith_column_mut(it, type) + (size_t)i * type->size
                                      : (char *)kith_at(it, i, type, type->size, KITH_ACCESS_WRITE);
        CHECK(to == got);
        make_value(type, entity->handle, v->salt, to);
    }
}

/* Changes of structure while the query is open: told, and nothing is changed. What is no change of
 * structure goes through. */
static void try_misuse(play *p, played *w, kith_entity entity)
{
    const kith_type *type = play_type(input_below(&p->in, 3));
    bool has = kith_has(w->world, entity, type);
    kith_entity out;
    switch (input_below(&p->in, 11)) {
    case 9: CHECK_RESULT(kith_clone_tree(w->world, entity, &out), KITH_ERR_MISUSE); break;
    case 0: CHECK(kith_is_none(kith_spawn_empty(w->world))); break;
    case 1: CHECK_RESULT(kith_despawn(w->world, entity), KITH_ERR_MISUSE); break;
    case 2: CHECK_RESULT(kith_remove_all(w->world, entity), KITH_ERR_MISUSE); break;
    case 3: CHECK_RESULT(kith_clone(w->world, entity, &out), KITH_ERR_MISUSE); break;
    case 4: kith_world_trim(w->world); break;
    case 5: CHECK_RESULT(kith_run(w->world, 1), KITH_ERR_MISUSE); break;
    case 6: CHECK_RESULT(kith_spawn_many(w->world, 3, NULL, 0, NULL), KITH_ERR_MISUSE); break;
    case 7: CHECK_RESULT(kith_despawn_many(w->world, &entity, 1, NULL), KITH_ERR_MISUSE); break;
    case 8:
        if (!has) {
            CHECK_RESULT(kith_set(w->world, entity, type, NULL), KITH_ERR_MISUSE);
            break;
        }
        CHECK_RESULT(kith_remove(w->world, entity, type), KITH_ERR_MISUSE);
        break;
    default:
        if (!has) {
            CHECK_RESULT(kith_add(w->world, entity, type), KITH_ERR_MISUSE);
            break;
        }
        CHECK_RESULT(kith_set(w->world, entity, type, kith_get(w->world, entity, type)), KITH_OK);
        return;
    }
    expect_misuse(&w->f, "");
}

/* Goes through one open query. Returns whether it came to its end. */
static bool visit_all(play *p, played *w, kith_iter *it, visit *v)
{
    int order = play_sure_order(w, v->query);
    const model_entity *previous = NULL;
    for (uint32_t batches = 0; v->rows ? kith_next_rows(it) : kith_next(it); batches++) {
        if (batches == v->stop) {
            kith_iter_close(it);
            kith_iter_close(it);
            return false;
        }
        CHECK(it->count >= 1 && it->count <= 1024);
        for (uint32_t i = 0; i < it->count; i++) {
            kith_entity handle = kith_entities(it)[i];
            const model_entity *entity = model_find(&p->m, handle);
            CHECK_PTR_NOT_NULL(entity);
            uint32_t number = (uint32_t)(entity - p->m.entities);
            CHECK(v->found->match[number]);
            CHECK(!v->visited[number]);
            v->visited[number] = true;
            v->visited_count++;
            v->order = (v->order + number + 1) * 0x9e3779b97f4a7c15;
            play_check_order(p, w, order, previous, entity);
            previous = entity;
            for (uint32_t term = 0; term < v->query->term_count; term++) {
                if (v->query->terms[term].access != KITH_ACCESS_NONE) {
                    visit_value(w, v, it, term, i, entity);
                }
            }
        }
        if (v->misuse) {
            try_misuse(p, w, kith_entities(it)[0]);
        }
    }
    return true;
}

/* Iterates on one world. False if it stopped for want of memory, which only `failing` allows. */
static bool read_through(play *p, played *w, kith_query *query, visit *v, bool failing)
{
    v->visited = play_scratch(p, p->m.entity_count + 1);
    v->visited_count = 0;
    v->order = 0;
    kith_iter it = kith_query_iter(query);
    bool whole = visit_all(p, w, &it, v);
    if (failing && it.result == KITH_ERR_MEMORY) {
        return false;
    }
    CHECK_RESULT(it.result, KITH_OK);
    if (whole) {
        CHECK_UINT(v->visited_count, v->found->count);
        CHECK(!(v->rows ? kith_next_rows(&it) : kith_next(&it)));
    }
    return true;
}

static bool writes(const play_query *query)
{
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (query->terms[i].access == KITH_ACCESS_WRITE) {
            return true;
        }
    }
    return false;
}

/* Everything about one query that can be asked without changing anything. */
static void look_at_query(play *p, const play_query *query, uint32_t number)
{
    matches found = find_matches(p, query);
    kith_entity asked[4];
    for (uint32_t i = 0; i < 4; i++) {
        asked[i] = play_entity(p);
    }
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        kith_query *q = w->queries[number];
        CHECK_UINT(kith_query_count(q), found.count);
        for (uint32_t i = 0; i < 4; i++) {
            const model_entity *entity = model_find(&p->m, asked[i]);
            CHECK_INT(kith_query_contains(q, asked[i]),
                      entity != NULL && found.match[entity - p->m.entities]);
        }
        kith_entity first = kith_query_first(q);
        kith_entity single = KITH_NONE;
        kith_result result = kith_query_single(q, &single);
        if (found.count == 0) {
            CHECK(kith_is_none(first));
            CHECK_RESULT(result, KITH_ERR_ABSENT);
        } else if (found.count == 1) {
            CHECK_RESULT(result, KITH_OK);
            CHECK_SAME(single, first);
        } else {
            CHECK_RESULT(result, KITH_ERR_AMBIGUOUS);
            CHECK(kith_is_none(single));
        }
        if (found.count > 0) {
            kith_iter it = kith_query_iter(q);
            CHECK(kith_next(&it));
            CHECK_SAME(kith_entities(&it)[0], first);
            kith_iter_close(&it);
        }
        visit v = {.query = query, .found = &found, .stop = UINT32_MAX};
        read_through(p, w, q, &v, false);
        visit rows = {.query = query, .found = &found, .stop = UINT32_MAX, .rows = true};
        read_through(p, w, q, &rows, false);
        CHECK(rows.order == v.order);
    }
}

/* Iterates while allocations fail: it ends early, or it does not notice. */
static void iterate_without_memory(play *p, uint32_t number)
{
    play_name(p, "iteration without memory");
    const play_query *query = &p->asked.queries[number];
    played *w = &p->worlds[SUBJECT];
    uint64_t hash = kith_world_hash(w->world);
    matches found = find_matches(p, query);
    bool rows = input_chance(&p->in, 50);
    visit v = {.query = query, .found = &found, .stop = UINT32_MAX, .rows = rows};
    fail_from(&w->f, 1 + input_below(&p->in, 3));
    bool stopped = !read_through(p, w, w->queries[number], &v, true);
    CHECK_UINT(kith_query_count(w->queries[number]), found.count);
    CHECK_INT(kith_query_contains(w->queries[number], kith_query_first(w->queries[number])),
              found.count > 0);
    bool reached = fail_nothing(&w->f);
    CHECK(reached || !stopped);
    /* What has been opened before needs memory for nothing but shared blocks, and none to read. */
    visit again = {.query = query, .found = &found, .stop = UINT32_MAX, .rows = rows};
    read_through(p, w, w->queries[number], &again, false);
    if (p->share_count == 0 || !writes(query)) {
        fail_from(&w->f, 1);
        read_through(p, w, w->queries[number], &again, false);
        fail_nothing(&w->f);
    }
    CHECK_WORLD(w->world);
    CHECK(kith_world_hash(w->world) == hash);
}

/* Writes new values through the query, on all worlds. */
static void write_through(play *p, uint32_t number)
{
    play_name(p, "writing through a query");
    const play_query *query = &p->asked.queries[number];
    matches found = find_matches(p, query);
    visit v = {.query = query,
               .found = &found,
               .salt = ++p->salt,
               .columns = input_chance(&p->in, 50),
               .rows = input_chance(&p->in, 50),
               .stop = UINT32_MAX};
    for (int world = 0; world < WORLD_COUNT; world++) {
        read_through(p, &p->worlds[world], p->worlds[world].queries[number], &v, false);
    }
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        model_entity *entity = &p->m.entities[i];
        for (uint32_t term = 0; found.match[i] && term < query->term_count; term++) {
            const kith_term *asked = &query->terms[term];
            model_value *value = model_get(&entity->values, asked->type);
            if (asked->access == KITH_ACCESS_WRITE && value != NULL) {
                make_value(asked->type, entity->handle, v.salt, value->bytes);
            }
        }
    }
}

#ifdef KITH_NO_MISUSE_CHECKS
#define MISUSE_IS_TOLD false
#else
#define MISUSE_IS_TOLD true
#endif

/* Opens the query and leaves it early, with misuse in between where that is told. */
static void misuse_while_open(play *p, uint32_t number)
{
    play_name(p, "misuse in an open query");
    const play_query *query = &p->asked.queries[number];
    matches found = find_matches(p, query);
    visit v = {.query = query,
               .found = &found,
               .stop = input_chance(&p->in, 50) ? input_below(&p->in, 4) : UINT32_MAX,
               .rows = input_chance(&p->in, 50),
               .misuse = MISUSE_IS_TOLD && p->aside == 0}; /* other worlds tell it elsewhere */
    played *w = &p->worlds[input_below(&p->in, WORLD_COUNT)];
    uint64_t hash = kith_world_hash(w->world);
    read_through(p, w, w->queries[number], &v, false);
    CHECK(kith_world_hash(w->world) == hash);
    CHECK_WORLD(w->world);
}

/* Two open queries, one inside the other. */
static void nest(play *p, uint32_t outer, uint32_t inner)
{
    play_name(p, "a query in a query");
    played *w = &p->worlds[SUBJECT];
    matches found = find_matches(p, &p->asked.queries[inner]);
    visit v = {.query = &p->asked.queries[inner], .found = &found, .stop = UINT32_MAX};
    uint32_t rounds = 0;
    kith_iter it = kith_query_iter(w->queries[outer]);
    while (kith_next(&it)) {
        read_through(p, w, w->queries[inner], &v, false);
        if (++rounds == 3) {
            kith_iter_close(&it);
            break;
        }
    }
}

static void iterate_one(play *p, uint32_t number)
{
    play_name(p, "kith_query_iter_one");
    const play_query *query = &p->asked.queries[number];
    kith_entity handle = play_entity(p);
    const model_entity *entity = model_find(&p->m, handle);
    bool match = entity != NULL && model_matches(&p->m, entity, query->terms, query->term_count);
    visit v = {.query = query, .rows = input_chance(&p->in, 50)};
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        kith_iter it = kith_query_iter_one(w->queries[number], handle);
        CHECK_INT(v.rows ? kith_next_rows(&it) : kith_next(&it), match);
        CHECK_RESULT(it.result, KITH_OK);
        if (!match) {
            continue;
        }
        CHECK_UINT(it.count, 1);
        CHECK_SAME(kith_entities(&it)[0], handle);
        for (uint32_t term = 0; term < query->term_count; term++) {
            if (query->terms[term].access != KITH_ACCESS_NONE) {
                visit_value(w, &v, &it, term, 0, entity);
            }
        }
        CHECK(!(v.rows ? kith_next_rows(&it) : kith_next(&it)));
    }
}

/* ---- The whole ----------------------------------------------------------------------------- */

/* The last place is for passing queries. */
#define STANDING (PLAY_QUERIES - 1)

void play_look_queries(play *p)
{
    play_name(p, "look at queries");
    for (uint32_t i = 0; i < STANDING; i++) {
        if (p->asked.queries[i].used) {
            look_at_query(p, &p->asked.queries[i], i);
        }
    }
}

void play_queries(play *p, uint32_t choice)
{
    uint32_t number = input_below(&p->in, STANDING);
    if (choice == 0) {
        play_name(p, "a passing query");
        if (query_new(p, STANDING)) {
            look_at_query(p, &p->asked.queries[STANDING], STANDING);
            query_free(p, STANDING);
        }
        return;
    }
    if (!p->asked.queries[number].used) {
        query_new(p, number);
        return;
    }
    switch (choice) {
    case 1:
    case 2: look_at_query(p, &p->asked.queries[number], number); break;
    case 3: iterate_without_memory(p, number); break;
    case 4:
    case 5: write_through(p, number); break;
    case 6: misuse_while_open(p, number); break;
    case 7: {
        uint32_t inner = input_below(&p->in, STANDING);
        if (p->asked.queries[inner].used) {
            nest(p, number, inner);
        }
        break;
    }
    case 8: iterate_one(p, number); break;
    default: query_free(p, number); break;
    }
}
