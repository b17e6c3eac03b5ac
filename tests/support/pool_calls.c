#include "pool_calls.h"

#include <kith/pool.h>

KITH_POOL(position_pool, Position);

static position_pool *pool_on(test_memory *memory)
{
    const kith_pool_def def = {.allocator = test_memory_allocator(memory)};
    return position_pool_new(&def);
}

static void end_pool(position_pool *pool)
{
    CHECK_RESULT(position_pool_check(pool, NULL), KITH_OK);
    position_pool_free(pool);
}

kith_result pool_call_new(stage *s)
{
    position_pool *pool = pool_on(s->f.memory);
    if (pool == NULL) {
        return KITH_ERR_MEMORY;
    }
    end_pool(pool);
    return KITH_OK;
}

kith_result pool_call_create(stage *s)
{
    position_pool *pool = pool_on(s->f.memory);
    if (pool == NULL) {
        return KITH_ERR_MEMORY;
    }
    position_pool_id id = {{77, 77}};
    kith_result result = position_pool_try_create(pool, &(Position){1, 2}, &id);
    CHECK_UINT(id.raw.index1, result == KITH_OK ? 1 : 77);
    CHECK_UINT(position_pool_count(pool), result == KITH_OK);
    end_pool(pool);
    return result;
}

kith_result pool_call_reserve(stage *s)
{
    position_pool *pool = pool_on(s->f.memory);
    if (pool == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = position_pool_reserve(pool, 3000);
    CHECK_UINT(position_pool_memory(pool).slots, 0);
    end_pool(pool);
    return result;
}

/* On a pool whose own memory is used up once it is made. */
uint64_t pool_call_ask(stage *s)
{
    test_memory *memory = test_memory_new();
    position_pool *pool = pool_on(memory);
    position_pool_id ids[3];
    for (int i = 0; i < 3; i++) {
        ids[i] = position_pool_create(pool, &(Position){(float)i, (float)s->def.rows});
    }
    test_memory_fail(memory, 1, true);
    CHECK_RESULT(position_pool_kill(pool, ids[1]), KITH_OK);
    position_pool_get_mut(pool, ids[0])->x = 5;
    uint64_t answer = (uint64_t)position_pool_get(pool, ids[0])->x;
    answer = answer * 31 + position_pool_alive(pool, ids[1]);
    answer = answer * 31 + kith_pool_at((const kith_pool *)pool, 2).index1;
    for (position_pool_id e = {{0, 0}}; position_pool_next(pool, &e) != NULL;) {
        answer = answer * 31 + e.raw.index1;
    }
    for (position_pool_id e = {{0, 0}}; position_pool_next_mut(pool, &e) != NULL;) {
        answer = answer * 31 + e.raw.index1;
    }
    position_pool_clear(pool);
    answer = answer * 31 + position_pool_count(pool);
    answer = answer * 31 + position_pool_memory(pool).slots;
    end_pool(pool);
    CHECK(!test_memory_fail_nothing(memory));
    test_memory_free(memory);
    return answer;
}
