/* A world that may only be read gives out nothing to write. */
#include "types.h"

void halt(const kith_world *seen, kith_world *world, kith_entity entity);
void halt(const kith_world *seen, kith_world *world, kith_entity entity)
{
    (void)seen;
    (void)world;
#if WRONG == 1
    KITH_GET_MUT(seen, entity, Velocity)->dx = 0;
#else
    KITH_GET_MUT(world, entity, Velocity)->dx = 0;
#endif
}
