/* A struct of another type as a component's value. */
#include "types.h"

kith_entity make(kith_world *world, Position p, Velocity v);
kith_entity make(kith_world *world, Position p, Velocity v)
{
    (void)p;
    (void)v;
#if WRONG == 1
    const Position *value = &v;
#else
    const Position *value = &p;
#endif
    return KITH_SPAWN(world, KITH_VALUE(Position, *value));
}
