/* A value looked up by one type and kept as another: what the source calls its fatal flaw. */
#include "types.h"

float look(const kith_world *world, kith_entity entity);
float look(const kith_world *world, kith_entity entity)
{
#if WRONG == 1
    const Velocity *v = KITH_GET(world, entity, Position);
#else
    const Velocity *v = KITH_GET(world, entity, Velocity);
#endif
    return v->dx;
}
