/* Sorting by a field that the struct does not have. */
#include "types.h"

kith_result sort(kith_world *world);
kith_result sort(kith_world *world)
{
#if WRONG == 1
    return KITH_SORT(world, Position, dx);
#elif WRONG == 2
    return KITH_SORT(world, Velocity, x, .descending = true);
#else
    return KITH_SORT(world, Position, x) == KITH_OK
               ? KITH_SORT(world, Velocity, dx, .descending = true)
               : KITH_ERR_MEMORY;
#endif
}
