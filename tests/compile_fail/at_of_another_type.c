/* A value kept in a pointer to another type. */
#include "types.h"

void push(kith_iter *it);
void push(kith_iter *it)
{
#if WRONG == 1
    Position *position = KITH_AT_MUT(it, 0, Velocity);
#else
    Position *position = KITH_AT_MUT(it, 0, Position);
#endif
    position->x += 1;
}
