/* How the examples treat what should not happen to them: they say it and end with status 1. */
#ifndef EXAMPLES_MUST_H
#define EXAMPLES_MUST_H

#include <kith/kith.h>

/* Goes on if `result` is KITH_OK. */
void must(const kith_world *world, kith_result result);

/* Returns the entity that was just made; ends the program if memory ran out instead. */
kith_entity must_spawn(kith_entity entity);

#endif
