/* An array of another type than the component's. */
#include "types.h"

kith_result crowd(kith_world *world, Position *positions, Velocity *velocities);
kith_result crowd(kith_world *world, Position *positions, Velocity *velocities)
{
    (void)positions;
    (void)velocities;
#if WRONG == 1
    kith_values values[] = {KITH_VALUES(Position, velocities)};
#else
    kith_values values[] = {KITH_VALUES(Position, positions)};
#endif
    return kith_spawn_many(world, 10, values, 1, NULL);
}
