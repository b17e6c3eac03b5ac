/* Generations that run out, slots that run out, and the damage that kith_pool_check finds. Four billion
 * lives are too many to wait for: records are set to their last but one. */
#include "pools.h"

static enemy_pool *pool_of(uint32_t count)
{
    enemy_pool *pool = enemies_new();
    for (uint32_t i = 0; i < count; i++) {
        CHECK_ID(enemy_pool_create(pool, &(Enemy){0, 0, (int32_t)i}).raw, i + 1, 0);
    }
    return pool;
}

static ki_pool_record *record_at(enemy_pool *pool, uint32_t slot)
{
    return ki_pool_record_at((kith_pool *)pool, slot);
}

TEST(a_slot_that_has_used_up_its_generations_retires)
{
    enemy_pool *pool = pool_of(2);
    enemy_pool_id first = {{1, 0}};
    CHECK_RESULT(enemy_pool_kill(pool, first), KITH_OK);
    record_at(pool, 0)->generation = UINT32_MAX - 1;
    CHECK_POOL(pool);
    enemy_pool_id last_but_one = enemy_pool_create(pool, NULL);
    CHECK_ID(last_but_one.raw, 1, UINT32_MAX - 1);
    CHECK_RESULT(enemy_pool_kill(pool, last_but_one), KITH_OK);
    enemy_pool_id last = enemy_pool_create(pool, NULL);
    CHECK_ID(last.raw, 1, UINT32_MAX);
    CHECK(enemy_pool_alive(pool, last));
    CHECK_UINT(enemy_pool_memory(pool).retired, 0);

    CHECK_RESULT(enemy_pool_kill(pool, last), KITH_OK);
    CHECK_POOL(pool);
    CHECK_UINT(enemy_pool_memory(pool).retired, 1);
    CHECK_UINT(enemy_pool_memory(pool).slots, 2);
    CHECK_UINT(enemy_pool_count(pool), 1);
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_ID(enemy_pool_create(pool, NULL).raw, 3 + i, 0);
    }
    CHECK(!enemy_pool_alive(pool, first));
    CHECK(!enemy_pool_alive(pool, last_but_one));
    CHECK(!enemy_pool_alive(pool, last));
    CHECK_PTR_NULL(enemy_pool_get(pool, last));
    CHECK_RESULT(enemy_pool_kill(pool, last), KITH_ERR_DEAD);
    CHECK_ID(kith_pool_at((kith_pool *)pool, 0), 0, 0);
    enemy_pool_id e = {0};
    CHECK_INT(enemy_pool_next(pool, &e)->health, 1);
    CHECK_ID(e.raw, 2, 0);
    end_pool(pool);
}

/* In the middle of the list of free slots, and when all are killed at once. */
TEST(a_slot_retires_among_free_ones)
{
    for (int oldest_first = 0; oldest_first < 2; oldest_first++) {
        enemy_pool *pool = pool_of(5);
        ((kith_pool *)pool)->oldest_first = oldest_first != 0;
        record_at(pool, 2)->generation = UINT32_MAX;
        CHECK_RESULT(enemy_pool_kill(pool, (enemy_pool_id){{2, 0}}), KITH_OK);
        CHECK_RESULT(enemy_pool_kill(pool, (enemy_pool_id){{3, UINT32_MAX}}), KITH_OK);
        CHECK_POOL(pool);
        record_at(pool, 3)->generation = UINT32_MAX;
        enemy_pool_clear(pool);
        CHECK_POOL(pool);
        CHECK_UINT(enemy_pool_memory(pool).retired, 2);
        static const uint32_t expected[2][4] = {{1, 5, 2, 6}, {2, 1, 5, 6}};
        for (int i = 0; i < 4; i++) {
            CHECK_UINT(enemy_pool_create(pool, NULL).raw.index1, expected[oldest_first][i]);
        }
        end_pool(pool);
    }
}

/* Retired slots are no room: what is reserved does not count them. */
TEST(retired_slots_are_not_reserved)
{
    enemy_pool *pool = pool_of(1024);
    for (uint32_t slot = 0; slot < 1024; slot++) {
        record_at(pool, slot)->generation = UINT32_MAX;
    }
    enemy_pool_clear(pool);
    CHECK_UINT(enemy_pool_memory(pool).retired, 1024);
    size_t used = enemy_pool_memory(pool).used;
    CHECK_RESULT(enemy_pool_reserve(pool, 1), KITH_OK);
    CHECK(enemy_pool_memory(pool).used > used);
    CHECK_ID(enemy_pool_create(pool, NULL).raw, 1025, 0);
    end_pool(pool);
}

