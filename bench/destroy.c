/* Ending entities with two components, one at a time, and many in one call. */
#include <stdlib.h>

#include "hand.h"

typedef struct destroy_state {
    kith_world *world;
    hand_world *hand;
    kith_entity *handles;
} destroy_state;

/* The handles in the order in which they are ended. */
static destroy_state *destroy_open(uint32_t n, bool shuffled)
{
    destroy_state *state = bench_take(sizeof *state);
    *state = (destroy_state){.handles = bench_take(n * sizeof(kith_entity))};
    uint32_t *order = shuffled ? bench_shuffled(n) : NULL;
    for (uint32_t i = 0; i < n; i++) {
        /* As all sides hand them out. */
        state->handles[i] = (kith_entity){(shuffled ? order[i] : i) + 1, 0};
    }
    free(order);
    return state;
}

static void *open_world(uint32_t n, kith_layout layout)
{
    destroy_state *state = destroy_open(n, false);
    state->world = bench_filled_world(layout, n, NULL);
    return state;
}

static void *open_world_shuffled(uint32_t n, kith_layout layout)
{
    destroy_state *state = destroy_open(n, true);
    state->world = bench_filled_world(layout, n, NULL);
    return state;
}

static void *open_hand(uint32_t n, kith_layout layout)
{
    (void)layout;
    destroy_state *state = destroy_open(n, false);
    state->hand = hand_new(n);
    return state;
}

static void *open_hand_shuffled(uint32_t n, kith_layout layout)
{
    (void)layout;
    destroy_state *state = destroy_open(n, true);
    state->hand = hand_new(n);
    return state;
}

static void close_all(void *opened)
{
    destroy_state *state = opened;
    kith_world_free(state->world);
    hand_free(state->hand);
    free(state->handles);
    free(state);
}

static bench_sample by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const destroy_state *state = opened;
    uint32_t ended = 0;
    bench_frame frame = bench_frame_new(state->world, &Position_type);
    double start = bench_frame_start(&frame);
    for (uint32_t i = 0; i < n; i++) {
        ended += kith_despawn(state->world, state->handles[i]) == KITH_OK;
    }
    double ns = bench_now() - start;
    return (bench_sample){ns, ended + kith_entity_count(state->world)};
}

static bench_sample many_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const destroy_state *state = opened;
    uint32_t ended = 0;
    double start = bench_now();
    kith_despawn_many(state->world, state->handles, n, &ended);
    double ns = bench_now() - start;
    return (bench_sample){ns, ended + kith_entity_count(state->world)};
}

static bool hand_despawn(hand_world *hand, kith_entity e)
{
    if (!hand_alive(hand, e)) {
        return false;
    }
    uint32_t slot = e.index1 - 1;
    uint32_t row = hand->rows[slot];
    uint32_t last = --hand->count;
    hand->positions[row] = hand->positions[last];
    hand->velocities[row] = hand->velocities[last];
    hand->owners[row] = hand->owners[last];
    hand->rows[hand->owners[row]] = row;
    hand->generations[slot]++;
    hand->rows[slot] = hand->free_slot;
    hand->free_slot = slot;
    return true;
}

static bench_sample by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const destroy_state *state = opened;
    uint32_t ended = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        ended += hand_despawn(state->hand, state->handles[i]);
    }
    double ns = bench_now() - start;
    return (bench_sample){ns, ended + state->hand->count};
}

#define IN_ORDER                                                                                   \
    {open_world, by_kith, close_all},                                                              \
    {                                                                                              \
        open_hand, by_arrays, close_all                                                            \
    }
#define MANY                                                                                       \
    {open_world, many_by_kith, close_all},                                                         \
    {                                                                                              \
        open_hand, by_arrays, close_all                                                            \
    }
#define SHUFFLED                                                                                   \
    {open_world_shuffled, by_kith, close_all},                                                     \
    {                                                                                              \
        open_hand_shuffled, by_arrays, close_all                                                   \
    }

const bench_workload bench_destroy[] = {
    {"destroy", "entities with two components, in order of creation", 100000, KITH_TABLE, 1.9,
     IN_ORDER, BENCH_ALONE},
    {"destroy", "", 100000, KITH_SPARSE, 0, IN_ORDER, BENCH_ALONE},
    {"destroy", "", 100000, KITH_SLOT, 0, IN_ORDER, BENCH_ALONE},
    {"destroy-any", "the same in random order", 100000, KITH_TABLE, 2.5, SHUFFLED, BENCH_ALONE},
    {"destroy-any", "", 100000, KITH_SPARSE, 0, SHUFFLED, BENCH_ALONE},
    {"destroy-any", "", 100000, KITH_SLOT, 0, SHUFFLED, BENCH_ALONE},
    BENCH_LAYOUTS_IN_SETTINGS("destroy", open_world, by_kith, close_all),
    BENCH_LAYOUTS_IN_SETTINGS("destroy-any", open_world_shuffled, by_kith, close_all),
    {"destroy-many", "destroy in one call", 100000, KITH_TABLE, 0, MANY, BENCH_ALONE},
    {"destroy-many", "", 100000, KITH_SPARSE, 0, MANY, BENCH_ALONE},
    {"destroy-many", "", 100000, KITH_SLOT, 0, MANY, BENCH_ALONE},
};
const uint32_t bench_destroy_count = sizeof bench_destroy / sizeof bench_destroy[0];
