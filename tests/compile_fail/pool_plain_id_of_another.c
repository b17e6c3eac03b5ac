/* The plain id of one pool where that of another is asked for. */
#include "pools.h"

bool end(minion_pool *pool, minion_pool_id minion, rat_pool_id rat);
bool end(minion_pool *pool, minion_pool_id minion, rat_pool_id rat)
{
    (void)minion;
    (void)rat;
#ifdef WRONG
    return minion_pool_kill(pool, rat) == KITH_OK;
#else
    return minion_pool_kill(pool, minion) == KITH_OK;
#endif
}
