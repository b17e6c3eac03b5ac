/* Pools for tests: values of many sizes, on the allocator that counts and fails. */
#ifndef POOLS_H
#define POOLS_H

#include <kith/pool.h>
#include <string.h>

#include "pool/pool.h"
#include "test.h"

typedef struct Enemy {
    float x, y;
    int32_t health;
} Enemy;
KITH_POOL(enemy_pool, Enemy);

typedef struct Byte1 {
    uint8_t value;
} Byte1;
KITH_POOL(byte_pool, Byte1);

/* One a block, and more than a block has room for. */
typedef struct Large {
    uint8_t bytes[20001];
} Large;
KITH_POOL(large_pool, Large);

typedef struct Aligned64 {
    _Alignas(64) uint8_t bytes[64];
} Aligned64;
KITH_POOL(aligned_pool, Aligned64);

KITH_POOL(plain_pool, Enemy, plain);

#define CHECK_POOL(pool) check_pool(__FILE__, __LINE__, (const kith_pool *)(pool))

KITH_UNUSED_ static void check_pool(const char *file, int line, const kith_pool *pool)
{
    const char *wrong = "nothing is named";
    if (kith_pool_check(pool, &wrong) != KITH_OK) {
        test_fail(file, line, "kith_pool_check: %s", wrong);
    }
}

/* A def on a new test_memory, which is then `allocator.context`. */
KITH_UNUSED_ static kith_pool_def pool_def(void)
{
    return (kith_pool_def){.allocator = test_memory_allocator(test_memory_new())};
}

/* A pool of enemies with such a def. */
KITH_UNUSED_ static enemy_pool *enemies_new(void)
{
    kith_pool_def def = pool_def();
    return enemy_pool_new(&def);
}

KITH_UNUSED_ static test_memory *memory_of(const kith_pool *pool)
{
    return pool->context.heap.allocator.context;
}

/* Checks the pool and frees it; nothing may be left of its memory. */
KITH_UNUSED_ static void end_pool(void *typed)
{
    kith_pool *pool = typed;
    test_memory *memory = memory_of(pool);
    CHECK_POOL(pool);
    CHECK_UINT(kith_pool_memory(pool).used, memory->bytes);
    CHECK_UINT(kith_pool_memory(pool).allocations, memory->pieces);
    kith_pool_free(pool);
    test_memory_free(memory);
}

KITH_UNUSED_ static kith_pool_id id_of(uint32_t index1, uint32_t generation)
{
    return (kith_pool_id){index1, generation};
}

#define CHECK_ID(id, index1, generation) check_id(__FILE__, __LINE__, (id), (index1), (generation))

KITH_UNUSED_ static void check_id(const char *file, int line, kith_pool_id id, uint32_t index1,
                                  uint32_t generation)
{
    if (id.index1 != index1 || id.generation != generation) {
        test_fail(file, line, "the id is {%u, %u}, not {%u, %u}", id.index1, id.generation, index1,
                  generation);
    }
}

#endif
