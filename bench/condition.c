/* A condition on values, without an index: counting the entities whose float is greater than a limit,
 * and visiting them. By hand the floats are in one array, and compilers vectorise the loops. And a
 * condition on what a function computes from the float, which is called for each by hand, too. */
#include <stdlib.h>

#include "bench.h"

KITH_COMPONENT(Heat, (float, degrees));
KITH_COMPONENT(Kelvin, (float, degrees)); /* computed */

/* Runs of the query in one measured run. */
enum { PASSES = 5 };

/* One in a hundred is hotter than that, here and there. */
#define LIMIT 989.5f

typedef struct condition_state {
    kith_world *world;
    kith_query *query;
    kith_query *by_key;
    float *degrees;
    uint32_t n;
} condition_state;

static float degrees_of(uint32_t i)
{
    return (float)((i * 2654435761u >> 8) % 1000);
}

static bool kelvin_of(const void *value, void *key, void *user)
{
    (void)user;
    ((Kelvin *)key)->degrees = ((const Heat *)value)->degrees + 273;
    return true;
}

static void *open_kith(uint32_t n, kith_layout layout)
{
    condition_state *state = bench_take(sizeof *state);
    *state = (condition_state){.world = bench_world(KITH_TABLE), .n = n};
    const kith_component_def def = {.layout = layout};
    kith_register(state->world, &Heat_type, &def);
    for (uint32_t i = 0; i < n; i++) {
        KITH_SPAWN(state->world, KITH_VALUE(Heat, {degrees_of(i)}));
    }
    state->query = KITH_QUERY(state->world, KITH_READ(Heat), KITH_IF(Heat, degrees, >, LIMIT));
    state->by_key = KITH_QUERY(state->world, KITH_IF_KEY(Heat, kelvin_of, NULL,
                                                         KITH_IF(Kelvin, degrees, >, LIMIT + 273)));
    return state;
}

static void *open_hand(uint32_t n, kith_layout layout)
{
    (void)layout;
    condition_state *state = bench_take(sizeof *state);
    *state = (condition_state){.degrees = calloc(n, sizeof *state->degrees), .n = n};
    for (uint32_t i = 0; i < n; i++) {
        state->degrees[i] = degrees_of(i);
    }
    return state;
}

static void close_condition(void *opened)
{
    condition_state *state = opened;
    kith_world_free(state->world);
    free(state->degrees);
    free(state);
}

static uint32_t count_kith(const condition_state *state)
{
    return kith_query_count(state->query);
}

static uint32_t count_hand(const condition_state *state)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->n; i++) {
        count += state->degrees[i] > LIMIT;
    }
    return count;
}

static uint32_t count_key_kith(const condition_state *state)
{
    return kith_query_count(state->by_key);
}

static uint32_t count_key_hand(const condition_state *state)
{
    const volatile kith_index_key_fn call = kelvin_of;
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->n; i++) {
        Kelvin kelvin = {0};
        count += call(&state->degrees[i], &kelvin, NULL) && kelvin.degrees > LIMIT + 273;
    }
    return count;
}

static uint32_t visit_kith(const condition_state *state)
{
    uint32_t sum = 0;
    for (kith_iter it = kith_query_iter(state->query); kith_next_rows(&it);) {
        const Heat *const *heat = KITH_POINTERS(&it, Heat);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += (uint32_t)(int32_t)heat[i]->degrees;
        }
    }
    return sum;
}

static uint32_t visit_hand(const condition_state *state)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < state->n; i++) {
        sum += state->degrees[i] > LIMIT ? (uint32_t)(int32_t)state->degrees[i] : 0;
    }
    return sum;
}

/* `ask` is volatile: calls with the same result cannot be left out. */
static bench_sample condition_time(const condition_state *state,
                                   uint32_t (*volatile ask)(const condition_state *state))
{
    uint32_t asked = ask(state);
    double start = bench_now();
    for (int pass = 0; pass < PASSES; pass++) {
        asked += ask(state);
    }
    double ns = bench_now() - start;
    return (bench_sample){ns / PASSES, asked};
}

#define CONDITION_SIDE(name, ask)                                                                  \
    static bench_sample name(void *opened, uint32_t n, kith_layout layout)                         \
    {                                                                                              \
        (void)n;                                                                                   \
        (void)layout;                                                                              \
        return condition_time(opened, ask);                                                        \
    }
CONDITION_SIDE(counted_by_kith, count_kith)
CONDITION_SIDE(counted_by_hand, count_hand)
CONDITION_SIDE(key_counted_by_kith, count_key_kith)
CONDITION_SIDE(key_counted_by_hand, count_key_hand)
CONDITION_SIDE(visited_by_kith, visit_kith)
CONDITION_SIDE(visited_by_hand, visit_hand)

const bench_workload bench_condition[] = {
    {"condition-count",
     "count entities whose float is over a limit; per entity",
     1000000,
     KITH_TABLE,
     1.5,
     {open_kith, counted_by_kith, close_condition},
     {open_hand, counted_by_hand, close_condition},
     BENCH_ALONE},
    {"condition-visit",
     "visit the 1% that are over it; per entity of all",
     1000000,
     KITH_TABLE,
     1.5,
     {open_kith, visited_by_kith, close_condition},
     {open_hand, visited_by_hand, close_condition},
     BENCH_ALONE},
    {"condition-key",
     "count entities by what a function computes; per entity",
     100000,
     KITH_TABLE,
     0,
     {open_kith, key_counted_by_kith, close_condition},
     {open_hand, key_counted_by_hand, close_condition},
     BENCH_ALONE},
};
const uint32_t bench_condition_count = sizeof bench_condition / sizeof bench_condition[0];
