/* The value of a tag, which has none. */
#include "types.h"

const void *look(kith_iter *it);
const void *look(kith_iter *it)
{
#if WRONG == 1
    return KITH_AT(it, 0, Frozen);
#else
    return KITH_AT(it, 0, Position);
#endif
}
