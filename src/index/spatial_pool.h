/* Short arrays of spatial entries, out of one long array.
 *
 * An array has room for a multiple of four entries, up to KI_SPATIAL_LEAF. Freed ones are kept in
 * a list for each size. */
#ifndef KI_INDEX_SPATIAL_POOL_H
#define KI_INDEX_SPATIAL_POOL_H

#include "base/heap.h"

enum { KI_SPATIAL_STEP = 4, KI_SPATIAL_LEAF = 48, KI_SPATIAL_SIZES = 12 };

typedef struct ki_spatial_pool {
    unsigned char *entries;
    uint32_t stride;                     /* bytes of an entry */
    uint32_t capacity;                   /* in entries, as all here */
    uint32_t used;                       /* what is after it was never part of an array */
    uint32_t spare;                      /* in freed arrays */
    uint32_t free[KI_SPATIAL_SIZES + 1]; /* by size; the first freed array plus 1; 0: none */
} ki_spatial_pool;

/* Room for `count` entries in an array. */
static inline uint32_t ki_spatial_pool_room(uint32_t count)
{
    return (count + KI_SPATIAL_STEP - 1) / KI_SPATIAL_STEP * KI_SPATIAL_STEP;
}

static inline unsigned char *ki_spatial_pool_at(const ki_spatial_pool *pool, uint32_t start)
{
    return pool->entries + (size_t)start * pool->stride;
}

/* Makes room for `count` more entries after what is in use. KITH_ERR_MEMORY, KITH_ERR_LIMIT */
kith_result ki_spatial_pool_reserve(ki_spatial_pool *pool, ki_heap *heap, uint64_t count);

/* An array with that much room, which ki_spatial_pool_room gave. Room for as many was reserved. */
uint32_t ki_spatial_pool_alloc(ki_spatial_pool *pool, uint32_t room);

/* `room` may be 0: then there is no array. */
void ki_spatial_pool_free(ki_spatial_pool *pool, uint32_t start, uint32_t room);

void ki_spatial_pool_end(ki_spatial_pool *pool, ki_heap *heap);

#endif
