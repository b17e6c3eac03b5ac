/* For the tests of planned queries: a world in which few entities have the same number. */
#ifndef KITH_TEST_LOOPED_H
#define KITH_TEST_LOOPED_H

#include <stdio.h>
#include <string.h>

#include "all_ways.h"
#include "components.h"

#define LOOPED 8000
#define LOOPED_VALUES 2000
#define MET_MAX 64

/* Entities whose health is one of LOOPED_VALUES numbers, so that four have the same; every third has a
 * name, which is the number too. */
typedef struct looped {
    fixture f;
    kith_world *world;
    kith_index *index;
    kith_query *query; /* one number */
    kith_entity entities[LOOPED];
} looped;

static const kith_index_def by_number[] = {
    {.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, current)},
    {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Health, current)},
    {.kind = KITH_INDEX_FILTER, KITH_FIELDS(Health, current)},
};
#define BY_NUMBER ROWS_OF(by_number)

static inline kith_index *new_index(kith_world *world, const kith_index_def *def)
{
    kith_index *index;
    CHECK_RESULT(kith_index_new(world, def, &index), KITH_OK);
    return index;
}

static inline kith_query *number_query(kith_world *world, int32_t number)
{
    kith_query *query =
        KITH_QUERY(world, KITH_READ(Health), KITH_IF(Health, current, ==, kith_bound("number")));
    CHECK_RESULT(kith_query_bind(query, "number", number), KITH_OK);
    return query;
}

static inline void looped_new(looped *t, kith_layout layout, const kith_index_def *def)
{
    memset(t, 0, sizeof(*t));
    t->f = fixture_with_all(layout);
    t->world = t->f.world;
    for (int32_t i = 0; i < LOOPED; i++) {
        int32_t number = i * 337 % LOOPED_VALUES;
        Name name = {{0}};
        snprintf(name.text, sizeof(name.text), "n%d", number);
        const Health health = {number, i};
        const kith_value values[] = {{&Health_type, &health}, {&Name_type, &name}};
        t->entities[i] = kith_spawn_or_none(t->world, values, i % 3 == 0 ? 2 : 1);
    }
    t->index = def == NULL ? NULL : new_index(t->world, def);
    t->query = number_query(t->world, 77);
}

/* ---- What a loop met ------------------------------------------------------------------------- */

typedef struct met {
    kith_entity entities[MET_MAX];
    uint32_t count;
} met;

static inline void meet(met *m, kith_iter *it)
{
    for (uint32_t i = 0; i < it->count; i++) {
        CHECK(m->count < MET_MAX);
        m->entities[m->count++] = kith_entities(it)[i];
    }
}

#define check_met(a, b) check_met_at(__LINE__, (a), (b))
static inline void check_met_at(int line, const met *a, const met *b)
{
    test_check_uint(__FILE__, line, "the loop met", "the scan met", a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        test_check_same(__FILE__, line, "met", "scanned", a->entities[i], b->entities[i]);
    }
}

static inline met meet_all(kith_query *query, bool rows)
{
    met m = {.count = 0};
    kith_iter it = kith_query_iter(query);
    while (rows ? kith_next_rows(&it) : kith_next(&it)) {
        meet(&m, &it);
    }
    CHECK_RESULT(it.result, KITH_OK);
    return m;
}

/* An index with many rows to look at is not used until scans have cost more than bringing it up to
 * date. */
static inline void ask_until_planned(kith_query *query)
{
    for (uint32_t times = 0; times < 300 && !is_planned(query); times++) {
        kith_query_count(query);
    }
    CHECK(is_planned(query));
}

#endif
