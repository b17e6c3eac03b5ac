/* The terms of a system come before its fields. */
#include "types.h"

void run(kith_iter *it);
void add(kith_world *world);
void add(kith_world *world)
{
#if WRONG == 1
    KITH_SYSTEM(world, run, .parallel = true, KITH_READ(Position));
#elif WRONG == 2
    KITH_SYSTEM(world, run, KITH_READ(Position), .after = "aim", KITH_READ(Velocity));
#else
    KITH_SYSTEM(world, run, KITH_READ(Position), KITH_READ(Velocity), .parallel = true);
#endif
}
