/* What is got to be read cannot be written. */
#include "pools.h"

void hurt(enemy_pool *pool, enemy_pool_id id);
void hurt(enemy_pool *pool, enemy_pool_id id)
{
#ifdef WRONG
    Enemy *enemy = enemy_pool_get(pool, id);
#else
    Enemy *enemy = enemy_pool_get_mut(pool, id);
#endif
    if (enemy != NULL) {
        enemy->health--;
    }
}
