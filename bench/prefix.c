/* A million names by how they begin, in arrays of char and interned, beside a sorted array of texts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { NAMES = 1000000, LETTERS = 16, ASKED_LETTERS = 4 };

KITH_COMPONENT(Called, (char, text, 16));
KITH_COMPONENT(Titled, (kith_text, text));

typedef struct sorted_name {
    char text[LETTERS];
    uint32_t slot1;
} sorted_name;

typedef struct prefix_state {
    kith_world *world;
    kith_index *index;
    Called *names; /* slots ascend from 1 */
    sorted_name *sorted;
    uint64_t random;
} prefix_state;

/* 8 to 15 letters from a to p: about 15 of a million begin with the same four. */
static Called random_name(uint64_t *random)
{
    Called name = {0};
    const uint32_t length = 8 + bench_random(random) % 8;
    for (uint32_t i = 0; i < length; i++) {
        name.text[i] = (char)('a' + bench_random(random) % 16);
    }
    return name;
}

static prefix_state *open_names(void)
{
    prefix_state *state = bench_take(sizeof *state);
    *state = (prefix_state){.random = 1};
    state->names = bench_take(NAMES * sizeof *state->names);
    for (uint32_t i = 0; i < NAMES; i++) {
        state->names[i] = random_name(&state->random);
    }
    return state;
}

static void close_names(void *opened)
{
    prefix_state *state = opened;
    kith_world_free(state->world);
    free(state->names);
    free(state->sorted);
    free(state);
}

static void write_asked(prefix_state *state, char *prefix)
{
    const Called name = random_name(&state->random);
    memcpy(prefix, name.text, ASKED_LETTERS);
    prefix[ASKED_LETTERS] = '\0';
}

/* ---- Kith ---------------------------------------------------------------------------------------- */

static uint64_t ask_prefix(const prefix_state *state, const char *prefix)
{
    kith_index_found found;
    return bench_sum_found(kith_index_prefix(state->index, prefix, &found), &found);
}

static void fill_names(prefix_state *state, const kith_type *type, const void *values,
                       const kith_index_def *def)
{
    const kith_values all[] = {{type, values, true}};
    if (kith_spawn_many(state->world, NAMES, all, 1, NULL) != KITH_OK ||
        kith_index_new(state->world, def, &state->index) != KITH_OK) {
        bench_fail("the names were not given");
    }
    ask_prefix(state, "a");
}

static void *open_arrays(uint32_t n, kith_layout layout)
{
    (void)n;
    prefix_state *state = open_names();
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Called, text)};
    state->world = bench_world(layout);
    fill_names(state, &Called_type, state->names, &def);
    return state;
}

static void *open_interned(uint32_t n, kith_layout layout)
{
    (void)n;
    prefix_state *state = open_names();
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Titled, text)};
    state->world = bench_world(layout);
    Titled *titles = bench_take(NAMES * sizeof *titles);
    for (uint32_t i = 0; i < NAMES; i++) {
        if (kith_text_intern(state->world, state->names[i].text, &titles[i].text) != KITH_OK) {
            bench_fail("a name was not interned");
        }
    }
    fill_names(state, &Titled_type, titles, &def);
    free(titles);
    return state;
}

static bench_sample prefixes_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    prefix_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        char prefix[ASKED_LETTERS + 1];
        write_asked(state, prefix);
        sum += ask_prefix(state, prefix);
    }
    return (bench_sample){bench_now() - start, sum};
}

/* ---- By hand ------------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strncmp(((const sorted_name *)a)->text, ((const sorted_name *)b)->text, LETTERS);
}

static void *open_sorted(uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    prefix_state *state = open_names();
    state->sorted = bench_take(NAMES * sizeof *state->sorted);
    for (uint32_t i = 0; i < NAMES; i++) {
        memcpy(state->sorted[i].text, state->names[i].text, LETTERS);
        state->sorted[i].slot1 = i + 1;
    }
    qsort(state->sorted, NAMES, sizeof *state->sorted, compare_names);
    return state;
}

static uint64_t sum_of_prefix(const prefix_state *state, const char *prefix)
{
    const size_t length = strlen(prefix);
    uint32_t row = 0;
    for (uint32_t end = NAMES; row < end;) {
        uint32_t middle = row + (end - row) / 2;
        if (strncmp(state->sorted[middle].text, prefix, length) < 0) {
            row = middle + 1;
        } else {
            end = middle;
        }
    }
    uint64_t sum = 0;
    for (; row < NAMES && strncmp(state->sorted[row].text, prefix, length) == 0; row++) {
        sum += state->sorted[row].slot1;
    }
    return sum;
}

static bench_sample prefixes_by_hand(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    prefix_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        char prefix[ASKED_LETTERS + 1];
        write_asked(state, prefix);
        sum += sum_of_prefix(state, prefix);
    }
    return (bench_sample){bench_now() - start, sum};
}

#define PREFIX_ROW(name, what, open)                                                               \
    {                                                                                              \
        name, what, 20000, KITH_TABLE, 1.3, {open, prefixes_by_kith, close_names},                 \
            {open_sorted, prefixes_by_hand, close_names}, BENCH_ALONE                              \
    }

const bench_workload bench_prefix[] = {
    PREFIX_ROW("index-prefix", "names of 10^6 by four letters; beside a sorted array", open_arrays),
    PREFIX_ROW("index-prefix-interned", "the same of interned names", open_interned),
};
const uint32_t bench_prefix_count = sizeof bench_prefix / sizeof bench_prefix[0];
