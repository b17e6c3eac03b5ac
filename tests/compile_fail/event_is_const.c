/* Events are read, not written. */
#include "types.h"

float look(kith_world *world);
float look(kith_world *world)
{
#ifdef WRONG
    Position *event = KITH_EVENT(world, 0, Position);
#else
    const Position *event = KITH_EVENT(world, 0, Position);
#endif
    return event->x;
}
