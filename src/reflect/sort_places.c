#include "reflect/sort_places.h"

#include "store/relation.h"

#define PLACES_NONE UINT32_MAX

kith_result ki_sort_places_begin(ki_sort_places *places, ki_store *store)
{
    ki_heap *heap = &store->context.heap;
    const uint32_t slots = store->entities.slots;
    const size_t bytes = ki_heap_bytes(slots, sizeof(uint32_t));
    *places = (ki_sort_places){.slots = slots};
    places->of = ki_heap_alloc(heap, bytes, _Alignof(uint32_t));
    places->queue = ki_heap_alloc(heap, bytes, _Alignof(uint32_t));
    if (places->of == NULL || places->queue == NULL) {
        return KITH_ERR_MEMORY;
    }
    memset(places->of, 0xff, bytes);
    return KITH_OK;
}

void ki_sort_places_free(ki_sort_places *places, ki_store *store)
{
    ki_heap *heap = &store->context.heap;
    const size_t bytes = ki_heap_bytes(places->slots, sizeof(uint32_t));
    ki_heap_free(heap, places->of, bytes, _Alignof(uint32_t));
    ki_heap_free(heap, places->queue, bytes, _Alignof(uint32_t));
}

static void places_add(ki_sort_places *places, uint32_t slot)
{
    places->of[slot] = places->count;
    places->queue[places->count++] = slot;
}

void ki_sort_places_add_roots(ki_sort_places *places, const ki_store *store, const ki_rows *rows)
{
    for (uint32_t row = 0; row < rows->count; row++) {
        const kith_entity *entity = ki_column_at(&rows->entities, row);
        if (ki_entity_parent1(store, entity->index1 - 1) == 0) {
            places_add(places, entity->index1 - 1);
        }
    }
}

/* The children of a level follow it in the queue. */
void ki_sort_places_end(ki_sort_places *places, const ki_store *store, kith_order order)
{
    const ki_relation *child_of = store->child_of;
    for (uint32_t slot = 0; child_of != NULL && slot < places->slots; slot++) {
        const ki_link link = ki_relation_link(child_of, slot);
        if (link.target1 == 0 && link.first1 != 0 && places->of[slot] == PLACES_NONE) {
            places_add(places, slot);
        }
    }
    for (uint32_t begin = 0, end = places->count; begin < end; begin = end, end = places->count) {
        const uint32_t first = order == KITH_PARENTS_FIRST ? begin : PLACES_NONE - end;
        for (uint32_t i = begin; i < end; i++) {
            const uint32_t slot = places->queue[i];
            places->of[slot] = first + (i - begin);
            uint32_t at1 = child_of == NULL ? 0 : ki_relation_link(child_of, slot).first1;
            for (; at1 != 0; at1 = ki_relation_link(child_of, at1 - 1).next1) {
                places->queue[places->count++] = at1 - 1;
            }
        }
    }
}
