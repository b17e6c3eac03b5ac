/* More values than the struct has fields. */
#include "types.h"

kith_result place(kith_world *world, kith_entity entity);
kith_result place(kith_world *world, kith_entity entity)
{
#if WRONG == 1
    return KITH_SET(world, entity, Position, {1, 2, 3});
#else
    return KITH_SET(world, entity, Position, {1, 2});
#endif
}
