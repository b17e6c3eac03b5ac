/* What a snapshot holds of queues of events. */
#include <string.h>

#include "store/clone_column.h"
#include "world/world_state.h"

/* Adds a copy of a queue to a list, which holds the events that are not dropped; none with `empty`. */
static kith_result event_clone(kith_world *world, const ki_queue *from, bool empty,
                               ki_kept_list *to)
{
    ki_heap *heap = &world->store.context.heap;
    KI_TRY(ki_kept_list_reserve(world, to));
    ki_queue *queue = ki_heap_alloc(heap, sizeof *queue, _Alignof(ki_queue));
    if (queue == NULL) {
        return KITH_ERR_MEMORY;
    }
    uint32_t count = empty ? 0 : from->count - from->head;
    *queue = (ki_queue){.kept = {.type = from->kept.type, .number = from->kept.number},
                        .keep = from->keep,
                        .count = count,
                        .dropped = empty ? 0 : from->dropped};
    size_t bytes = ki_queue_ring(from) * sizeof *queue->sent;
    queue->sent = ki_heap_alloc_zeroed(heap, bytes, _Alignof(uint32_t));
    kith_result result = queue->sent == NULL
                             ? KITH_ERR_MEMORY
                             : ki_column_clone(&world->store.columns, &from->kept.values,
                                               from->head, count, &queue->kept.values);
    if (result != KITH_OK) {
        ki_heap_free(heap, queue->sent, queue->sent == NULL ? 0 : bytes, _Alignof(uint32_t));
        ki_heap_free(heap, queue, sizeof *queue, _Alignof(ki_queue));
        return result;
    }
    if (!empty) {
        memcpy(queue->sent, from->sent, bytes);
    }
    ki_kept_list_add(to, &queue->kept);
    return KITH_OK;
}

static kith_result event_clone_list(kith_world *world, const ki_kept_list *from, ki_kept_list *to)
{
    *to = (ki_kept_list){0};
    kith_result result = KITH_OK;
    for (uint32_t i = 0; i < from->count && result == KITH_OK; i++) {
        result = event_clone(world, (const ki_queue *)from->items[i], false, to);
    }
    if (result != KITH_OK) {
        ki_events_release(world, to);
    }
    return result;
}

kith_result ki_events_take(kith_world *world, ki_kept_list *taken)
{
    ki_kept_list queues = ki_world_queues(world);
    return event_clone_list(world, &queues, taken);
}

/* A queue that was made since stays, since its type was registered for events, but it is empty. */
kith_result ki_events_reserve(kith_world *world, const ki_kept_list *taken, ki_kept_list *ready)
{
    KI_TRY(event_clone_list(world, taken, ready));
    kith_result result = KITH_OK;
    for (uint32_t i = 0; i < world->queue_count && result == KITH_OK; i++) {
        if (ki_map_find(&taken->numbers, world->queues[i]->number) == NULL) {
            result = event_clone(world, (const ki_queue *)world->queues[i], true, ready);
        }
    }
    if (result != KITH_OK) {
        ki_events_release(world, ready);
    }
    return result;
}

void ki_events_restore(kith_world *world, ki_kept_list *ready)
{
    ki_kept_list old = ki_world_queues(world);
    world->queues = ready->items;
    world->queue_count = ready->count;
    world->queue_capacity = ready->capacity;
    world->queue_numbers = ready->numbers;
    *ready = (ki_kept_list){0};
    ki_events_release(world, &old);
}
