/* Want of memory: whichever allocation fails, the pool is as it was, and goes on. */
#include "pools.h"

/* ---- The sweep ------------------------------------------------------------------------------- */

typedef struct attempt {
    const char *name;
    kith_result (*act)(enemy_pool *pool);
} attempt;

static kith_result create(enemy_pool *pool)
{
    enemy_pool_id id = {{0xEEEEEEEE, 0xEEEEEEEE}};
    kith_result result = enemy_pool_try_create(pool, &(Enemy){1, 2, 3}, &id);
    CHECK_INT(id.raw.index1 == 0xEEEEEEEE && id.raw.generation == 0xEEEEEEEE, result != KITH_OK);
    return result;
}

static kith_result create_or_none(enemy_pool *pool)
{
    enemy_pool_id id = enemy_pool_create(pool, &(Enemy){1, 2, 3});
    CHECK_INT(enemy_pool_is_none(id), !enemy_pool_alive(pool, id));
    return enemy_pool_is_none(id) ? KITH_ERR_MEMORY : KITH_OK;
}

static kith_result create_from_within(enemy_pool *pool)
{
    enemy_pool_id first = {0};
    const Enemy *enemy = enemy_pool_next(pool, &first);
    enemy_pool_id id;
    return enemy_pool_try_create(pool, enemy, &id);
}

static kith_result reserve(enemy_pool *pool)
{
    return enemy_pool_reserve(pool, 5000);
}

static const attempt attempts[] = {{"create", create},
                                   {"create, or none", create_or_none},
                                   {"create from a value in the pool", create_from_within},
                                   {"reserve", reserve}};

/* All that can be seen of a pool but its memory. */
static uint64_t look(const enemy_pool *typed)
{
    const kith_pool *pool = (const kith_pool *)typed;
    uint64_t seen = pool->slots;
    seen = seen * 31 + pool->alive;
    seen = seen * 31 + pool->retired;
    seen = seen * 31 + pool->free_head;
    seen = seen * 31 + pool->free_tail;
    for (uint32_t slot = 0; slot < pool->slots; slot++) {
        seen = seen * 31 + ki_pool_record_at(pool, slot)->generation;
        seen = seen * 31 + ki_pool_record_at(pool, slot)->next;
        const Enemy *enemy = kith_pool_get(pool, kith_pool_at(pool, slot));
        seen = seen * 31 + (uintptr_t)enemy;
        seen = seen * 31 + (enemy != NULL ? (uint32_t)enemy->health : 0);
    }
    return seen;
}

static bool attempt_fails(const attempt *a, uint32_t rows, uint32_t dead, size_t nth, bool on)
{
    enemy_pool *pool = enemies_new();
    test_memory *memory = memory_of((kith_pool *)pool);
    for (uint32_t i = 0; i < rows; i++) {
        CHECK_RESULT(create(pool), KITH_OK);
    }
    for (uint32_t i = 0; i < dead; i++) {
        CHECK_RESULT(enemy_pool_kill(pool, (enemy_pool_id){{i * 7 + 1, 0}}), KITH_OK);
    }
    uint64_t before = look(pool);
    test_memory_fail(memory, nth, on);
    kith_result result = a->act(pool);
    bool reached = test_memory_fail_nothing(memory);
    CHECK_POOL(pool);
    CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
    CHECK_UINT(enemy_pool_memory(pool).used, memory->bytes);
    if (reached) {
        CHECK(look(pool) == before);
        CHECK_RESULT(a->act(pool), KITH_OK);
        CHECK_POOL(pool);
    }
    CHECK(a->act == reserve || enemy_pool_count(pool) == rows - dead + 1);
    end_pool(pool);
    return reached;
}

TEST_WITHIN(10, a_call_that_fails_changes_nothing)
{
    static const uint32_t sizes[][2] = {{0, 0},    {1, 0},    {1023, 0}, {1024, 0},
                                        {1024, 2}, {2048, 0}, {4096, 0}, {5120, 0}};
    for (size_t i = 0; test_row(i, ROWS_OF(attempts)); i++) {
        uint32_t failures = 0;
        test_note(attempts[i].name);
        for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
            for (int on = 0; on < 2; on++) {
                size_t nth = 1;
                while (attempt_fails(&attempts[i], sizes[k][0], sizes[k][1], nth, on != 0)) {
                    nth++;
                    failures++;
                }
                CHECK(nth > 1 || sizes[k][0] == 1 || sizes[k][0] == 1023 || sizes[k][1] > 0);
            }
        }
        CHECK(failures > 5);
    }
}

