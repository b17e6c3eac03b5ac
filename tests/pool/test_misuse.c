/* Misuse of pools: each rule is broken once. Where no pool is known, there is no handler to ask, and
 * the program ends; a pool's own handler may return. */
#include "../world/trips.h"
#include "pools.h"

static const kith_pool_id none = {0, 0};

static void reserve_in_null(stage *s)
{
    (void)s;
    kith_pool_reserve(NULL, 1);
}

static void clear_null(stage *s)
{
    (void)s;
    kith_pool_clear(NULL);
}

static void memory_of_null(stage *s)
{
    (void)s;
    kith_pool_memory(NULL);
}

static void create_in_null(stage *s)
{
    kith_pool_id id;
    (void)s;
    kith_pool_create(NULL, NULL, &id);
}

static void kill_in_null(stage *s)
{
    (void)s;
    kith_pool_kill(NULL, none);
}

static void alive_in_null(stage *s)
{
    (void)s;
    kith_pool_alive(NULL, none);
}

static void get_from_null(stage *s)
{
    (void)s;
    kith_pool_get(NULL, none);
}

static void get_mut_from_null(stage *s)
{
    (void)s;
    kith_pool_get_mut(NULL, none);
}

static void at_of_null(stage *s)
{
    (void)s;
    kith_pool_at(NULL, 0);
}

static void count_of_null(stage *s)
{
    (void)s;
    kith_pool_count(NULL);
}

static void next_in_null(stage *s)
{
    kith_pool_id cursor = none;
    (void)s;
    kith_pool_next(NULL, &cursor);
}

static void next_mut_in_null(stage *s)
{
    kith_pool_id cursor = none;
    (void)s;
    kith_pool_next_mut(NULL, &cursor);
}

static void check_of_null(stage *s)
{
    (void)s;
    kith_pool_check(NULL, NULL);
}

static void create_typed_in_null(stage *s)
{
    (void)s;
    enemy_pool_create(NULL, NULL);
}

static void create_plain_in_null(stage *s)
{
    (void)s;
    plain_pool_create(NULL, NULL);
}

static void create_nowhere(stage *s)
{
    (void)s;
    kith_pool_create(kith_pool_new(NULL, 4, 4), NULL, NULL);
}

static void next_without_cursor(stage *s)
{
    (void)s;
    kith_pool_next(kith_pool_new(NULL, 4, 4), NULL);
}

static void next_mut_without_cursor(stage *s)
{
    (void)s;
    kith_pool_next_mut(kith_pool_new(NULL, 4, 4), NULL);
}

static const trip trips[] = {
    {"%s: the pool is NULL", count_of_null, true},
    {"kith_pool_count: the pool is NULL", count_of_null, true},
    {"kith_pool_reserve: the pool is NULL", reserve_in_null, true},
    {"kith_pool_clear: the pool is NULL", clear_null, true},
    {"kith_pool_memory: the pool is NULL", memory_of_null, true},
    {"kith_pool_create: the pool is NULL", create_in_null, true},
    {"kith_pool_create: the pool is NULL", create_typed_in_null, true},
    {"kith_pool_create: the pool is NULL", create_plain_in_null, true},
    {"kith_pool_kill: the pool is NULL", kill_in_null, true},
    {"kith_pool_alive: the pool is NULL", alive_in_null, true},
    {"kith_pool_get: the pool is NULL", get_from_null, true},
    {"kith_pool_get_mut: the pool is NULL", get_mut_from_null, true},
    {"kith_pool_at: the pool is NULL", at_of_null, true},
    {"kith_pool_next: the pool is NULL", next_in_null, true},
    {"kith_pool_next_mut: the pool is NULL", next_mut_in_null, true},
    {"kith_pool_check: the pool is NULL", check_of_null, true},
    {"kith_pool_create: there is no place for the new id", create_nowhere, true},
    {"kith_pool_next: the cursor is NULL", next_without_cursor, true},
    {"kith_pool_next_mut: the cursor is NULL", next_mut_without_cursor, true},
};

TEST_WITHIN(10, every_rule_is_told_when_it_is_broken)
{
    take_trips(trips, sizeof(trips) / sizeof(trips[0]));
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
