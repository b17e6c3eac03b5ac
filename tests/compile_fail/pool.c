/* Pools, their ids and their values do not mix, even if two pools hold the same struct. */
#include <kith/pool.h>

typedef struct Enemy {
    float x, y;
    int health;
} Enemy;
KITH_POOL(enemy_pool, Enemy);
KITH_POOL(boss_pool, Enemy);
KITH_POOL(minion_pool, Enemy, plain);
KITH_POOL(rat_pool, Enemy, plain);

typedef struct Bullet {
    float x, y;
} Bullet;

#define LARGEST (1 << 20)
typedef struct Map {
#if WRONG == 1
    uint8_t cells[LARGEST + 1];
#else
    uint8_t cells[LARGEST];
#endif
} Map;
KITH_POOL(map_pool, Map);

/* What the cases take their wrong arguments from. */
typedef struct stock {
    enemy_pool *enemies;
    boss_pool *bosses;
    minion_pool *minions;
    enemy_pool_id enemy;
    boss_pool_id boss;
    minion_pool_id minion;
    rat_pool_id rat;
    Bullet bullet;
    uint32_t number;
} stock;

const Enemy *get(const stock *s);
const Enemy *get(const stock *s)
{
#if WRONG == 2 /* the id of another pool */
    return enemy_pool_get(s->enemies, s->boss);
#else
    return enemy_pool_get(s->enemies, s->enemy);
#endif
}

kith_result end(const stock *s);
kith_result end(const stock *s)
{
#if WRONG == 3 /* the plain id of another pool */
    return minion_pool_kill(s->minions, s->rat);
#elif WRONG == 4 /* the number of some other system */
    return minion_pool_kill(s->minions, s->number);
#else
    return minion_pool_kill(s->minions, s->minion);
#endif
}

uint32_t number(const stock *s);
uint32_t number(const stock *s)
{
#if WRONG == 5 /* another pool of the same struct */
    return enemy_pool_count(s->bosses);
#else
    return enemy_pool_count(s->enemies);
#endif
}

enemy_pool_id make(const stock *s, const Enemy *enemy);
enemy_pool_id make(const stock *s, const Enemy *enemy)
{
#if WRONG == 6 /* a value of another struct */
    (void)enemy;
    return enemy_pool_create(s->enemies, &s->bullet);
#else
    return enemy_pool_create(s->enemies, enemy);
#endif
}

void hurt(const stock *s);
void hurt(const stock *s)
{
#if WRONG == 7 /* what is got to be read */
    Enemy *enemy = enemy_pool_get(s->enemies, s->enemy);
#else
    Enemy *enemy = enemy_pool_get_mut(s->enemies, s->enemy);
#endif
    if (enemy != NULL) {
        enemy->health--;
    }
}

const Enemy *walk(const stock *s, enemy_pool_id *enemy, boss_pool_id *boss);
const Enemy *walk(const stock *s, enemy_pool_id *enemy, boss_pool_id *boss)
{
    (void)enemy;
    (void)boss;
#if WRONG == 8 /* another pool's cursor */
    return enemy_pool_next(s->enemies, boss);
#else
    return enemy_pool_next(s->enemies, enemy);
#endif
}
