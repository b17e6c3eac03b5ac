/* Events are read, not written. */
#include "types.h"

float look(kith_world *world);
float look(kith_world *world)
{
#if WRONG == 1
    Position *event = KITH_EVENT(world, 0, Position);
#else
    const Position *event = KITH_EVENT(world, 0, Position);
#endif
    return event->x;
}
