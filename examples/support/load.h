/* Scenes from files. */
#ifndef EXAMPLES_LOAD_H
#define EXAMPLES_LOAD_H

#include <kith/kith.h>

/* Loads a scene file that has at least one entity. If it cannot be read or has a mistake, says so on
 * stderr as compilers do (`FILE:LINE:COLUMN: what was expected`) and ends the program with status 1. */
void load_scene(kith_world *world, const char *path);

#endif
