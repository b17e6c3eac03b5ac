/* A tag has no value. */
#include "types.h"

kith_result freeze(kith_world *world, kith_entity entity);
kith_result freeze(kith_world *world, kith_entity entity)
{
#if WRONG == 1
    return KITH_SET(world, entity, Frozen, {1});
#else
    return KITH_ADD(world, entity, Frozen);
#endif
}
