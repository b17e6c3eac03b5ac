#include "hand.h"

#include <stdlib.h>
#include <string.h>

static void *hand_zeroed(size_t size)
{
    void *memory = bench_take(size);
    memset(memory, 0, size);
    return memory;
}

hand_world *hand_new(uint32_t n)
{
    hand_world *hand = hand_zeroed(sizeof *hand);
    hand->capacity = n;
    hand->free_slot = UINT32_MAX;
    hand->generations = hand_zeroed(n * sizeof *hand->generations);
    hand->rows = hand_zeroed(n * sizeof *hand->rows);
    hand->owners = hand_zeroed(n * sizeof *hand->owners);
    hand->positions = hand_zeroed(n * sizeof *hand->positions);
    hand->velocities = hand_zeroed(n * sizeof *hand->velocities);
    hand->extra_rows = hand_zeroed(n * sizeof *hand->extra_rows);
    hand->extra_owners = hand_zeroed(n * sizeof *hand->extra_owners);
    hand->extras = hand_zeroed(n * sizeof *hand->extras);
    hand->marks = hand_zeroed((n / 64 + 1) * sizeof *hand->marks);
    for (uint32_t i = 0; i < n; i++) {
        hand->rows[i] = i;
        hand->owners[i] = i;
        hand->positions[i] = bench_position(i);
        hand->velocities[i] = bench_velocity(i);
    }
    hand->count = n;
    hand->slots = n;
    return hand;
}

void hand_free(hand_world *hand)
{
    if (hand == NULL) {
        return;
    }
    free(hand->generations);
    free(hand->rows);
    free(hand->owners);
    free(hand->positions);
    free(hand->velocities);
    free(hand->extra_rows);
    free(hand->extra_owners);
    free(hand->extras);
    free(hand->marks);
    free(hand);
}
