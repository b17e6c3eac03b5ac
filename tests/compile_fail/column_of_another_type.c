/* A column kept in a pointer to another type. */
#include "types.h"

float look(kith_iter *it);
float look(kith_iter *it)
{
#if WRONG == 1
    const Position *position = KITH_COLUMN(it, 0, Velocity);
#else
    const Position *position = KITH_COLUMN(it, 0, Position);
#endif
    return position[0].x;
}
