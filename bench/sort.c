/* Sorting entities by a 32-bit key, beside qsort on an array of pairs of a key and a row. */
#include <stdlib.h>

#include "bench.h"

KITH_COMPONENT(Depth, (uint32_t, key));

typedef struct sort_pair {
    uint32_t key;
    uint32_t row;
} sort_pair;

typedef struct sort_state {
    kith_world *world;
    kith_query *query;
    sort_pair *pairs;
} sort_state;

static uint32_t random_key(uint32_t i)
{
    uint32_t key = i * 2654435769u;
    return (key ^ key >> 15) * 2246822519u;
}

static void *open_world(uint32_t n, kith_layout layout)
{
    sort_state *state = bench_take(sizeof *state);
    *state = (sort_state){.world = bench_world(KITH_TABLE)};
    kith_register(state->world, &Depth_type, &(kith_component_def){.layout = layout});
    const kith_values values[] = {
        {&Position_type, NULL, false}, {&Velocity_type, NULL, false}, {&Depth_type, NULL, false}};
    if (kith_spawn_many(state->world, n, values, 3, NULL) != KITH_OK) {
        bench_fail("the entities were not made");
    }
    state->query = KITH_QUERY(state->world, KITH_WRITE(Depth));
    return state;
}

static void *open_pairs(uint32_t n, kith_layout layout)
{
    (void)layout;
    sort_state *state = bench_take(sizeof *state);
    *state = (sort_state){.pairs = bench_take(n * sizeof *state->pairs)};
    return state;
}

static void close_all(void *opened)
{
    sort_state *state = opened;
    kith_world_free(state->world);
    free(state->pairs);
    free(state);
}

static bench_sample sort_world(void *opened, bool ready)
{
    const sort_state *state = opened;
    bench_frame frame = bench_frame_new(state->world, &Depth_type);
    uint32_t row = 0;
    for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
        Depth *depths = KITH_COLUMN_MUT(&it, Depth);
        for (uint32_t i = 0; i < it.count; i++, row++) {
            depths[i].key = ready ? row : random_key(row);
        }
    }
    double start = bench_frame_start(&frame);
    kith_result result = KITH_SORT(state->world, Depth, key);
    double ns = bench_now() - start;
    uint64_t sum = result == KITH_OK ? 0 : 1;
    row = 0;
    for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
        const Depth *depths = KITH_COLUMN(&it, Depth);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += (uint64_t)depths[i].key * ++row;
        }
    }
    return (bench_sample){ns, sum};
}

static int compare_pairs(const void *a, const void *b)
{
    uint32_t left = ((const sort_pair *)a)->key;
    uint32_t right = ((const sort_pair *)b)->key;
    return (left > right) - (left < right);
}

static bench_sample sort_pairs(void *opened, uint32_t n, bool ready)
{
    const sort_state *state = opened;
    for (uint32_t i = 0; i < n; i++) {
        state->pairs[i] = (sort_pair){ready ? i : random_key(i), i};
    }
    double start = bench_now();
    qsort(state->pairs, n, sizeof *state->pairs, compare_pairs);
    double ns = bench_now() - start;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += (uint64_t)state->pairs[i].key * (i + 1);
    }
    return (bench_sample){ns, sum};
}

static bench_sample by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    return sort_world(opened, false);
}

static bench_sample by_qsort(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return sort_pairs(opened, n, false);
}

static bench_sample by_kith_sorted(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    return sort_world(opened, true);
}

static bench_sample by_qsort_sorted(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return sort_pairs(opened, n, true);
}

#define SORT(name, layout, target, what, kith, qsort)                                              \
    {                                                                                              \
        name, what, 100000, layout, target, {open_world, kith, close_all},                         \
            {open_pairs, qsort, close_all}, BENCH_ALONE                                            \
    }

#define SORT_IN(setting, suffix, what)                                                             \
    BENCH_ROW_IN(setting, "sort" suffix, what, 100000, KITH_TABLE, open_world, by_kith,            \
                 close_all),                                                                       \
        BENCH_ROW_IN(setting, "sort" suffix, "", 100000, KITH_SPARSE, open_world, by_kith,         \
                     close_all)

const bench_workload bench_sorting[] = {
    SORT("sort", KITH_TABLE, 0.5, "by a 32-bit key, with two more columns; beside qsort", by_kith,
         by_qsort),
    SORT("sort", KITH_SPARSE, 0.5, "by a 32-bit key; beside qsort", by_kith, by_qsort),
    SORT("sort-sorted", KITH_TABLE, 0.1, "what is in order already; beside qsort on such pairs",
         by_kith_sorted, by_qsort_sorted),
    SORT("sort-sorted", KITH_SPARSE, 0.1, "what is in order already; beside qsort on such pairs",
         by_kith_sorted, by_qsort_sorted),
    SORT_IN(BENCH_WATCHED, "-watched", BENCH_WHAT_WATCHED),
    SORT_IN(BENCH_INDEXED, "-indexed", BENCH_WHAT_INDEXED),
    SORT_IN(BENCH_SNAPSHOTS, "-snapshots", BENCH_WHAT_SNAPSHOTS),
};
const uint32_t bench_sorting_count = sizeof bench_sorting / sizeof bench_sorting[0];
