/* Random worlds of parents and children, and queries that visit them by depth, beside the same queries
 * without an order, whose entities are sorted by kith_depth. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

KITH_COMPONENT(Level, (int32_t, number));
KITH_COMPONENT(Hull, (int32_t, number), (uint8_t, rest, 36)); /* few a block */
KITH_TAG(Wreck);

#define ENTITIES 1400u
#define TERMS 5u
#define QUERIES 4u
#define ROUNDS 30u

static const kith_type *const types[] = {&Level_type, &Hull_type, &Wreck_type};

/* A query without an order, and the same with each order. */
typedef struct by_order {
    kith_query *of[KITH_CHILDREN_FIRST + 1];
    bool reads[2]; /* Level, Hull: by a term of the entity's own */
    bool looks;
    uint32_t via; /* number of the term that reads Level of an ancestor; UINT32_MAX: none */
} by_order;

typedef struct level_model {
    fixture f;
    kith_entity e[ENTITIES];
    uint64_t random;
    by_order queries[QUERIES];
    uint32_t deep; /* how far a parent is at most, by its number */
    kith_entity scan[ENTITIES]; /* what a query finds, in the order of the scan, */
    uint32_t depths[ENTITIES];
    uint32_t count, deepest;
    kith_entity expected[ENTITIES]; /* and in the one that is expected */
} level_model;

static uint32_t below(level_model *m, uint32_t end)
{
    return random_below(&m->random, end);
}

/* ---- Worlds */

static kith_entity some_parent(level_model *m, uint32_t i)
{
    return i == 0 || below(m, 8) == 0 ? KITH_NONE
                                      : m->e[i - 1 - below(m, i < m->deep ? i : m->deep)];
}

static void set_random(level_model *m, uint32_t i)
{
    kith_world *world = m->f.world;
    switch (below(m, 4)) {
    case 0: KITH_SET(world, m->e[i], Level, {(int32_t)below(m, 4)}); break;
    case 1: KITH_SET(world, m->e[i], Hull, {.number = (int32_t)below(m, 4)}); break;
    case 2: KITH_ADD(world, m->e[i], Wreck); break;
    default: /* parents come before children, so that there is no circle */
        kith_set_parent(world, m->e[i], some_parent(m, i));
    }
}

static void spawn_random(level_model *m, uint32_t i)
{
    m->e[i] = kith_spawn_empty(m->f.world);
    for (uint32_t k = 0; k < 4; k++) {
        set_random(m, i);
    }
}

static void change_random(level_model *m)
{
    const uint32_t i = below(m, ENTITIES);
    if (!kith_alive(m->f.world, m->e[i])) {
        spawn_random(m, i);
        return;
    }
    switch (below(m, 30)) {
    case 0: kith_despawn(m->f.world, m->e[i]); break;
    case 1:
    case 2:
    case 3: kith_remove(m->f.world, m->e[i], types[below(m, 3)]); break;
    default: set_random(m, i); break;
    }
}

static void make_query(level_model *m, by_order *made)
{
    static const kith_term values[][3] = {
        {KITH_READ(Level), KITH_OPTIONAL(Level), KITH_WITH(Level)},
        {KITH_WRITE(Hull), KITH_READ(Hull), KITH_WITHOUT(Hull)},
        {KITH_WITH(Wreck), KITH_WITHOUT(Wreck), KITH_OPTIONAL(Wreck)}};
    const kith_term changed = KITH_CHANGED(Level);
    const kith_term above[] = {KITH_UP(KITH_OPTIONAL(Level)), KITH_UP(KITH_READ(Level)),
                               KITH_VIA(kith_child_of, KITH_READ(Level)),
                               KITH_UP(KITH_IF(Level, number, >, 1)),
                               KITH_IF(Level, number, <, 3)};
    kith_term terms[TERMS + 1] = {{0}};
    uint32_t count = 0;
    *made = (by_order){.via = UINT32_MAX};
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t kind = below(m, 6);
        if (kind < 3) {
            if (i < 2) {
                made->reads[i] = values[i][kind].access != KITH_ACCESS_NONE;
            }
            terms[count++] = values[i][kind];
        } else if (i == 0 && kind == 3) {
            made->reads[0] = true;
            made->looks = true;
            terms[count++] = changed;
        }
    }
    if (below(m, 2) == 0) {
        const uint32_t kind = below(m, ROWS_OF(above));
        made->via = kind < 3 ? count : UINT32_MAX;
        terms[count++] = above[kind];
    }
    for (uint32_t order = 0; order <= KITH_CHILDREN_FIRST; order++) {
        const kith_query_def def = {.terms = terms, .order = (kith_order)order};
        CHECK_RESULT(kith_query_new(m->f.world, &def, &made->of[order]), KITH_OK);
    }
}

static void fill(level_model *m, uint64_t seed)
{
    *m = (level_model){.f = fixture_new(), .random = seed};
    m->deep = 1 + below(m, 3) * 30; /* chains, if it is 1 */
    for (uint32_t i = 0; i < 3; i++) {
        const kith_component_def def = {.layout = (kith_layout)below(m, LAYOUT_COUNT),
                                        .exact_changes = i == 0 && below(m, 2) == 0};
        CHECK_RESULT(kith_register(m->f.world, types[i], &def), KITH_OK);
    }
    for (uint32_t i = 0; i < ENTITIES; i++) {
        spawn_random(m, i);
    }
    for (uint32_t i = 0; i < QUERIES; i++) {
        make_query(m, &m->queries[i]);
    }
}