TEST(slots_run_out)
{
    enemy_pool *typed = pool_of(3);
    kith_pool *pool = (kith_pool *)typed;
    CHECK_RESULT(kith_pool_reserve(pool, UINT32_MAX), KITH_ERR_LIMIT);
    CHECK_RESULT(kith_pool_reserve(pool, KI_POOL_SLOTS_MAX - 2), KITH_ERR_LIMIT);
    pool->slots = pool->alive = KI_POOL_SLOTS_MAX;
    kith_pool_id id = {7, 7};
    CHECK_RESULT(kith_pool_create(pool, NULL, &id), KITH_ERR_LIMIT);
    CHECK_ID(id, 7, 7);
    CHECK(enemy_pool_is_none(enemy_pool_create(typed, NULL)));
    pool->slots = pool->alive = 3;
    CHECK_RESULT(kith_pool_create(pool, NULL, &id), KITH_OK);
    CHECK_ID(id, 4, 0);
    end_pool(pool);
}

/* ---- Damage ---------------------------------------------------------------------------------- */

/* Puts a wrong number in a place, sees it named, and puts the right one back. */
static void damage(kith_pool *pool, uint32_t *place, uint32_t wrong_number, const char *expected)
{
    uint32_t right = *place;
    *place = wrong_number;
    const char *wrong = "";
    kith_result result = kith_pool_check(pool, &wrong);
    CHECK_RESULT(kith_pool_check(pool, NULL), KITH_ERR_CORRUPT);
    *place = right;
    CHECK_RESULT(result, KITH_ERR_CORRUPT);
    CHECK_STR(wrong, expected);
    wrong = "untouched";
    CHECK_RESULT(kith_pool_check(pool, &wrong), KITH_OK);
    CHECK_STR(wrong, "untouched");
}

TEST(damage_is_found)
{
    static const char counts[] = "the number of living or of retired slots is wrong";
    static const char astray[] = "the list of free slots leads to one that is not free";
    static const char missing[] = "a free slot is not in the list of free slots";
    static const char tail[] = "the list of free slots ends elsewhere";
    enemy_pool *typed = pool_of(6);
    kith_pool *pool = (kith_pool *)typed;
    record_at(typed, 5)->generation = UINT32_MAX;
    CHECK_RESULT(kith_pool_kill(pool, id_of(6, UINT32_MAX)), KITH_OK);
    CHECK_RESULT(kith_pool_kill(pool, id_of(2, 0)), KITH_OK);
    CHECK_RESULT(kith_pool_kill(pool, id_of(4, 0)), KITH_OK); /* 4 -> 2 */

    damage(pool, &pool->alive, 4, counts);
    damage(pool, &pool->retired, 0, counts);
    damage(pool, &record_at(typed, 0)->next, 0, counts);
    damage(pool, &record_at(typed, 5)->next, 0, counts);
    damage(pool, &record_at(typed, 5)->generation, 3, "a slot was retired before its time");
    damage(pool, &pool->slots, 1025, "there are more slots than room for them");
    damage(pool, &pool->free_head, 0, tail);
    damage(pool, &pool->free_head, 2, missing);
    damage(pool, &pool->free_head, 1, astray);
    damage(pool, &pool->free_head, 7, astray);
    damage(pool, &pool->free_tail, 4, tail);
    damage(pool, &record_at(typed, 1)->next, 4, astray); /* a circle */
    damage(pool, &record_at(typed, 3)->next, 0, tail);
    damage(pool, &record_at(typed, 3)->next, 6, astray); /* the retired one */
    damage(pool, &pool->values.capacity, 512, "the first block is a small one");
    damage(pool, &pool->records.capacity, 0, "the first block is a small one");
    damage(pool, &pool->values.block_capacity, 0,
           "a column has more blocks than room for their headers");

    pool->space.shared = true;
    CHECK_RESULT(kith_pool_check(pool, NULL), KITH_ERR_CORRUPT);
    pool->space.shared = false;
    pool->context.heap.used++;
    CHECK_RESULT(kith_pool_check(pool, NULL), KITH_ERR_CORRUPT);
    pool->context.heap.used--;
    end_pool(pool);
}
