/* Looks ahead: tries some ways to go in forks of the game, and takes the best one. */
#ifndef EXAMPLES_ARENA_AHEAD_H
#define EXAMPLES_ARENA_AHEAD_H

#include "arena/pilot.h"

typedef struct arena_ahead {
    uint32_t steps; /* that it looks ahead; 0: it does not */
    uint32_t way;   /* that it goes: a number in ahead.c */
    uint32_t left;  /* steps until it looks again */
} arena_ahead;

/* What the pilot would do, but going the way that turns out best. The game does not notice. */
Input ahead_think(arena_ahead *ahead, arena_pilot *pilot);

#endif
