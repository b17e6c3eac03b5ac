/* The id of one pool where that of another is asked for, though both hold the same struct. */
#include "pools.h"

const Enemy *look(const enemy_pool *pool, enemy_pool_id enemy, boss_pool_id boss);
const Enemy *look(const enemy_pool *pool, enemy_pool_id enemy, boss_pool_id boss)
{
    (void)enemy;
    (void)boss;
#ifdef WRONG
    return enemy_pool_get(pool, boss);
#else
    return enemy_pool_get(pool, enemy);
#endif
}
