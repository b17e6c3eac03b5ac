/* A Velocity where Position is named. */
#include "types.h"

kith_result place(kith_world *world, kith_entity entity, const Position *p, const Velocity *v);
kith_result place(kith_world *world, kith_entity entity, const Position *p, const Velocity *v)
{
    (void)p;
    (void)v;
#if WRONG == 1
    return kith_set(world, entity, KITH_FROM(Position, v));
#else
    return kith_set(world, entity, KITH_FROM(Position, p));
#endif
}
