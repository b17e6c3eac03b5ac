/* Going back, tried out: a world goes back some ticks after each tick, and plays them again. It has to
 * come to the same each time. */
#ifndef EXAMPLES_ROLLBACK_H
#define EXAMPLES_ROLLBACK_H

#include <kith/kith.h>

typedef struct rollback_def {
    kith_world *world;
    uint32_t ticks;    /* that it goes back; 0: it does not */
    uint32_t workers;  /* that the world has; ticks are played again with 0 to 3 of them */
    size_t input_size; /* bytes of what a tick depends on besides the world; up to 64 */
    void (*play)(const void *input, void *context); /* one tick */
    void *context;
} rollback_def;

typedef struct rollback rollback;

/* Ends the program if memory runs out. */
rollback *rollback_new(const rollback_def *def);

/* Before its world is freed. */
void rollback_free(rollback *back);

/* Plays a tick. Then goes back, and plays the last ticks again. If that comes to another hash, it says
 * in which tick, and ends the program with status 1. */
void rollback_play(rollback *back, const void *input);

#endif
