/* A pool: a column of values and a column of records, both by slot. Values never move: the columns
 * have full-size blocks only, and are never shared.
 *
 * Free slots form a list through their records, so killing needs no memory. A slot that has used
 * all its generations is retired and never used again. */
#ifndef KI_POOL_POOL_H
#define KI_POOL_POOL_H

#include <kith/pool.h>

#include "base/context.h"
#include "store/column.h"

#define KI_POOL_ALIVE UINT32_MAX         /* a record's `next`: the slot has a living value */
#define KI_POOL_RETIRED (UINT32_MAX - 1) /* ... it never will again */
#define KI_POOL_SLOTS_MAX (UINT32_MAX - 2)

typedef struct ki_pool_record {
    uint32_t generation; /* of the living value or, in a free slot, of the next one */
    uint32_t next;       /* index1 of the next free slot, 0 at the end; or one of the two above */
} ki_pool_record;

struct kith_pool {
    ki_context context;
    ki_column_context space;
    ki_column records; /* ki_pool_record, one a slot */
    ki_column values;
    uint32_t slots;
    uint32_t alive;
    uint32_t retired;
    uint32_t free_head; /* index1 of the free slot that is used next; 0: none is free */
    uint32_t free_tail; /* ... and of the one that is used last */
    bool oldest_first;
};

static inline ki_pool_record *ki_pool_record_at(const kith_pool *pool, uint32_t slot)
{
    return ki_column_at(&pool->records, slot);
}

#endif
