/* Levels: from a scene to a world that can be played. */
#ifndef EXAMPLES_ARENA_LEVEL_H
#define EXAMPLES_ARENA_LEVEL_H

#include "arena/systems.h"

/* Fills the empty world with what is there at the start of a game.
 * KITH_ERR_INPUT   it cannot be played: `*error` tells where and why, but not the file; and other
 *                  results of the calls that it makes */
kith_result level_begin(arena_world *arena, kith_scene_error *error);

#endif
