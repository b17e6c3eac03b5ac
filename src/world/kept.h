/* What a world keeps of resources and events. */
#ifndef KI_WORLD_KEPT_H
#define KI_WORLD_KEPT_H

#include <kith/type.h>

#include "base/map.h"
#include "store/column.h"

/* Values of one type that the world keeps: a resource, which is one row, or a queue of events. */
typedef struct ki_kept {
    const kith_type *type;
    uint32_t number; /* the type's number */
    ki_column values;
} ki_kept;

typedef struct ki_queue {
    ki_kept kept;
    uint32_t keep;
    uint32_t *sent;   /* events in each of the last runs: a ring of keep + 2 counts */
    uint32_t head;    /* row of the oldest event */
    uint32_t ended;   /* rows with destroyed values; less than `head` if hooks have still to run */
    uint32_t count;   /* rows, including those before `head` */
    uint64_t dropped; /* events removed so far: the number of the oldest event still here */
} ki_queue;

/* The length of `sent`. */
static inline size_t ki_queue_ring(const ki_queue *queue)
{
    return queue->keep + 2;
}

/* All resources, or all queues: a world's, or what a snapshot holds of them. */
typedef struct ki_kept_list {
    ki_kept **items;
    uint32_t count;
    uint32_t capacity;
    ki_map numbers; /* the items by the numbers of their types */
} ki_kept_list;

#endif
