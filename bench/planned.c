/* Queries that find an index by themselves, beside the same queries in a world without one, which scan.
 * A million entities have a number each, from 0 to 9,999, in no order: an equality finds 100 of them. */
#include <kith/floats.h>

#include <stdlib.h>

#include "bench.h"

KITH_COMPONENT(Price, (uint32_t, gold));

/* Runs of the query in one measured run. */
enum { PASSES = 10, PRICES = 10000, RIVALS = 5000 };

typedef struct planned_state {
    kith_world *world;
    kith_query *query;
    kith_query *writer;
} planned_state;

static uint32_t price_of(uint32_t i)
{
    return (i * 2654435761u >> 8) % PRICES;
}

static planned_state *open_prices(uint32_t n, kith_layout layout)
{
    planned_state *state = bench_take(sizeof *state);
    *state = (planned_state){.world = bench_world(layout)};
    for (uint32_t i = 0; i < n; i++) {
        KITH_SPAWN(state->world, KITH_VALUE(Price, {price_of(i)}));
    }
    state->query =
        KITH_QUERY(state->world, KITH_READ(Price), KITH_IF(Price, gold, >=, kith_bound("least")),
                   KITH_IF(Price, gold, <, kith_bound("limit")));
    state->writer = KITH_QUERY(state->world, KITH_WRITE(Price));
    return state;
}

static void *open_scan(uint32_t n, kith_layout layout)
{
    return open_prices(n, layout);
}

static void *open_kind(uint32_t n, kith_layout layout, kith_index_kind kind)
{
    planned_state *state = open_prices(n, layout);
    const kith_index_def def = {.kind = kind, KITH_FIELDS(Price, gold)};
    kith_index *index;
    if (kith_index_new(state->world, &def, &index) != KITH_OK) {
        bench_fail("the index was not made");
    }
    return state;
}

static void *open_ordered(uint32_t n, kith_layout layout)
{
    return open_kind(n, layout, KITH_INDEX_ORDERED);
}

/* The same with an equality, which a hash serves. */
static void ask_equal(planned_state *state)
{
    kith_query_free(state->query);
    state->query =
        KITH_QUERY(state->world, KITH_READ(Price), KITH_IF(Price, gold, ==, kith_bound("least")));
}

static void *open_equal_scan(uint32_t n, kith_layout layout)
{
    planned_state *state = open_prices(n, layout);
    ask_equal(state);
    return state;
}

static void *open_hash(uint32_t n, kith_layout layout)
{
    planned_state *state = open_kind(n, layout, KITH_INDEX_HASH);
    ask_equal(state);
    return state;
}

/* A few of a hash's values are those of so many entities that finding them takes longer than a scan. */
static void set_rivals(planned_state *state, uint32_t n)
{
    uint32_t i = 0;
    for (kith_iter it = kith_query_iter(state->writer); kith_next(&it);) {
        Price *price = KITH_COLUMN_MUT(&it, Price);
        for (uint32_t k = 0; k < it.count; k++, i++) {
            price[k].gold = i % 2 == 0 && i < n ? RIVALS : price[k].gold;
        }
    }
}

static void *open_rivals_scan(uint32_t n, kith_layout layout)
{
    planned_state *state = open_equal_scan(n, layout);
    set_rivals(state, n);
    return state;
}

static void *open_rivals(uint32_t n, kith_layout layout)
{
    planned_state *state = open_hash(n, layout);
    set_rivals(state, n);
    return state;
}

static void close_prices(void *opened)
{
    planned_state *state = opened;
    kith_world_free(state->world);
    free(state);
}

/* Marks all as written, and writes one in a thousand. */
static void write_some(const planned_state *state)
{
    for (kith_iter it = kith_query_iter(state->writer); kith_next(&it);) {
        Price *price = KITH_COLUMN_MUT(&it, Price);
        price[0].gold = price[0].gold == 1 ? 2 : 1;
    }
}

static uint32_t planned_visit(const planned_state *state)
{
    uint32_t sum = 0;
    for (kith_iter it = kith_query_iter(state->query); kith_next_rows(&it);) {
        const Price *const *price = KITH_POINTERS(&it, Price);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += price[i]->gold;
        }
    }
    return sum;
}

static bench_sample planned_run(planned_state *state, uint32_t width, bool writes)
{
    bool equal = kith_query_bind(state->query, "limit", 0) != KITH_OK;
    double ns = 0;
    uint32_t sum = 0;
    for (uint32_t pass = 0; pass <= PASSES; pass++) {
        uint32_t least = width == RIVALS ? RIVALS : (PRICES - width) * pass / PASSES;
        kith_query_bind(state->query, "least", least);
        if (!equal) {
            kith_query_bind(state->query, "limit", least + width);
        }
        if (writes) {
            write_some(state);
        }
        double start = bench_now();
        sum += planned_visit(state);
        double taken = bench_now() - start;
        ns += pass == 0 ? 0 : taken; /* the first one may fill the index */
    }
    return (bench_sample){ns / PASSES, sum};
}

#define PLANNED_SIDE(name, width, writes)                                                          \
    static bench_sample name(void *opened, uint32_t n, kith_layout layout)                         \
    {                                                                                              \
        (void)n, (void)layout;                                                                     \
        return planned_run(opened, width, writes);                                                 \
    }
PLANNED_SIDE(planned_one, 1, false)
PLANNED_SIDE(planned_one_percent, PRICES / 100, false)
PLANNED_SIDE(planned_thousandth, PRICES / 1000, false)
PLANNED_SIDE(planned_most, PRICES / 10 * 9, false)
PLANNED_SIDE(planned_rivals, RIVALS, false)
PLANNED_SIDE(planned_written, 1, true)

#define PLANNED_ROW(name, what, open, scan, run)                                                   \
    {                                                                                              \
        name, what, 1000000, KITH_TABLE, 1.2, {open, run, close_prices},                           \
            {scan, run, close_prices}, BENCH_ALONE                                                 \
    }

const bench_workload bench_planned[] = {
    PLANNED_ROW("planned-equal", "visit 1 in 10,000, which a hash finds; beside a scan", open_hash,
                open_equal_scan, planned_one),
    PLANNED_ROW("planned-thousandth", "visit 0.1%, with an ordered index; beside a scan",
                open_ordered, open_scan, planned_thousandth),
    PLANNED_ROW("planned-range", "visit 1%, with an ordered index; beside a scan", open_ordered,
                open_scan, planned_one_percent),
    PLANNED_ROW("planned-most", "visit 90%, with an ordered index; beside a scan", open_ordered,
                open_scan, planned_most),
    PLANNED_ROW("planned-rivals", "visit half of all, of one value in a hash; beside a scan",
                open_rivals, open_rivals_scan, planned_rivals),
    PLANNED_ROW("planned-written", "1 in 10,000, all may be written, hash; beside a scan",
                open_hash, open_equal_scan, planned_written),
};
const uint32_t bench_planned_count = sizeof bench_planned / sizeof bench_planned[0];
