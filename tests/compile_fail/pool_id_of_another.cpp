/* The same in C++: ids of two pools do not mix. */
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
