/* A condition names a field that the struct has. */
#include <kith/kith.h>

KITH_COMPONENT(Health, (float, current));

kith_query *weak(kith_world *world)
{
#if WRONG == 1 /* says: curent */
    return KITH_QUERY(world, KITH_IF(Health, curent, <, 20));
#elif WRONG == 2 /* says: KITH_IF_IN takes up to 16 values */
    return KITH_QUERY(world, KITH_IF_IN(Health, current, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                                        14, 15, 16, 17));
#else
    return KITH_QUERY(
        world, KITH_IF_IN(Health, current, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16));
#endif
}
