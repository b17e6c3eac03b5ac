/* Entities as one would write them by hand: a handle finds a slot, the slot a row of dense arrays. */
#ifndef BENCH_HAND_H
#define BENCH_HAND_H

#include "bench.h"

typedef struct hand_world {
    uint32_t capacity;
    uint32_t count; /* rows */
    uint32_t slots;
    uint32_t free_slot; /* UINT32_MAX: none; the next one stands in `rows` */
    uint32_t *generations;
    uint32_t *rows;   /* by slot */
    uint32_t *owners; /* slots by row */
    Position *positions;
    Velocity *velocities;
    /* Extra as a sparse set of its own, and a tag as bits. */
    uint32_t *extra_rows; /* by slot, plus one; 0: absent */
    uint32_t *extra_owners;
    Extra *extras;
    uint32_t extra_count;
    uint64_t *marks;
} hand_world;

/* n entities with Position and Velocity, with the handles that bench_filled_world gives them. */
hand_world *hand_new(uint32_t n);

/* NULL is fine. */
void hand_free(hand_world *hand);

static inline bool hand_alive(const hand_world *hand, kith_entity e)
{
    return e.index1 - 1 < hand->slots && hand->generations[e.index1 - 1] == e.generation;
}

#endif
