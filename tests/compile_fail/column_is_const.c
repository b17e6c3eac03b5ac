/* Writing through a column that was handed out for reading. */
#include "types.h"

void halt(kith_iter *it);
void halt(kith_iter *it)
{
#if WRONG == 1
    KITH_COLUMN(it, Velocity)[0].dx = 0;
#else
    KITH_COLUMN_MUT(it, Velocity)[0].dx = 0;
#endif
}
