/* A value of another struct than the pool's. */
#include "pools.h"

enemy_pool_id make(enemy_pool *pool, const Enemy *enemy, const Bullet *bullet);
enemy_pool_id make(enemy_pool *pool, const Enemy *enemy, const Bullet *bullet)
{
    (void)enemy;
    (void)bullet;
#ifdef WRONG
    return enemy_pool_create(pool, bullet);
#else
    return enemy_pool_create(pool, enemy);
#endif
}
