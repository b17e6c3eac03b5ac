/* For the tests of filters: a component with few values in a block, so that a small world has many
 * blocks; and queries that are compared with a loop over all. */
#ifndef KITH_TEST_FILTERED_H
#define KITH_TEST_FILTERED_H

#include <string.h>

#include "all_ways.h"
#include "components.h"

#define CRATES 4000u
#define CRATE_ROWS 64u /* in a block */

KITH_COMPONENT(Crate, (int32_t, number), (uint8_t, color), (bool, open), (char, label, 16),
               (float, weight), (char, rest, 224));

typedef struct filtered {
    fixture f;
    kith_world *world;
    kith_index *index; /* of numbers, unless said otherwise */
    kith_query *all;
    kith_query *query; /* one number */
    kith_entity entities[CRATES];
} filtered;

/* Numbers from 0 to 99 that ascend: 40 entities have the same, in a block or two. */
static inline Crate crate_of(uint32_t i)
{
    Crate crate = {.number = (int32_t)(i / 40), .color = (uint8_t)(i / 400), .weight = (float)i};
    return crate;
}

static inline void filtered_new_with(filtered *t, kith_layout layout, const kith_component_def *def)
{
    memset(t, 0, sizeof(*t));
    t->f = fixture_with_all(layout);
    t->world = t->f.world;
    kith_component_def crates = def == NULL ? (kith_component_def){0} : *def;
    crates.layout = layout;
    CHECK_RESULT(kith_register(t->world, &Crate_type, &crates), KITH_OK);
    for (uint32_t i = 0; i < CRATES; i++) {
        const Crate crate = crate_of(i);
        const kith_value value = {&Crate_type, &crate};
        t->entities[i] = kith_spawn_or_none(t->world, &value, 1);
    }
    t->all = KITH_QUERY(t->world, KITH_READ(Crate));
    t->query =
        KITH_QUERY(t->world, KITH_READ(Crate), KITH_IF(Crate, number, ==, kith_bound("number")));
    CHECK_RESULT(kith_query_bind(t->query, "number", 0), KITH_OK);
}

static inline kith_index *new_filter(kith_world *world, const kith_index_def *def)
{
    kith_index *index = NULL;
    CHECK_RESULT(kith_index_new(world, def, &index), KITH_OK);
    return index;
}

static const kith_index_def numbers_filter = {.kind = KITH_INDEX_FILTER,
                                              KITH_FIELDS(Crate, number)};

static inline void filtered_new(filtered *t, kith_layout layout)
{
    filtered_new_with(t, layout, NULL);
    t->index = new_filter(t->world, &numbers_filter);
}

/* The entities with a number, as a loop over all of them finds them: as one number. */
static inline uint64_t loop_for(const filtered *t, int32_t number, uint32_t *count)
{
    uint64_t hash = 1;
    *count = 0;
    for (kith_iter it = kith_query_iter(t->all); kith_next(&it);) {
        const Crate *crates = KITH_COLUMN(&it, Crate);
        for (uint32_t i = 0; i < it.count; i++) {
            if (crates[i].number == number) {
                hash = fold(hash, kith_entities(&it)[i].index1);
                (*count)++;
            }
        }
    }
    return hash;
}

static inline uint64_t query_for(kith_query *query, bool rows, uint32_t *count)
{
    uint64_t hash = 1;
    *count = 0;
    kith_iter it = kith_query_iter(query);
    while (rows ? kith_next_rows(&it) : kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            hash = fold(hash, kith_entities(&it)[i].index1);
            (*count)++;
        }
    }
    CHECK_RESULT(it.result, KITH_OK);
    return hash;
}

/* Whether the query finds what a loop does, for a number. Returns how many have it. */
#define expect_number(t, number) expect_number_at(__LINE__, (t), (number))
static inline uint32_t expect_number_at(int line, const filtered *t, int32_t number)
{
    uint32_t expected;
    const uint64_t hash = loop_for(t, number, &expected);
    CHECK_RESULT(kith_query_bind(t->query, "number", number), KITH_OK);
    for (int rows = 0; rows < 2; rows++) {
        uint32_t count;
        if (query_for(t->query, rows == 1, &count) != hash || count != expected) {
            test_fail(__FILE__, line,
                      "%u entities have the number %d, and the query has %u or others", expected,
                      number, count);
        }
    }
    test_check_uint(__FILE__, line, "counted", "there", kith_query_count(t->query), expected);
    return expected;
}

/* The same for all numbers that the tests use, and one that nobody has. */
#define expect_all_numbers(t) expect_all_numbers_at(__LINE__, (t))
static inline void expect_all_numbers_at(int line, const filtered *t)
{
    for (int32_t number = -2; number < 102; number += number < 0 ? 1 : 1 + number % 3) {
        expect_number_at(line, t, number);
    }
    CHECK_WORLD(t->world);
}

#endif
