/* Writing through a value that was looked up for reading. */
#include "types.h"

void halt(kith_world *world, kith_entity entity);
void halt(kith_world *world, kith_entity entity)
{
#if WRONG == 1
    KITH_GET(world, entity, Velocity)->dx = 0;
#else
    KITH_GET_MUT(world, entity, Velocity)->dx = 0;
#endif
}
