#include <kith/floats.h>

#include "index/spatial_pool.h"

#include <string.h>

#include "base/compiler.h"

_Static_assert(KI_SPATIAL_STEP *KI_SPATIAL_SIZES == KI_SPATIAL_LEAF, "a list for each size");

kith_result ki_spatial_pool_reserve(ki_spatial_pool *pool, ki_heap *heap, uint64_t count)
{
    const uint64_t needed = pool->used + count;
    if (needed <= pool->capacity) {
        return KITH_OK;
    }
    if (needed > UINT32_MAX) {
        return KITH_ERR_LIMIT;
    }
    uint64_t capacity = (uint64_t)pool->capacity + pool->capacity / 4;
    capacity = capacity < needed ? needed + needed / 8 : capacity; /* the first moves need some */
    capacity = capacity > UINT32_MAX ? UINT32_MAX : capacity;
    const size_t align = _Alignof(double);
    unsigned char *entries = ki_heap_alloc(heap, ki_heap_bytes(capacity, pool->stride), align);
    if (entries == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (pool->used > 0) {
        memcpy(entries, pool->entries, (size_t)pool->used * pool->stride);
    }
    ki_heap_free(heap, pool->entries, (size_t)pool->capacity * pool->stride, align);
    pool->entries = entries;
    pool->capacity = (uint32_t)capacity;
    return KITH_OK;
}

uint32_t ki_spatial_pool_alloc(ki_spatial_pool *pool, uint32_t room)
{
    uint32_t *list = &pool->free[room / KI_SPATIAL_STEP];
    if (*list != 0) {
        const uint32_t start = *list - 1;
        memcpy(list, ki_spatial_pool_at(pool, start), sizeof *list);
        pool->spare -= room;
        return start;
    }
    const uint32_t start = pool->used;
    pool->used += room;
    KI_ASSERT(pool->used <= pool->capacity);
    return start;
}

void ki_spatial_pool_free(ki_spatial_pool *pool, uint32_t start, uint32_t room)
{
    if (room == 0) {
        return;
    }
    uint32_t *list = &pool->free[room / KI_SPATIAL_STEP];
    memcpy(ki_spatial_pool_at(pool, start), list, sizeof *list);
    *list = start + 1;
    pool->spare += room;
}

void ki_spatial_pool_end(ki_spatial_pool *pool, ki_heap *heap)
{
    ki_heap_free(heap, pool->entries, (size_t)pool->capacity * pool->stride, _Alignof(double));
    *pool = (ki_spatial_pool){.stride = pool->stride};
}
