/* How many entities have two tags, one on every other and one on every third: kith_query_count, per 64
 * entities that there are. By hand two bit sets are ANDed, or the larger sparse set is probed. */
#include <stdlib.h>

#include "bench.h"

KITH_TAG(Third);

/* Counts in one measured run. */
enum { PASSES = 20 };

typedef struct count_state {
    kith_world *world;
    kith_query *query;
    uint32_t n;
    uint64_t *bits[2];
    uint32_t *owners; /* of the smaller set, by row */
    uint32_t *rows1;  /* of the larger one, by entity */
    uint32_t count;   /* rows of the smaller set */
} count_state;

static bool has_marker(uint32_t i)
{
    return (i * 2654435761u >> 8) % 2 == 0;
}

static bool has_third(uint32_t i)
{
    return (i * 2246822519u >> 8) % 3 == 0;
}

static void *open_kith(uint32_t n, kith_layout layout)
{
    count_state *state = bench_take(sizeof *state);
    *state = (count_state){.world = bench_world(KITH_TABLE), .n = n};
    const kith_component_def def = {.layout = layout};
    kith_register(state->world, &Marker_type, &def);
    kith_register(state->world, &Third_type, &def);
    for (uint32_t i = 0; i < n; i++) {
        kith_entity e;
        kith_spawn(state->world, NULL, 0, &e);
        if (has_marker(i)) {
            KITH_ADD(state->world, e, Marker);
        }
        if (has_third(i)) {
            KITH_ADD(state->world, e, Third);
        }
    }
    state->query = KITH_QUERY(state->world, KITH_WITH(Marker), KITH_WITH(Third));
    return state;
}

static void *open_hand(uint32_t n, kith_layout layout)
{
    (void)layout;
    count_state *state = bench_take(sizeof *state);
    *state = (count_state){.n = n,
                           .bits = {calloc(n / 64 + 1, 8), calloc(n / 64 + 1, 8)},
                           .owners = calloc(n, sizeof *state->owners),
                           .rows1 = calloc(n, sizeof *state->rows1)};
    uint32_t markers = 0;
    for (uint32_t i = 0; i < n; i++) {
        state->bits[0][i / 64] |= (uint64_t)has_marker(i) << i % 64;
        state->bits[1][i / 64] |= (uint64_t)has_third(i) << i % 64;
        state->rows1[i] = has_marker(i) ? ++markers : 0;
        if (has_third(i)) {
            state->owners[state->count++] = i;
        }
    }
    return state;
}

static void close_count(void *opened)
{
    count_state *state = opened;
    kith_world_free(state->world);
    free(state->bits[0]);
    free(state->bits[1]);
    free(state->owners);
    free(state->rows1);
    free(state);
}

static uint32_t count_kith(const count_state *state)
{
    return kith_query_count(state->query);
}

static uint32_t count_bits(const count_state *state)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < state->n / 64 + 1; word++) {
        count += KITH_POPCOUNT64_(state->bits[0][word] & state->bits[1][word]);
    }
    return count;
}

static uint32_t count_probes(const count_state *state)
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < state->count; row++) {
        count += state->rows1[state->owners[row]] != 0;
    }
    return count;
}

/* `count` is volatile: calls with the same result cannot be left out. */
static bench_sample count_time(const count_state *state,
                               uint32_t (*volatile count)(const count_state *state))
{
    uint32_t counted = count(state);
    double start = bench_now();
    for (int pass = 0; pass < PASSES; pass++) {
        counted += count(state);
    }
    double ns = bench_now() - start;
    return (bench_sample){ns * 64 / PASSES, counted};
}

static bench_sample by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    return count_time(opened, count_kith);
}

static bench_sample by_hand(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    return count_time(opened, layout == KITH_SLOT ? count_bits : count_probes);
}

#define COUNT_SIDES                                                                                \
    {open_kith, by_kith, close_count},                                                             \
    {                                                                                              \
        open_hand, by_hand, close_count                                                            \
    }

const bench_workload bench_count[] = {
    {"count-slot", "count entities that have two tags; per 64 of all", 65536, KITH_SLOT, 3,
     COUNT_SIDES, BENCH_ALONE},
    {"count-sparse", "", 65536, KITH_SPARSE, 2, COUNT_SIDES, BENCH_ALONE},
};
const uint32_t bench_count_count = sizeof bench_count / sizeof bench_count[0];