/* What is reserved is certain; free slots count. */
TEST(what_was_reserved_does_not_fail)
{
    static const uint32_t counts[] = {0, 1, 5, 1000, 1024, 1025, 5000};
    for (int i = 0; i < 7; i++) {
        for (uint32_t dead = 0; dead <= 3; dead += 3) {
            enemy_pool *pool = enemies_new();
            for (uint32_t k = 0; k < 1024; k++) {
                CHECK_RESULT(create(pool), KITH_OK);
            }
            for (uint32_t k = 0; k < dead; k++) {
                CHECK_RESULT(enemy_pool_kill(pool, (enemy_pool_id){{k + 1, 0}}), KITH_OK);
            }
            CHECK_RESULT(enemy_pool_reserve(pool, counts[i]), KITH_OK);
            test_memory_fail(memory_of((kith_pool *)pool), 1, true);
            for (uint32_t k = 0; k < counts[i]; k++) {
                CHECK_RESULT(create(pool), KITH_OK);
            }
            CHECK(!test_memory_fail_nothing(memory_of((kith_pool *)pool)));
            end_pool(pool);
        }
    }
}

/* Nothing but create and reserve takes memory. */
TEST(killing_needs_no_memory)
{
    enemy_pool *pool = enemies_new();
    for (uint32_t i = 0; i < 3000; i++) {
        CHECK_RESULT(create(pool), KITH_OK);
    }
    test_memory *memory = memory_of((kith_pool *)pool);
    test_memory_fail(memory, 1, true);
    for (uint32_t i = 0; i < 3000; i += 2) {
        CHECK_RESULT(enemy_pool_kill(pool, (enemy_pool_id){{i + 1, 0}}), KITH_OK);
    }
    uint32_t visited = 0;
    for (enemy_pool_id e = {0}; enemy_pool_next_mut(pool, &e) != NULL;) {
        visited++;
    }
    CHECK_UINT(visited, 1500);
    CHECK_POOL(pool);
    enemy_pool_clear(pool);
    for (uint32_t i = 0; i < 3000; i++) { /* the slots are there to be used */
        CHECK_RESULT(create(pool), KITH_OK);
    }
    CHECK(!test_memory_fail_nothing(memory));
    end_pool(pool);
}

/* ---- Limits and defs ------------------------------------------------------------------------- */

TEST(a_memory_limit_is_kept)
{
    const size_t limit = 100000;
    kith_pool_def def = pool_def();
    def.memory_limit = limit;
    enemy_pool *pool = enemy_pool_new(&def);
    uint32_t made = 0;
    while (create(pool) == KITH_OK) {
        CHECK(memory_of((kith_pool *)pool)->bytes <= limit);
        made++;
    }
    CHECK(made > 2000 && made % 1024 == 0);
    kith_pool_stats stats = enemy_pool_memory(pool);
    CHECK(stats.used <= limit && stats.peak <= limit);
    CHECK_UINT(stats.limit, limit);
    CHECK_UINT(stats.alive, made);
    CHECK_UINT(stats.slots, made);
    CHECK_POOL(pool);

    /* Room for one more when one has died. */
    CHECK_RESULT(enemy_pool_kill(pool, (enemy_pool_id){{5, 0}}), KITH_OK);
    CHECK_RESULT(create(pool), KITH_OK);
    CHECK_RESULT(create(pool), KITH_ERR_MEMORY);
    CHECK(enemy_pool_is_none(enemy_pool_create(pool, NULL)));
    end_pool(pool);
}

TEST(a_pool_that_cannot_be_made_leaves_nothing)
{
    static const uint32_t expected[] = {0, 1, 5000};
    for (int i = 0; i < 3; i++) {
        bool reached = true;
        for (size_t nth = 1; reached; nth++) {
            test_memory *memory = test_memory_new();
            const kith_pool_def def = {.allocator = test_memory_allocator(memory),
                                       .expected = expected[i]};
            test_memory_fail(memory, nth, false);
            enemy_pool *pool = enemy_pool_new(&def);
            reached = test_memory_fail_nothing(memory);
            CHECK_INT(pool == NULL, reached);
            if (pool != NULL) {
                CHECK_POOL(pool);
                test_memory_fail(memory, 1, true);
                for (uint32_t k = 0; k < expected[i]; k++) {
                    CHECK_RESULT(create(pool), KITH_OK);
                }
                test_memory_fail_nothing(memory);
            }
            enemy_pool_free(pool);
            test_memory_free(memory);
        }
    }
}

TEST(a_def_that_makes_no_sense)
{
    test_memory *memory = test_memory_new();
    kith_pool_def def = {.allocator = test_memory_allocator(memory)};
    def.allocator.release = NULL;
    CHECK_PTR_NULL(enemy_pool_new(&def));
    def.allocator = test_memory_allocator(memory);
    def.allocator.allocate = NULL;
    CHECK_PTR_NULL(enemy_pool_new(&def));
    def.allocator = test_memory_allocator(memory);
    def.expected = UINT32_MAX;
    CHECK_PTR_NULL(enemy_pool_new(&def));
    def.expected = 1;
    def.memory_limit = 100;
    CHECK_PTR_NULL(enemy_pool_new(&def));
    CHECK_UINT(memory->pieces, 0);
    test_memory_free(memory);
}

/* Without functions: the C library's memory. */
TEST(a_pool_without_an_allocator)
{
    large_pool *pool = large_pool_new(NULL);
    for (int i = 0; i < 10; i++) {
        CHECK(!large_pool_is_none(large_pool_create(pool, NULL)));
    }
    CHECK_POOL(pool);
    large_pool_free(pool);
}
