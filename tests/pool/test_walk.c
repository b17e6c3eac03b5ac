/* Walking the living: in the order of slots, whatever is made and killed meanwhile. */
#include "pools.h"

static enemy_pool *pool_of(uint32_t count, enemy_pool_id *ids)
{
    enemy_pool *pool = enemies_new();
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = enemy_pool_create(pool, &(Enemy){0, 0, (int32_t)i});
    }
    return pool;
}

TEST(a_walk_visits_the_living_in_the_order_of_slots)
{
    static enemy_pool_id ids[2500];
    enemy_pool *pool = pool_of(2500, ids);
    for (uint32_t i = 0; i < 2500; i++) {
        if (i % 5 == 0 || (i > 1000 && i < 2100)) {
            CHECK_RESULT(enemy_pool_kill(pool, ids[i]), KITH_OK);
        }
    }
    int32_t last = -1;
    uint32_t visited = 0;
    const Enemy *enemy;
    for (enemy_pool_id e = {0}; (enemy = enemy_pool_next(pool, &e)) != NULL; visited++) {
        CHECK(enemy->health > last);
        last = enemy->health;
        CHECK(enemy_pool_same(e, ids[last]));
        CHECK(enemy_pool_get(pool, e) == enemy);
    }
    CHECK_UINT(visited, enemy_pool_count(pool));
    end_pool(pool);
}

TEST(a_walk_ends_in_none_and_starts_over)
{
    enemy_pool_id ids[2];
    enemy_pool *pool = pool_of(2, ids);
    enemy_pool_id e = {0};
    for (int round = 0; round < 2; round++) {
        CHECK(enemy_pool_next_mut(pool, &e) == enemy_pool_get(pool, ids[0]));
        CHECK(enemy_pool_next_mut(pool, &e) == enemy_pool_get(pool, ids[1]));
        CHECK_PTR_NULL(enemy_pool_next_mut(pool, &e));
        CHECK(enemy_pool_is_none(e));
    }
    end_pool(pool);
}

/* A cursor is any id: it goes on behind the slot, whoever lives there now, or ends. */
TEST(a_walk_goes_on_from_any_bit_pattern)
{
    enemy_pool_id ids[5];
    enemy_pool *pool = pool_of(5, ids);
    CHECK_RESULT(enemy_pool_kill(pool, ids[3]), KITH_OK);
    enemy_pool_id e = {{2, 0xCCCCCCCC}};
    CHECK_INT(enemy_pool_next(pool, &e)->health, 2);
    CHECK(enemy_pool_same(e, ids[2]));
    CHECK_INT(enemy_pool_next(pool, &e)->health, 4);
    static const uint32_t far[] = {5, 6, 1024, 0x80000000, UINT32_MAX - 1, UINT32_MAX};
    for (int i = 0; i < 6; i++) {
        e = (enemy_pool_id){{far[i], 1}};
        CHECK_PTR_NULL(enemy_pool_next(pool, &e));
        CHECK(enemy_pool_is_none(e));
    }
    e = (enemy_pool_id){{0, 9}};
    CHECK_INT(enemy_pool_next(pool, &e)->health, 0);
    end_pool(pool);
}

TEST(who_is_visited_may_be_killed)
{
    static enemy_pool_id ids[1100];
    enemy_pool *pool = pool_of(1100, ids);
    uint32_t visited = 0;
    for (enemy_pool_id e = {0}; enemy_pool_next(pool, &e) != NULL; visited++) {
        CHECK_RESULT(enemy_pool_kill(pool, e), KITH_OK);
    }
    CHECK_UINT(visited, 1100);
    CHECK_UINT(enemy_pool_count(pool), 0);
    end_pool(pool);
}

/* Killed ahead: not visited. Killed behind, and replaced there: not visited again. */
TEST(others_may_be_killed)
{
    enemy_pool_id ids[10];
    enemy_pool *pool = pool_of(10, ids);
    int32_t visited[10];
    uint32_t count = 0;
    const Enemy *enemy;
    for (enemy_pool_id e = {0}; (enemy = enemy_pool_next(pool, &e)) != NULL;) {
        visited[count++] = enemy->health;
        if (enemy->health == 4) {
            CHECK_RESULT(enemy_pool_kill(pool, ids[6]), KITH_OK);
            CHECK_RESULT(enemy_pool_kill(pool, ids[2]), KITH_OK);
            CHECK_ID(enemy_pool_create(pool, &(Enemy){0, 0, 100}).raw, 3, 1);
        }
    }
    static const int32_t expected[] = {0, 1, 2, 3, 4, 5, 7, 8, 9};
    CHECK_UINT(count, 9);
    CHECK(memcmp(visited, expected, sizeof(expected)) == 0);
    end_pool(pool);
}

/* Made ahead: visited, in its slot's turn; with new blocks, too. Pointers stay. */
TEST(others_may_be_made)
{
    static enemy_pool_id ids[1023];
    enemy_pool *pool = pool_of(1023, ids);
    uint32_t visited = 0;
    uint32_t made = 0;
    Enemy *enemy;
    for (enemy_pool_id e = {0}; (enemy = enemy_pool_next_mut(pool, &e)) != NULL; visited++) {
        if (made < 3000) {
            CHECK(!enemy_pool_is_none(enemy_pool_create(pool, &(Enemy){0, 0, 7})));
            made++;
        }
        enemy->health = -1;
    }
    CHECK_UINT(visited, 4023);
    for (enemy_pool_id e = {0}; (enemy = enemy_pool_next_mut(pool, &e)) != NULL;) {
        CHECK_INT(enemy->health, -1);
    }
    end_pool(pool);
}

TEST(a_walk_over_what_is_cleared_ends)
{
    enemy_pool_id ids[10];
    enemy_pool *pool = pool_of(10, ids);
    enemy_pool_id e = {0};
    CHECK_PTR_NOT_NULL(enemy_pool_next(pool, &e));
    enemy_pool_clear(pool);
    CHECK_PTR_NULL(enemy_pool_next(pool, &e));
    end_pool(pool);
}
