/* Lists of resources and of queues of events. */
#include "world/world_state.h"

kith_result ki_kept_list_reserve(kith_world *world, ki_kept_list *list)
{
    ki_heap *heap = &world->store.context.heap;
    KI_TRY(ki_map_reserve(heap, &list->numbers));
    return ki_heap_grow(heap, &list->items, &list->capacity, list->count + 1, sizeof *list->items,
                        4);
}

void ki_kept_list_add(ki_kept_list *list, ki_kept *kept)
{
    list->items[list->count++] = kept;
    ki_map_insert(&list->numbers, kept->number, kept);
}

void ki_kept_list_free(kith_world *world, ki_kept_list *list)
{
    ki_heap *heap = &world->store.context.heap;
    ki_heap_free(heap, list->items, list->capacity * sizeof *list->items, _Alignof(max_align_t));
    ki_map_free(heap, &list->numbers);
    *list = (ki_kept_list){0};
}
