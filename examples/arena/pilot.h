/* Who steers: the keys, the game itself, or a recording. All write the same Input. */
#ifndef EXAMPLES_ARENA_PILOT_H
#define EXAMPLES_ARENA_PILOT_H

#include <kith/terminal.h>

#include "arena/world.h"

/* Looks at a world for whoever steers. */
typedef struct arena_pilot {
    const arena_world *arena;
    kith_query *players;
    kith_query *enemies;
    kith_query *turrets;
    kith_query *gifts;
    uint32_t pressed; /* INPUT_ bits of keys that were pressed since the last step */
    bool clicked;     /* and the mouse button */
    uint32_t over;    /* steps since the game was over */
    uint32_t step;
} arena_pilot;

void pilot_open(arena_pilot *pilot, const arena_world *arena);

/* What the keys and the mouse say. A key that was let go of before the step counts once, so that none
 * is lost where steps are far apart. */
Input pilot_read_keys(arena_pilot *pilot, const kith_terminal *term, const kith_camera *camera,
                      const kith_input_event *mouse);

/* What the game would do. */
Input pilot_think(arena_pilot *pilot);

#endif
