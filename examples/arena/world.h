/* A game of the arena: its world, and what is in it. */
#ifndef EXAMPLES_ARENA_WORLD_H
#define EXAMPLES_ARENA_WORLD_H

#include "arena/systems.h"

/* Steps in a second. Thirty leave time enough for a hundred thousand moths; what is drawn in between
 * is interpolated. */
enum { STEPS_PER_SECOND = 30 };

typedef struct arena_def {
    const char *level; /* the path of a scene file */
    uint64_t seed;
    uint32_t wave; /* the first one; 0: 1 */
    uint32_t workers;
} arena_def;

/* Begins a game. If that cannot be, it says why and ends the program with status 1: a mistake in the
 * level as `FILE:LINE:COLUMN: what was expected`. `arena` stays where it is until it is closed. */
void arena_open(arena_world *arena, const arena_def *def);
void arena_close(arena_world *arena);

/* A copy of the game as it was in a snapshot, which goes on by itself; to be ended before the game is
 * closed, or starts anew. */
void arena_fork(arena_world *fork, const arena_world *arena, const kith_snapshot *now);
void arena_end_fork(arena_world *fork);

/* One step, with what the player does in it. */
void arena_step(const arena_world *arena, const Input *input);

#endif
