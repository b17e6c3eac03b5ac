/* A Velocity where Position is named; a pointer to a value, and too many values. */
#include "types.h"

kith_result place(kith_world *world, kith_entity entity, const Position *p, const Velocity *v);
kith_result place(kith_world *world, kith_entity entity, const Position *p, const Velocity *v)
{
    (void)p;
    (void)v;
#if WRONG == 1 /* says: incompatible type */
    return KITH_SET(world, entity, Position, *v);
#elif WRONG == 2 /* says: incompatible type */
    return KITH_SET(world, entity, Position, p);
#elif WRONG == 3
    return KITH_SET_VALUES(world, entity, KITH_VALUE(Position, *v));
#elif WRONG == 4 /* says: incompatible type */
    return KITH_SEND(world, Position, *v);
#elif WRONG == 5 /* says: incompatible type */
    return KITH_RESOURCE_SET(world, Position, *v);
#elif WRONG == 6 /* says: excess elements */
    return KITH_SET(world, entity, Position, *p, *p);
#else
    KITH_SET_VALUES(world, entity, KITH_VALUE(Position, *p));
    KITH_SEND(world, Position, *p);
    KITH_RESOURCE_SET(world, Position, *p);
    return KITH_SET(world, entity, Position, *p);
#endif
}
