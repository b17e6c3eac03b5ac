/* A column kept in a pointer to another type. */
#include "types.h"

float look(kith_iter *it);
float look(kith_iter *it)
{
#if WRONG == 1
    const Position *position = KITH_COLUMN(it, Velocity);
#else
    const Position *position = KITH_COLUMN(it, Position);
#endif
    return position[0].x;
}
