/* The same in C++, where values are copied as bytes, too. */
#include <kith/pool.h>

struct Enemy {
    int health;
#if WRONG == 1
    Enemy(const Enemy &other) : health(other.health + 1) {}
#else
    Enemy(const Enemy &other) = default;
#endif
};
KITH_POOL(enemy_pool, Enemy);
KITH_POOL(boss_pool, Enemy);

const Enemy *get(const enemy_pool *pool, enemy_pool_id enemy, boss_pool_id boss);
const Enemy *get(const enemy_pool *pool, enemy_pool_id enemy, boss_pool_id boss)
{
    (void)enemy;
    (void)boss;
#if WRONG == 2
    return enemy_pool_get(pool, boss);
#else
    return enemy_pool_get(pool, enemy);
#endif
}

uint32_t number(const enemy_pool *enemies, const boss_pool *bosses);
uint32_t number(const enemy_pool *enemies, const boss_pool *bosses)
{
    (void)enemies;
    (void)bosses;
#if WRONG == 3
    return enemy_pool_count(bosses);
#else
    return enemy_pool_count(enemies);
#endif
}
