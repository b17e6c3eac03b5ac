/* Turrets that each read a value of the ship that they target, or are counted by it: by a term of the
 * query about the target, and by hand through handles into arrays with a generation check. Ten turrets a
 * ship, in no order. */
#include <stdlib.h>

#include "bench.h"

KITH_RELATION(Targets, KITH_CLEAR);
KITH_COMPONENT(Hull, (uint32_t, strength), (uint32_t, armour));

/* `PASSES` loops are measured together, after one. */
enum { TURRETS_PER_SHIP = 10, PASSES = 5, LIMIT = 1000 };

typedef struct join_state {
    kith_world *world;
    kith_query *query;
    kith_query *weak; /* whose ships have less than LIMIT */
    kith_entity *targets;
    uint32_t *generations;
    bool *present;
    Hull *hulls;
    uint32_t ships, turrets;
} join_state;

/* The number of each turret's ship. */
static uint32_t *ships_of_turrets(uint32_t n)
{
    uint32_t *ships = bench_shuffled(n);
    for (uint32_t i = 0; i < n; i++) {
        ships[i] %= n / TURRETS_PER_SHIP;
    }
    return ships;
}

static void *open_kith(uint32_t n, kith_layout layout)
{
    join_state *state = bench_take(sizeof *state);
    uint32_t ships = n / TURRETS_PER_SHIP;
    kith_entity *handles = bench_take(ships * sizeof *handles);
    *state = (join_state){.world = bench_world(layout)};
    uint32_t *of_turrets = ships_of_turrets(n);
    kith_register(state->world, &Targets_type, &(kith_component_def){.layout = layout});
    kith_register(state->world, &Hull_type, &(kith_component_def){.layout = layout});
    for (uint32_t i = 0; i < ships; i++) {
        handles[i] = KITH_SPAWN(state->world, KITH_VALUE(Hull, {i, 0}));
    }
    for (uint32_t i = 0; i < n; i++) {
        KITH_SPAWN(state->world, KITH_VALUE(Targets, {handles[of_turrets[i]]}));
    }
    state->query = KITH_QUERY(state->world, KITH_VIA(Targets, KITH_READ(Hull)));
    state->weak = KITH_QUERY(state->world, KITH_VIA(Targets, KITH_IF(Hull, strength, <, LIMIT)));
    if (state->query == NULL || state->weak == NULL) {
        bench_fail("no memory for a query");
    }
    free(of_turrets);
    free(handles);
    return state;
}

static void *open_hand(uint32_t n, kith_layout layout)
{
    (void)layout;
    join_state *state = bench_take(sizeof *state);
    uint32_t ships = n / TURRETS_PER_SHIP;
    *state = (join_state){.targets = bench_take(n * sizeof *state->targets),
                          .generations = calloc(ships, sizeof *state->generations),
                          .present = bench_take(ships * sizeof *state->present),
                          .hulls = bench_take(ships * sizeof *state->hulls),
                          .ships = ships,
                          .turrets = n};
    uint32_t *of_turrets = ships_of_turrets(n);
    for (uint32_t i = 0; i < n; i++) {
        state->targets[i] = (kith_entity){of_turrets[i] + 1, 0};
    }
    for (uint32_t i = 0; i < ships; i++) {
        state->present[i] = true;
        state->hulls[i] = (Hull){i, 0};
    }
    free(of_turrets);
    return state;
}

static void close_join(void *opened)
{
    join_state *state = opened;
    kith_world_free(state->world);
    free(state->targets);
    free(state->generations);
    free(state->present);
    free(state->hulls);
    free(state);
}

static uint64_t join_by_arrays(const join_state *state)
{
    uint64_t sum = 0;
    for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
        const Hull *const *hull = KITH_TERM_POINTERS(&it, 0, Hull);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += hull[i]->strength;
        }
    }
    return sum;
}

static uint64_t join_by_rows(const join_state *state)
{
    uint64_t sum = 0;
    for (kith_iter it = kith_query_iter(state->query); kith_next_rows(&it);) {
        const Hull *const *hull = KITH_TERM_POINTERS(&it, 0, Hull);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += hull[i]->strength;
        }
    }
    return sum;
}

static uint64_t join_by_hand(const join_state *state)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < state->turrets; i++) {
        uint32_t index = state->targets[i].index1 - 1;
        if (index < state->ships && state->generations[index] == state->targets[i].generation &&
            state->present[index]) {
            sum += state->hulls[index].strength;
        }
    }
    return sum;
}

static uint64_t count_by_kith(const join_state *state)
{
    return kith_query_count(state->weak);
}

static uint64_t count_by_hand(const join_state *state)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < state->turrets; i++) {
        uint32_t index = state->targets[i].index1 - 1;
        if (index < state->ships && state->generations[index] == state->targets[i].generation &&
            state->present[index]) {
            count += state->hulls[index].strength < LIMIT;
        }
    }
    return count;
}

/* `join` is volatile: calls with the same result cannot be left out. */
static bench_sample join_time(const join_state *state,
                              uint64_t (*volatile join)(const join_state *state))
{
    uint64_t sum = join(state);
    double start = bench_now();
    for (int pass = 0; pass < PASSES; pass++) {
        sum += join(state);
    }
    double ns = bench_now() - start;
    return (bench_sample){ns / PASSES, sum};
}

#define JOIN_SIDE(name, join)                                                                      \
    static bench_sample name(void *opened, uint32_t n, kith_layout layout)                         \
    {                                                                                              \
        (void)n;                                                                                   \
        (void)layout;                                                                              \
        return join_time(opened, join);                                                            \
    }
JOIN_SIDE(joined_by_arrays, join_by_arrays)
JOIN_SIDE(joined_by_rows, join_by_rows)
JOIN_SIDE(joined_by_hand, join_by_hand)
JOIN_SIDE(counted_by_kith, count_by_kith)
JOIN_SIDE(counted_by_hand, count_by_hand)

#define JOIN_SIDES(run, by_hand)                                                                   \
    {open_kith, run, close_join},                                                                  \
    {                                                                                              \
        open_hand, by_hand, close_join                                                             \
    }

const bench_workload bench_join[] = {
    {"join", "turrets read their ships, by arrays", 100000, KITH_TABLE, 2.0,
     JOIN_SIDES(joined_by_arrays, joined_by_hand), BENCH_ALONE},
    {"join", "", 100000, KITH_SPARSE, 0, JOIN_SIDES(joined_by_arrays, joined_by_hand), BENCH_ALONE},
    {"join", "", 100000, KITH_SLOT, 0, JOIN_SIDES(joined_by_arrays, joined_by_hand), BENCH_ALONE},
    {"join-rows", "the same by rows", 100000, KITH_TABLE, 0,
     JOIN_SIDES(joined_by_rows, joined_by_hand), BENCH_ALONE},
    {"join-count", "count those of weak ships", 100000, KITH_TABLE, 0,
     JOIN_SIDES(counted_by_kith, counted_by_hand), BENCH_ALONE},
};
const uint32_t bench_join_count = sizeof bench_join / sizeof bench_join[0];
