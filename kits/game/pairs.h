/* The pairs of bodies that collide. */
#ifndef KI_GAME_PAIRS_H
#define KI_GAME_PAIRS_H

#include "game/cells.h"
#include "game/game_memory.h"

/* Pairs of numbers of bodies as keys: ordered by the lower number, then by the higher one. */
typedef struct ki_game_pairs {
    ki_game_keys keys;
    uint32_t shift;
} ki_game_pairs;

static inline uint32_t ki_game_pair_a(const ki_game_pairs *pairs, size_t index)
{
    return (uint32_t)(pairs->keys.keys[index] >> pairs->shift);
}

static inline uint32_t ki_game_pair_b(const ki_game_pairs *pairs, size_t index)
{
    return (uint32_t)(pairs->keys.keys[index] & ((UINT64_C(1) << pairs->shift) - 1));
}

/* Finds all, each once, in order. KITH_ERR_MEMORY */
kith_result ki_game_pairs_find(ki_game_pairs *pairs, const ki_game_cells *cells);

void ki_game_pairs_free(ki_game_pairs *pairs, const ki_game_bodies *bodies);

/* When two bodies began to overlap: kith_collision's `time`. Negative: they did not. */
float ki_game_sweep(const ki_game_bodies *bodies, uint32_t a, uint32_t b);

#endif
