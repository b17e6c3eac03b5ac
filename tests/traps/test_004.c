/* A test for each row of traps of source 004 (entity systems without components). */
#include "../pool/pools.h"

/* ---- dead entities answer -------------------------------------------------------------------- */

/* In the source a killed id returns its record until the slot is used again. */
TEST(dead_entities_answer)
{
    kith_pool_def def = pool_def();
    enemy_pool *pool = enemy_pool_new(&def);
    enemy_pool_id a = enemy_pool_create(pool, &(Enemy){1, 2, 3});
    enemy_pool_id b = enemy_pool_create(pool, &(Enemy){4, 5, 6});
    CHECK_INT(enemy_pool_get(pool, a)->health, 3);
    CHECK_RESULT(enemy_pool_kill(pool, a), KITH_OK);
    CHECK_PTR_NULL(enemy_pool_get(pool, a));
    CHECK_PTR_NULL(enemy_pool_get_mut(pool, a));
    CHECK(!enemy_pool_alive(pool, a));
    CHECK_RESULT(enemy_pool_kill(pool, a), KITH_ERR_DEAD);
    CHECK_UINT(enemy_pool_count(pool), 1);
    CHECK_INT(enemy_pool_get(pool, b)->health, 6);
    CHECK_POOL(pool);

    /* The heir of the slot does not answer for it either. */
    enemy_pool_id heir = enemy_pool_create(pool, &(Enemy){7, 8, 9});
    CHECK_UINT(heir.raw.index1, a.raw.index1);
    CHECK_PTR_NULL(enemy_pool_get(pool, a));
    CHECK_RESULT(enemy_pool_kill(pool, a), KITH_ERR_DEAD);
    CHECK_INT(enemy_pool_get(pool, heir)->health, 9);
    end_pool(pool);
}

TEST(dead_entities_answer_to_plain_ids)
{
    kith_pool_def def = pool_def();
    plain_pool *pool = plain_pool_new(&def);
    plain_pool_id a = plain_pool_create(pool, &(Enemy){1, 2, 3});
    CHECK_INT(plain_pool_get(pool, a)->health, 3);
    CHECK_RESULT(plain_pool_kill(pool, a), KITH_OK);
    CHECK_PTR_NULL(plain_pool_get(pool, a));
    CHECK_PTR_NULL(plain_pool_get_mut(pool, a));
    CHECK(!plain_pool_alive(pool, a));
    CHECK_RESULT(plain_pool_kill(pool, a), KITH_ERR_DEAD);
    end_pool(pool);
}

/* ---- O(n) create ----------------------------------------------------------------------------- */

/* The source looks through all slots for a dead one. A million creates and kills in a pool of a
 * hundred thousand would be a hundred billion looks: days, not a blink. */
TEST_WITHIN(10, on_create)
{
    enum { COUNT = 100000 };
    static enemy_pool_id ids[COUNT];
    enemy_pool *pool = enemy_pool_new(NULL);
    for (int i = 0; i < COUNT; i++) {
        ids[i] = enemy_pool_create(pool, &(Enemy){0, 0, i});
    }
    for (int round = 0; round < 1000000; round++) {
        int i = COUNT - 1 - round % 1000;
        CHECK_RESULT(enemy_pool_kill(pool, ids[i]), KITH_OK);
        ids[i] = enemy_pool_create(pool, &(Enemy){0, 0, i});
        CHECK_INT(enemy_pool_get(pool, ids[i])->health, i);
    }
    CHECK_UINT(enemy_pool_memory(pool).slots, COUNT);
    CHECK_POOL(pool);
    enemy_pool_free(pool);
}

/* ---- unchecked id ---------------------------------------------------------------------------- */

static void check_dead(kith_pool *pool, uint32_t index1, uint32_t generation)
{
    kith_pool_id id = {index1, generation};
    CHECK(!kith_pool_alive(pool, id));
    CHECK_PTR_NULL(kith_pool_get(pool, id));
    CHECK_PTR_NULL(kith_pool_get_mut(pool, id));
    CHECK_RESULT(kith_pool_kill(pool, id), KITH_ERR_DEAD);
}

