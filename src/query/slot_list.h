#ifndef KI_QUERY_SLOT_LIST_H
#define KI_QUERY_SLOT_LIST_H

#include "base/heap.h"

/* Slots that a source names, in any order; one may come more than once. */
typedef struct ki_slot_list {
    uint32_t *slots;
    uint32_t count;
    uint32_t capacity;
} ki_slot_list;

/* Makes room for `count` more slots. KITH_ERR_MEMORY. */
static inline kith_result ki_slot_list_reserve(ki_heap *heap, ki_slot_list *list, uint32_t count)
{
    if (count > UINT32_MAX - list->count) {
        return KITH_ERR_MEMORY;
    }
    return ki_heap_grow(heap, &list->slots, &list->capacity, list->count + count,
                        sizeof *list->slots, 64);
}

#endif