/* ---- The naive order */

/* The entities of a query without an order, and their depths. */
static void scan_all(level_model *m, const by_order *queries)
{
    m->count = 0;
    m->deepest = 0;
    for (kith_iter it = kith_query_iter(queries->of[KITH_SCAN_ORDER]); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            const kith_entity entity = kith_entities(&it)[i];
            const uint32_t depth = kith_depth(m->f.world, entity);
            m->scan[m->count] = entity;
            m->depths[m->count++] = depth;
            m->deepest = depth > m->deepest ? depth : m->deepest;
        }
    }
}

static void expect_order(level_model *m, kith_order order)
{
    uint32_t sorted = 0;
    for (uint32_t k = 0; k <= m->deepest; k++) {
        const uint32_t depth = order == KITH_PARENTS_FIRST ? k : m->deepest - k;
        for (uint32_t i = 0; i < m->count; i++) {
            if (m->depths[i] == depth) {
                m->expected[sorted++] = m->scan[i];
            }
        }
    }
    CHECK_UINT(sorted, m->count);
}

static void check_values(level_model *m, const by_order *queries, const kith_iter *it)
{
    const kith_entity *entities = kith_entities(it);
    kith_world *world = m->f.world;
    for (uint32_t i = 0; i < it->count; i++) {
        if (queries->reads[0]) {
            CHECK(KITH_AT(it, i, Level) == KITH_GET(world, entities[i], Level));
        }
        if (queries->reads[1]) {
            CHECK(KITH_AT(it, i, Hull) == KITH_GET(world, entities[i], Hull));
        }
        if (queries->via != UINT32_MAX) {
            const Level *level = KITH_TERM_AT(it, queries->via, i, Level);
            kith_entity above = kith_parent(world, entities[i]);
            CHECK(level == NULL || kith_has(world, above, &Level_type) ||
                  kith_depth(world, above) > 0);
        }
    }
}

/* Checks one way of iterating. */
static void check_iteration(level_model *m, const by_order *queries, kith_order order, bool rows)
{
    uint32_t met = 0;
    kith_iter it = kith_query_iter(queries->of[order]);
    while (rows ? kith_next_rows(&it) : kith_next(&it)) {
        const uint32_t depth = kith_depth(m->f.world, kith_entities(&it)[0]);
        CHECK(met + it.count <= m->count);
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_SAME(kith_entities(&it)[i], m->expected[met + i]);
            CHECK_UINT(kith_depth(m->f.world, kith_entities(&it)[i]), depth);
        }
        met += it.count;
        check_values(m, queries, &it);
    }
    CHECK_RESULT(it.result, KITH_OK);
    CHECK_UINT(met, m->count);
}

/* Where entities must have changed, each query looks once. */
static void check_query(level_model *m, const by_order *queries)
{
    const bool rows = below(m, 2) == 0;
    scan_all(m, queries);
    for (uint32_t order = KITH_PARENTS_FIRST; order <= KITH_CHILDREN_FIRST; order++) {
        kith_query *query = queries->of[order];
        expect_order(m, (kith_order)order);
        if (!queries->looks) {
            CHECK_UINT(kith_query_count(query), m->count);
            CHECK_SAME(kith_query_first(query), m->count == 0 ? KITH_NONE : m->expected[0]);
            check_iteration(m, queries, (kith_order)order, !rows);
        }
        check_iteration(m, queries, (kith_order)order, rows);
    }
}

/* What moves many rows. */
static void change_much(level_model *m, kith_snapshot **snapshot)
{
    kith_world *world = m->f.world;
    switch (below(m, 8)) {
    case 0:
        KITH_SORT(world, Level, number); /* which says no if the layout is KITH_SLOT */
        break;
    case 1: kith_world_trim(world); break;
    case 2:
        kith_snapshot_free(*snapshot);
        CHECK_RESULT(kith_snapshot_take(world, snapshot), KITH_OK);
        break;
    case 3:
        if (*snapshot != NULL) {
            CHECK_RESULT(kith_snapshot_restore(world, *snapshot), KITH_OK);
        }
        break;
    default: break;
    }
}

TEST_WITHIN(40, queries_by_depth_visit_what_sorting_by_depth_gives)
{
    for (uint64_t world = 0; world < (test_long() ? 2000 : test_short() ? 2 : 24); world++) {
        static char note[40];
        static level_model m;
        snprintf(note, sizeof note, "world %u", (uint32_t)world);
        test_note(note);
        fill(&m, test_number("KITH_TEST_SEED", 1) * 1000 + world);
        kith_snapshot *snapshot = NULL;
        for (uint32_t round = 0; round < ROUNDS; round++) {
            const uint32_t changes = below(&m, 4) == 0 ? 200 : below(&m, 3);
            for (uint32_t k = 0; k < changes; k++) {
                change_random(&m);
            }
            change_much(&m, &snapshot);
            for (uint32_t i = 0; i < QUERIES; i++) {
                check_query(&m, &m.queries[i]);
            }
            CHECK_WORLD(m.f.world);
        }
        CHECK_WORLD(m.f.world);
        kith_snapshot_free(snapshot);
        fixture_free(&m.f);
    }
}
