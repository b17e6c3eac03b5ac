/* Writing through a value that was handed out for reading. */
#include "types.h"

void halt(kith_iter *it);
void halt(kith_iter *it)
{
#if WRONG == 1
    KITH_AT(it, 0, Velocity)->dx = 0;
#else
    KITH_AT_MUT(it, 0, Velocity)->dx = 0;
#endif
}
