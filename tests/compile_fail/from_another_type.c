/* A Velocity where Position is named. */
#include "types.h"

kith_result place(kith_world *world, kith_entity entity, const Position *p, const Velocity *v);
kith_result place(kith_world *world, kith_entity entity, const Position *p, const Velocity *v)
{
    (void)p;
    (void)v;
#if WRONG == 1
    return KITH_SET_FROM(world, entity, Position, v);
#else
    return KITH_SET_FROM(world, entity, Position, p);
#endif
}
