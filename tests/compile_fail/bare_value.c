/* What is not a KITH_VALUE in a list of them, or is counted as less than it is. */
#include "types.h"

kith_entity spawn(kith_world *world, kith_value value);
kith_entity spawn(kith_world *world, kith_value value)
{
    (void)value;
#if WRONG == 1 /* says: each value is a KITH_VALUE; kith_spawn_empty makes an entity of none */
    return KITH_SPAWN(world, KITH_VALUE(Position, {1, 2}), value);
#elif WRONG == 2 /* says: excess elements in array initializer */
    return KITH_SPAWN(world, value, value);
#else
    return KITH_SPAWN(world, KITH_VALUE(Position, {1, 2}));
#endif
}
