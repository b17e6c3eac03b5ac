/* A bare number where a handle is asked for: without its generation it names nobody. */
#include "types.h"

kith_result end(kith_world *world, kith_entity entity);
kith_result end(kith_world *world, kith_entity entity)
{
#if WRONG == 1
    return kith_despawn(world, entity.index1);
#else
    return kith_despawn(world, entity);
#endif
}
