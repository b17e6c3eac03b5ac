/* A value with a field of another type. */
#include "types.h"

kith_result place(kith_world *world, kith_entity entity);
kith_result place(kith_world *world, kith_entity entity)
{
#if WRONG == 1
    return KITH_SET(world, entity, Position, {.dx = 1, .dy = 2});
#else
    return KITH_SET(world, entity, Position, {.x = 1, .y = 2});
#endif
}
