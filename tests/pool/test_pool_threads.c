/* Pools in threads: readers side by side on one, and each thread with one of its own. */
#include <pthread.h>

#include "pools.h"

enum { THREADS = 4, COUNT = 3000 };

static void *read_all(void *context)
{
    const enemy_pool *pool = context;
    const Enemy *enemy;
    int64_t sum = 0;
    for (enemy_pool_id e = {0}; (enemy = enemy_pool_next(pool, &e)) != NULL;) {
        sum += enemy_pool_get(pool, e)->health;
    }
    CHECK_UINT(enemy_pool_count(pool), COUNT);
    CHECK_POOL(pool);
    CHECK_INT(sum, (int64_t)COUNT * (COUNT - 1) / 2);
    return NULL;
}

static void *live_alone(void *context)
{
    (void)context;
    enemy_pool *pool = enemies_new();
    for (int i = 0; i < COUNT; i++) {
        enemy_pool_id e = enemy_pool_create(pool, &(Enemy){0, 0, i});
        CHECK(i % 2 == 0 || enemy_pool_kill(pool, e) == KITH_OK);
    }
    CHECK_UINT(enemy_pool_count(pool), COUNT / 2);
    end_pool(pool);
    return NULL;
}

static void in_threads(void *(*run)(void *), void *context)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, run, context), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    }
}

TEST(readers_side_by_side)
{
    enemy_pool *pool = enemy_pool_new(NULL);
    for (int i = 0; i < COUNT; i++) {
        enemy_pool_create(pool, &(Enemy){0, 0, i});
    }
    in_threads(read_all, pool);
    enemy_pool_free(pool);
}

TEST(a_pool_for_each_thread)
{
    in_threads(live_alone, NULL);
}
