/* Who steers: the keys, the game itself, or a recording. All write the same Input. */
#ifndef EXAMPLES_ARENA_PILOT_H
#define EXAMPLES_ARENA_PILOT_H

#include <kith/term.h>

#include "arena/world.h"

/* Looks at a world for whoever steers. */
typedef struct pilot {
    const arena *arena;
    kith_query *players;
    kith_query *enemies;
    kith_query *gifts;
    uint32_t pressed; /* INPUT_MOTHS and INPUT_AGAIN, for the next step alone */
    uint32_t over;    /* steps since the game was over */
    uint32_t step;
} pilot;

void pilot_open(pilot *pilot, const arena *arena);

/* What the keys and the mouse say. */
Input pilot_read_keys(pilot *pilot, const kith_terminal *term, const kith_camera *camera,
                      const kith_input_event *mouse);

/* What the game would do. */
Input pilot_think(pilot *pilot);

#endif
