/* Queries over two storages, of all layouts, sizes and orders: a run of one may be a run of the
 * other, or stand elsewhere, or end at the end of a block. The play's worlds are seldom large and
 * uniform enough to meet all of these. */
#include <stdio.h>
#include <string.h>

#include "test.h"

enum { ROWS = 1300, PATTERN_COUNT = 6 };

/* One of the two: a value that is small, or of which few fit a block. */
typedef struct Small {
    uint32_t number;
} Small;
KITH_TYPE(Small, KITH_FIELD(Small, number));

typedef struct Large {
    uint32_t number;
    uint32_t rest[299];
} Large;
KITH_TYPE(Large, KITH_FIELD(Large, number), KITH_FIELD(Large, rest));

typedef struct Other {
    uint32_t number;
    uint32_t rest;
} Other;
KITH_TYPE(Other, KITH_FIELD(Other, number), KITH_FIELD(Other, rest));

KITH_TAG(Marked);

/* Who has a component, and in which order it was added. */
static bool pattern_has(int pattern, uint32_t i)
{
    switch (pattern) {
    case 0: return true;
    case 1: return i >= 5;
    case 2: return i >= 1000;
    case 3: return true; /* added from the last to the first */
    case 4: return i % 97 != 50;
    default: return i % 2 == 0;
    }
}

typedef struct runs {
    fixture f;
    kith_world *world;
    kith_entity entities[ROWS];
    const kith_type *types[2];
    int patterns[2];
} runs;

static bool has_both(const runs *r, uint32_t i)
{
    return pattern_has(r->patterns[0], i) && pattern_has(r->patterns[1], i);
}

static void add_component(runs *r, int which)
{
    static Large value; /* its first field is that of all */
    for (uint32_t k = 0; k < ROWS; k++) {
        uint32_t i = r->patterns[which] == 3 ? ROWS - 1 - k : k;
        if (pattern_has(r->patterns[which], i)) {
            value.number = i * 2 + (uint32_t)which;
            CHECK_RESULT(kith_set(r->world, r->entities[i], r->types[which], &value), KITH_OK);
        }
    }
}

static uint32_t number_of(const runs *r, kith_entity entity)
{
    CHECK(entity.index1 >= 1 && entity.index1 <= ROWS);
    CHECK_SAME(entity, r->entities[entity.index1 - 1]);
    return entity.index1 - 1;
}

/* Visits what has both, but for the marked ones if they shall not be; adds to what it may write. */
static void check_query(runs *r, const kith_term *terms, bool unmarked)
{
    static bool visited[ROWS];
    memset(visited, 0, sizeof(visited));
    uint32_t expected = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        expected += has_both(r, i) && !(unmarked && i % 11 == 0);
    }
    kith_query *query;
    CHECK_RESULT(kith_query_new(r->world, &(kith_query_def){.terms = terms}, &query), KITH_OK);
    CHECK_UINT(kith_query_count(query), expected);
    uint32_t found = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t k = 0; k < it.count; k++) {
            uint32_t i = number_of(r, kith_entities(&it)[k]);
            CHECK(has_both(r, i) && !(unmarked && i % 11 == 0) && !visited[i]);
            visited[i] = true;
            found++;
            for (uint32_t term = 0; term < 2; term++) {
                const kith_type *type = terms[term].type;
                uint32_t *value = kith_at(&it, k, type, type->size, terms[term].access);
                CHECK_UINT(*value % (2 * ROWS), i * 2 + (type == r->types[1]));
                *value += terms[term].access == KITH_ACCESS_WRITE ? 2 * ROWS : 0;
            }
        }
    }
    CHECK_UINT(found, expected);
    kith_query_free(query);
}

static void check_values(const runs *r, const uint32_t *written)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t which = 0; which < 2; which++) {
            const uint32_t *value = kith_get(r->world, r->entities[i], r->types[which]);
            CHECK_INT(value != NULL, pattern_has(r->patterns[which], i));
            uint32_t times = !has_both(r, i) ? 0 : written[0] + (i % 11 == 0 ? 0 : written[1]);
            CHECK(value == NULL || *value == i * 2 + which + times * 2 * ROWS);
        }
    }
}

static void try_runs(runs *r, const kith_layout *layouts)
{
    r->f = fixture_new();
    r->world = r->f.world;
    for (int which = 0; which < 2; which++) {
        CHECK_RESULT(kith_register(r->world, r->types[which],
                                   &(kith_component_def){.layout = layouts[which]}),
                     KITH_OK);
    }
    CHECK_RESULT(
        kith_register(r->world, &Marked_type, &(kith_component_def){.layout = KITH_SPARSE}),
        KITH_OK);
    CHECK_RESULT(kith_spawn_many(r->world, ROWS, NULL, 0, r->entities), KITH_OK);
    add_component(r, 0);
    add_component(r, 1);
    for (uint32_t i = 0; i < ROWS; i += 11) {
        CHECK_RESULT(KITH_ADD(r->world, r->entities[i], Marked), KITH_OK);
    }
    const kith_term read = {r->types[0], KITH_ACCESS_READ, KITH_MUST, 0, NULL};
    const kith_term write = {r->types[1], KITH_ACCESS_WRITE, KITH_MUST, 0, NULL};
    const kith_term write_first = {r->types[0], KITH_ACCESS_WRITE, KITH_MUST, 0, NULL};
    const kith_term terms[] = {write_first, write, {0}};
    const kith_term turned[] = {write, write_first, {0}};
    const kith_term unmarked[] = {write_first, write, KITH_WITHOUT(Marked), {0}};
    const kith_term reading[] = {read, {r->types[1], KITH_ACCESS_READ, KITH_MUST, 0, NULL}, {0}};
    check_query(r, reading, false);
    check_query(r, terms, false);
    check_query(r, turned, false);
    check_query(r, unmarked, true);
    check_values(r, (const uint32_t[]){2, 1});
    fixture_free(&r->f);
}

static void try_patterns(kith_layout first, const kith_type *type)
{
    static runs r;
    static char note[96];
    test_note(note);
    for (int second = 0; second < LAYOUT_COUNT; second++) {
        for (int pair = 0; pair < PATTERN_COUNT * PATTERN_COUNT; pair++) {
            kith_layout layouts[2] = {first, (kith_layout)second};
            r.types[0] = &Other_type;
            r.types[1] = type;
            r.patterns[0] = pair / PATTERN_COUNT;
            r.patterns[1] = pair % PATTERN_COUNT;
            snprintf(note, sizeof(note), "%s and %s, patterns %d and %d", layout_name(layouts[0]),
                     layout_name(layouts[1]), r.patterns[0], r.patterns[1]);
            try_runs(&r, layouts);
        }
    }
    test_note(NULL);
}

TEST_EACH_LAYOUT_WITHIN(10, runs_of_small_values, layout)
{
    try_patterns(layout, &Small_type);
}

TEST_EACH_LAYOUT_WITHIN(10, runs_of_large_values, layout)
{
    try_patterns(layout, &Large_type);
}
