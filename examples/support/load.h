/* Scenes from files. */
#ifndef EXAMPLES_LOAD_H
#define EXAMPLES_LOAD_H

#include <kith/kith.h>
#include <kith/scene.h>

/* Says what is wrong with a scene on stderr, as compilers do (`FILE:LINE:COLUMN: what was expected`),
 * and ends the program with status 1. */
_Noreturn void refuse_scene(const kith_scene_error *error);

/* Loads a scene file that has at least one entity. If it cannot be read or has a mistake, that is
 * refused. */
void load_scene(kith_world *world, const char *path);

#endif