/* The source indexes its array with what it is given: negative, foreign, anything. */
TEST(unchecked_id)
{
    static const uint32_t numbers[] = {0,          1,          2,          3,          4,
                                       1023,       1024,       1025,       0x7FFFFFFF, 0x80000000,
                                       0xCCCCCCCC, 0xFFFFFFFD, 0xFFFFFFFE, 0xFFFFFFFF};
    enum { COUNT = sizeof(numbers) / sizeof(numbers[0]) };
    kith_pool_def def = pool_def();
    kith_pool *pool = kith_pool_new(&def, sizeof(Enemy), _Alignof(Enemy));
    for (int i = 0; i < COUNT * COUNT; i++) { /* while the pool is empty */
        check_dead(pool, numbers[i / COUNT], numbers[i % COUNT]);
        CHECK_ID(kith_pool_at(pool, numbers[i / COUNT]), 0, 0);
    }
    kith_pool_id ids[3];
    for (int i = 0; i < 3; i++) {
        CHECK_RESULT(kith_pool_create(pool, NULL, &ids[i]), KITH_OK);
    }
    CHECK_RESULT(kith_pool_kill(pool, ids[1]), KITH_OK);
    for (int i = 0; i < COUNT * COUNT; i++) {
        uint32_t index1 = numbers[i / COUNT];
        uint32_t generation = numbers[i % COUNT];
        if ((index1 == 1 || index1 == 3) && generation == 0) {
            CHECK(kith_pool_alive(pool, id_of(index1, generation)));
        } else {
            check_dead(pool, index1, generation);
        }
    }
    CHECK_ID(kith_pool_at(pool, 0), 1, 0);
    CHECK_ID(kith_pool_at(pool, 1), 0, 0);
    CHECK_ID(kith_pool_at(pool, 2), 3, 0);
    CHECK_ID(kith_pool_at(pool, 3), 0, 0);
    CHECK_ID(kith_pool_at(pool, UINT32_MAX), 0, 0);
    end_pool(pool);
}

TEST(unchecked_id_of_a_plain_pool)
{
    kith_pool_def def = pool_def();
    plain_pool *pool = plain_pool_new(&def);
    plain_pool_id only = plain_pool_create(pool, &(Enemy){1, 2, 3});
    CHECK_UINT(only.index1, 1);
    static const uint32_t numbers[] = {0, 2, 1024, 0x80000000, UINT32_MAX - 1, UINT32_MAX};
    for (int i = 0; i < 6; i++) {
        plain_pool_id id = {numbers[i]};
        CHECK(!plain_pool_alive(pool, id));
        CHECK_PTR_NULL(plain_pool_get(pool, id));
        CHECK_PTR_NULL(plain_pool_get_mut(pool, id));
        CHECK_RESULT(plain_pool_kill(pool, id), KITH_ERR_DEAD);
    }
    CHECK_INT(plain_pool_get(pool, only)->health, 3);
    end_pool(pool);
}

/* ---- pointers across create ------------------------------------------------------------------ */

/* The source's array moves when it is full. */
TEST(pointers_across_create)
{
    enum { COUNT = 5000 };
    static Enemy *pointers[COUNT];
    static enemy_pool_id ids[COUNT];
    kith_pool_def def = pool_def();
    enemy_pool *pool = enemy_pool_new(&def);
    for (int i = 0; i < COUNT; i++) {
        ids[i] = enemy_pool_create(pool, &(Enemy){(float)i, 0, i});
        pointers[i] = enemy_pool_get_mut(pool, ids[i]);
    }
    for (int i = 1; i < COUNT; i += 2) { /* the death of others does not matter */
        CHECK_RESULT(enemy_pool_kill(pool, ids[i]), KITH_OK);
    }
    for (int i = 0; i < COUNT; i++) {
        CHECK(!enemy_pool_is_none(enemy_pool_create(pool, NULL)));
    }
    for (int i = 0; i < COUNT; i += 2) {
        CHECK(enemy_pool_get(pool, ids[i]) == pointers[i]);
        CHECK_INT(pointers[i]->health, i);
        pointers[i]->x = -1;
        CHECK_FLOAT(enemy_pool_get(pool, ids[i])->x, -1);
    }
    end_pool(pool);
}

/* ---- generation only set on reuse ------------------------------------------------------------ */

typedef struct Follower {
    enemy_pool_id leader;
    bool follows;
} Follower;

static void follow(const enemy_pool *pool, Follower *follower)
{
    follower->follows = enemy_pool_alive(pool, follower->leader);
}

/* In the source a follower cannot tell a dead leader until somebody else has its slot. */
TEST(generation_only_set_on_reuse)
{
    kith_pool_def def = pool_def();
    enemy_pool *pool = enemy_pool_new(&def);
    Follower follower = {enemy_pool_create(pool, &(Enemy){1, 2, 3}), false};
    follow(pool, &follower);
    CHECK(follower.follows);
    CHECK_RESULT(enemy_pool_kill(pool, follower.leader), KITH_OK);
    CHECK_UINT(ki_pool_record_at((kith_pool *)pool, 0)->generation, 1);
    follow(pool, &follower);
    CHECK(!follower.follows);
    enemy_pool_id heir = enemy_pool_create(pool, &(Enemy){4, 5, 6});
    CHECK_ID(heir.raw, 1, 1);
    follow(pool, &follower);
    CHECK(!follower.follows);
    end_pool(pool);
}
