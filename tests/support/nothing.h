/* Systems that do nothing: a plain one, and one with a query. */
#ifndef KITH_TEST_NOTHING_H
#define KITH_TEST_NOTHING_H

#include <kith/system.h>

static inline kith_result update_nothing(kith_world *world, kith_iter *it)
{
    (void)world;
    (void)it;
    return KITH_OK;
}

static inline void run_nothing(kith_iter *it)
{
    (void)it;
}

#endif
