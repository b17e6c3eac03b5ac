#include "query/query_source.h"

void ki_source_add(ki_source *source)
{
    source->next = source->component->sources;
    source->component->sources = source;
}

void ki_source_remove(ki_source *source)
{
    ki_source **link = &source->component->sources;
    while (*link != source) {
        link = &(*link)->next;
    }
    *link = source->next;
}

kith_result ki_slot_list_reserve(ki_heap *heap, ki_slot_list *list, uint32_t count)
{
    if (count > UINT32_MAX - list->count) {
        return KITH_ERR_MEMORY;
    }
    return ki_heap_grow(heap, &list->slots, &list->capacity, list->count + count,
                        sizeof *list->slots, 64);
}
