/* Misuse of pools: each rule is broken once. Where no pool is known, there is no handler to ask, and
 * the program ends; a pool's own handler may return. */
#include "../world/trips.h"
#include "pools.h"

static const kith_pool_id none = {0, 0};

TEST_WITHIN(10, calls_on_nothing_end_the_program)
{
    kith_pool_id id = none;
    CHECK_ENDS(kith_pool_count(NULL), "%s: the pool is NULL");
    CHECK_ENDS(kith_pool_count(NULL), "kith_pool_count: the pool is NULL");
    CHECK_ENDS(kith_pool_reserve(NULL, 1), "kith_pool_reserve: the pool is NULL");
    CHECK_ENDS(kith_pool_clear(NULL), "kith_pool_clear: the pool is NULL");
    CHECK_ENDS(kith_pool_memory(NULL), "kith_pool_memory: the pool is NULL");
    CHECK_ENDS(kith_pool_create(NULL, NULL, &id), "kith_pool_create: the pool is NULL");
    CHECK_ENDS(enemy_pool_create(NULL, NULL), "kith_pool_create: the pool is NULL");
    CHECK_ENDS(plain_pool_create(NULL, NULL), "kith_pool_create: the pool is NULL");
    CHECK_ENDS(kith_pool_kill(NULL, none), "kith_pool_kill: the pool is NULL");
    CHECK_ENDS(kith_pool_alive(NULL, none), "kith_pool_alive: the pool is NULL");
    CHECK_ENDS(kith_pool_get(NULL, none), "kith_pool_get: the pool is NULL");
    CHECK_ENDS(kith_pool_get_mut(NULL, none), "kith_pool_get_mut: the pool is NULL");
    CHECK_ENDS(kith_pool_at(NULL, 0), "kith_pool_at: the pool is NULL");
    CHECK_ENDS(kith_pool_next(NULL, &id), "kith_pool_next: the pool is NULL");
    CHECK_ENDS(kith_pool_next_mut(NULL, &id), "kith_pool_next_mut: the pool is NULL");
    CHECK_ENDS(kith_pool_check(NULL, NULL), "kith_pool_check: the pool is NULL");

    kith_pool *pool = kith_pool_new(NULL, 4, 4);
    CHECK_ENDS(kith_pool_create(pool, NULL, NULL),
               "kith_pool_create: there is no place for the new id");
    CHECK_ENDS(kith_pool_next(pool, NULL), "kith_pool_next: the cursor is NULL");
    CHECK_ENDS(kith_pool_next_mut(pool, NULL), "kith_pool_next_mut: the cursor is NULL");
    kith_pool_free(pool);
}

/* ---- A handler that returns ------------------------------------------------------------------ */

static char told[256];

static void tell(const char *message, void *context)
{
    snprintf(told, sizeof(told), "%s", message);
    ++*(int *)context;
}

TEST(a_handler_that_returns)
{
    int count = 0;
    kith_pool_def def = pool_def();
    def.on_misuse = tell;
    def.misuse_context = &count;
    enemy_pool *pool = enemy_pool_new(&def);
    enemy_pool_id e = enemy_pool_create(pool, &(Enemy){1, 2, 3});
    CHECK_RESULT(enemy_pool_try_create(pool, NULL, NULL), KITH_ERR_MISUSE);
    CHECK_STR(told, "kith_pool_create: there is no place for the new id");
    CHECK_PTR_NULL(enemy_pool_next(pool, NULL));
    CHECK_STR(told, "kith_pool_next: the cursor is NULL");
    CHECK_PTR_NULL(enemy_pool_next_mut(pool, NULL));
    CHECK_STR(told, "kith_pool_next_mut: the cursor is NULL");
    CHECK_INT(count, 3);
    CHECK_UINT(enemy_pool_count(pool), 1);
    CHECK_INT(enemy_pool_get(pool, e)->health, 3);
    end_pool(pool);
}

TEST(a_handler_that_returns_to_a_plain_pool)
{
    int count = 0;
    kith_pool_def def = pool_def();
    def.on_misuse = tell;
    def.misuse_context = &count;
    plain_pool *pool = plain_pool_new(&def);
    CHECK_RESULT(plain_pool_try_create(pool, NULL, NULL), KITH_ERR_MISUSE);
    CHECK_STR(told, "kith_pool_create: there is no place for the new id");
    CHECK_PTR_NULL(plain_pool_next(pool, NULL));
    CHECK_PTR_NULL(plain_pool_next_mut(pool, NULL));
    CHECK_STR(told, "kith_pool_next: the cursor is NULL");
    CHECK_INT(count, 3);
    CHECK_UINT(plain_pool_count(pool), 0);
    end_pool(pool);
}
