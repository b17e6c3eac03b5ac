/* The pool: one column of values, one of records, by slot. Values stay where they are: both columns
 * start with a full-size block, and are never shared, so that no block moves.
 *
 * Dead slots form a list through their own records, so that killing needs no memory. A slot that
 * has used up its generations is retired: it never lives again. */
#ifndef KI_POOL_POOL_H
#define KI_POOL_POOL_H

#include <kith/pool.h>

#include "base/context.h"
#include "store/column.h"

#define KI_POOL_ALIVE UINT32_MAX         /* a record's `next`, when somebody lives in the slot */
#define KI_POOL_RETIRED (UINT32_MAX - 1) /* ... and when nobody ever will again */
#define KI_POOL_SLOTS_MAX (UINT32_MAX - 2)

typedef struct ki_pool_record {
    uint32_t generation; /* of who lives here or, in a dead slot, of who will */
    uint32_t next;       /* index1 of the next dead slot, 0 at the end; or one of the two above */
} ki_pool_record;

struct kith_pool {
    ki_context context;
    ki_space space;
    ki_column records; /* ki_pool_record, one a slot */
    ki_column values;
    uint32_t slots;
    uint32_t alive;
    uint32_t retired;
    uint32_t free_head; /* index1 of the dead slot that is used next, 0 if there is none */
    uint32_t free_tail; /* ... and of the one that is used last */
    bool oldest_first;
};

static inline ki_pool_record *ki_pool_record_at(const kith_pool *pool, uint32_t slot)
{
    return ki_column_at(&pool->records, slot);
}

#endif
