/* What a world keeps of resources and events. */
#ifndef KI_WORLD_KEPT_H
#define KI_WORLD_KEPT_H

#include <kith/type.h>

#include "store/column.h"

/* Values that the world keeps by their type: those of a resource, one row, or of a queue of events. */
typedef struct ki_kept {
    const kith_type *type;
    uint32_t number; /* the type's */
    ki_column values;
} ki_kept;

typedef struct ki_queue {
    ki_kept kept;
    uint32_t keep;
    uint32_t *sent;   /* events by the run that they belong to, in a ring of keep + 2 */
    uint32_t head;    /* row of the oldest event */
    uint32_t ended;   /* rows whose values have ended: up to `head`, or fewer that have hooks */
    uint32_t count;   /* rows, those before `head` included */
    uint64_t dropped; /* events that are gone: the number of the oldest one that is here */
} ki_queue;

/* The length of `sent`. */
static inline size_t ki_queue_ring(const ki_queue *queue)
{
    return queue->keep + 2;
}

#endif
