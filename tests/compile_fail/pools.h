/* Two pools of one struct, and one of another. */
#ifndef POOLS_H
#define POOLS_H

#include <kith/pool.h>

typedef struct Enemy {
    float x, y;
    int health;
} Enemy;
KITH_POOL(enemy_pool, Enemy);
KITH_POOL(boss_pool, Enemy);
KITH_POOL_PLAIN(minion_pool, Enemy);
KITH_POOL_PLAIN(rat_pool, Enemy);

typedef struct Bullet {
    float x, y;
} Bullet;
KITH_POOL(bullet_pool, Bullet);

#endif
