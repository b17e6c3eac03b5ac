/* Levels: from a scene to a world that can be played. */
#ifndef EXAMPLES_ARENA_LEVEL_H
#define EXAMPLES_ARENA_LEVEL_H

#include "arena/systems.h"

enum { LEVEL_PROBLEM = 160 };

/* Fills the empty world with what is there at the start of a game.
 * KITH_ERR_INPUT   the level lacks something: `problem` tells what; and other results of the calls
 *                  that it makes */
kith_result level_begin(arena_world *arena, char problem[LEVEL_PROBLEM]);

#endif
