/* Queries that skip blocks by a filter, beside the same queries in a world without one, which scan. A
 * million entities have a number each, no two the same, in no order; and when they came, in order. */
#include <stdlib.h>

#include "bench.h"

KITH_COMPONENT(Serial, (uint32_t, number), (uint32_t, came));

/* Runs of the query in one measured run. */
enum { PASSES = 20 };

typedef struct filtered_state {
    kith_world *world;
    kith_query *query; /* from "least" to "most" */
    kith_entity *entities;
} filtered_state;

static uint32_t number_of(uint32_t i)
{
    return i * 2654435761u;
}

static filtered_state *open_serials(uint32_t n, kith_layout layout, bool filter)
{
    filtered_state *state = bench_take(sizeof *state);
    *state = (filtered_state){.world = bench_world(layout),
                              .entities = bench_take(n * sizeof *state->entities)};
    for (uint32_t i = 0; i < n; i++) {
        state->entities[i] = KITH_SPAWN(state->world, KITH_VALUE(Serial, {number_of(i), i}));
    }
    const kith_index_def def = {.kind = KITH_INDEX_FILTER, KITH_FIELDS(Serial, number, came)};
    kith_index *index;
    if (filter && kith_index_new(state->world, &def, &index) != KITH_OK) {
        bench_fail("the filter was not made");
    }
    return state;
}

static void *ask_number(filtered_state *state)
{
    state->query = KITH_QUERY(state->world, KITH_READ(Serial),
                              KITH_IF(Serial, number, ==, kith_bound("least")));
    return state;
}

static void *ask_numbers(filtered_state *state)
{
    state->query = KITH_QUERY(state->world, KITH_READ(Serial),
                              KITH_IF(Serial, number, >=, kith_bound("least")),
                              KITH_IF(Serial, number, <=, kith_bound("most")));
    return state;
}

static void *ask_times(filtered_state *state)
{
    state->query =
        KITH_QUERY(state->world, KITH_READ(Serial), KITH_IF(Serial, came, >=, kith_bound("least")),
                   KITH_IF(Serial, came, <=, kith_bound("most")));
    return state;
}

#define FILTERED_OPEN(name, ask)                                                                   \
    static void *open_##name##_scan(uint32_t n, kith_layout layout)                                \
    {                                                                                              \
        return ask(open_serials(n, layout, false));                                                \
    }                                                                                              \
    static void *open_##name(uint32_t n, kith_layout layout)                                       \
    {                                                                                              \
        return ask(open_serials(n, layout, true));                                                 \
    }
FILTERED_OPEN(number, ask_number)
FILTERED_OPEN(numbers, ask_numbers)
FILTERED_OPEN(times, ask_times)

static void close_serials(void *opened)
{
    filtered_state *state = opened;
    kith_world_free(state->world);
    free(state->entities);
    free(state);
}

/* Writes the entities that came from `first` on, through pointers to each. */
static void write_serials(const filtered_state *state, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        KITH_GET_MUT(state->world, state->entities[i], Serial)->number ^= 1;
    }
}

static uint64_t visit(const filtered_state *state)
{
    uint64_t sum = 0;
    for (kith_iter it = kith_query_iter(state->query); kith_next_rows(&it);) {
        const Serial *const *serial = KITH_POINTERS(&it, Serial);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += serial[i]->number;
        }
    }
    return sum;
}

/* Asks for the numbers or times from so many on; each time others, and writes some before. */
static bench_sample filtered_run(const filtered_state *state, uint32_t n, uint32_t width,
                                 uint32_t written)
{
    bool times = width < n;
    double ns = 0;
    uint64_t sum = 0;
    for (uint32_t pass = 0; pass <= PASSES; pass++) {
        uint32_t place = n / (PASSES + 1) * pass;
        uint32_t least = times ? place : number_of(place);
        kith_query_bind(state->query, "least", least);
        kith_query_bind(state->query, "most",
                        least > UINT32_MAX - width ? UINT32_MAX : least + width);
        if (written != 0) {
            write_serials(state, written == n ? 0 : place, written);
        }
        double start = bench_now();
        sum += visit(state);
        double taken = bench_now() - start;
        ns += pass == 0 ? 0 : taken; /* the first one may fill the filter */
    }
    return (bench_sample){ns / PASSES, sum};
}

#define FILTERED_SIDE(name, width, written)                                                        \
    static bench_sample name(void *opened, uint32_t n, kith_layout layout)                         \
    {                                                                                              \
        (void)layout;                                                                              \
        return filtered_run(opened, n, (width), (written));                                        \
    }
FILTERED_SIDE(filtered_number, UINT32_MAX, 0)
FILTERED_SIDE(filtered_numbers, UINT32_MAX / 100, 0)
FILTERED_SIDE(filtered_times, n / 1000, 0)
FILTERED_SIDE(filtered_some_written, UINT32_MAX, n / 100)
FILTERED_SIDE(filtered_all_written, UINT32_MAX, n)

#define FILTERED_ROW(name, what, target, asked, run)                                               \
    {                                                                                              \
        name, what, 1000000, KITH_TABLE, target, {open_##asked, run, close_serials},               \
            {open_##asked##_scan, run, close_serials}, BENCH_ALONE                                 \
    }

const bench_workload bench_filtered[] = {
    FILTERED_ROW("filter-rare", "visit the one with a number, with a filter; beside a scan", 0.05,
                 number, filtered_number),
    FILTERED_ROW("filter-times", "visit 0.1% that came together, by a filter; beside a scan",
                 0.05, times, filtered_times),
    FILTERED_ROW("filter-useless", "visit 1% that is everywhere, with a filter; beside a scan", 1.2,
                 numbers, filtered_numbers),
    FILTERED_ROW("filter-some-written",
                 "a rare number, 1% written, by a filter; beside a scan", 0.5, number,
                 filtered_some_written),
    FILTERED_ROW("filter-all-written",
                 "a rare number, all written, by a filter; beside a scan", 1.2, number,
                 filtered_all_written),
};
const uint32_t bench_filtered_count = sizeof bench_filtered / sizeof bench_filtered[0];
