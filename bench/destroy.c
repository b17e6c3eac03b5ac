/* Ending entities with two components, one at a time. */
#include <stdlib.h>

#include "hand.h"

typedef struct destroy_state {
    kith_world *world;
    hand_world *hand;
    kith_entity *handles;
} destroy_state;

static destroy_state *destroy_open(uint32_t n, bool shuffled)
{
    destroy_state *state = bench_take(sizeof *state);
    *state = (destroy_state){.handles = bench_take(n * sizeof(kith_entity))};
    if (shuffled) {
        uint32_t *order = bench_shuffled(n);
        for (uint32_t i = 0; i < n; i++) {
            state->handles[i] = (kith_entity){order[i] + 1, 0}; /* as both sides hand them out */
        }
        free(order);
    }
    return state;
}

static void *open_world(uint32_t n, kith_layout layout, bool shuffled)
{
    destroy_state *state = destroy_open(n, shuffled);
    kith_entity *made = shuffled ? bench_take(n * sizeof *made) : state->handles;
    state->world = bench_filled_world(layout, n, made);
    if (shuffled) {
        free(made);
    }
    return state;
}

static void *open_hand(uint32_t n, bool shuffled)
{
    destroy_state *state = destroy_open(n, shuffled);
    kith_entity *made = shuffled ? bench_take(n * sizeof *made) : state->handles;
    state->hand = hand_new(n, made);
    if (shuffled) {
        free(made);
    }
    return state;
}

static void *open_world_in_order(uint32_t n, kith_layout layout)
{
    return open_world(n, layout, false);
}

static void *open_world_shuffled(uint32_t n, kith_layout layout)
{
    return open_world(n, layout, true);
}

static void *open_hand_in_order(uint32_t n, kith_layout layout)
{
    (void)layout;
    return open_hand(n, false);
}

static void *open_hand_shuffled(uint32_t n, kith_layout layout)
{
    (void)layout;
    return open_hand(n, true);
}

static void close_both(void *opened)
{
    destroy_state *state = opened;
    kith_world_free(state->world);
    if (state->hand != NULL) {
        hand_free(state->hand);
    }
    free(state->handles);
    free(state);
}

static bench_sample by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const destroy_state *state = opened;
    uint32_t ended = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        ended += kith_despawn(state->world, state->handles[i]) == KITH_OK;
    }
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
    {open_world_in_order, by_kith, close_both},                                                    \
    {                                                                                              \
        open_hand_in_order, by_arrays, close_both                                                  \
    }
#define SHUFFLED                                                                                   \
    {open_world_shuffled, by_kith, close_both},                                                    \
    {                                                                                              \
        open_hand_shuffled, by_arrays, close_both                                                  \
    }

const bench_workload bench_destroy[] = {
    {"destroy", "entities with two components, in order of creation", 100000, KITH_TABLE, 2.5,
     IN_ORDER},
    {"destroy", "", 100000, KITH_SPARSE, 0, IN_ORDER},
    {"destroy", "", 100000, KITH_SLOT, 0, IN_ORDER},
    {"destroy-any", "the same in random order", 100000, KITH_TABLE, 2.5, SHUFFLED},
};
const uint32_t bench_destroy_count = sizeof bench_destroy / sizeof bench_destroy[0];
