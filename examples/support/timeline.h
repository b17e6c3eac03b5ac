/* A game that can go back: tick by tick, as far as it is kept.
 *
 * A snapshot is kept of one tick in thirty, and the input of every tick. What is between two snapshots
 * is played again when it is needed, so that a minute of a large world fits into memory. */
#ifndef EXAMPLES_TIMELINE_H
#define EXAMPLES_TIMELINE_H

#include <kith/kith.h>

typedef struct timeline_def {
    kith_world *world;
    uint32_t ticks;    /* that it can go back; 0: none, and nothing is kept */
    size_t input_size; /* bytes of what a tick depends on besides the world; up to 64 */
    void *own;       /* what else goes back: numbers of the program's, such as readers of events */
    size_t own_size; /* up to 64 bytes */
    void (*play)(const void *input, void *context); /* one tick. It leaves `own` alone */
    void *context;
} timeline_def;

typedef struct timeline timeline;

/* Ends the program if memory runs out. */
timeline *timeline_new(const timeline_def *def);

/* Before its world is freed. NULL is fine. */
void timeline_free(timeline *line);

/* Plays a tick. */
void timeline_play(timeline *line, const void *input);

/* Goes back to what was before the last tick; false if there is nothing left to go back to. The ticks
 * that it went back are forgotten when another one is played. */
bool timeline_back(timeline *line);

/* How many ticks it can go back now. */
uint32_t timeline_length(const timeline *line);

#endif
