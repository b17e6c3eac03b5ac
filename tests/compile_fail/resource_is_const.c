/* Writing through a resource that was looked up for reading. */
#include "types.h"

void reset(kith_world *world);
void reset(kith_world *world)
{
#if WRONG == 1
    KITH_RESOURCE(world, Position)->x = 0;
#else
    KITH_RESOURCE_MUT(world, Position)->x = 0;
#endif
}
