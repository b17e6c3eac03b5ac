/* The queues of events that a world has, and how they are freed. */
#include "world/world_state.h"

void ki_queue_free(kith_world *world, ki_queue *queue)
{
    ki_heap *heap = &world->store.context.heap;
    ki_column_free(&world->store.columns, &queue->kept.values);
    ki_heap_free(heap, queue->sent, ki_queue_ring(queue) * sizeof *queue->sent, _Alignof(uint32_t));
    ki_heap_free(heap, queue, sizeof *queue, _Alignof(ki_queue));
}

ki_kept_list ki_world_queues(const kith_world *world)
{
    return (ki_kept_list){world->queues, world->queue_count, world->queue_capacity,
                          world->queue_numbers};
}

void ki_events_release(kith_world *world, ki_kept_list *queues)
{
    for (uint32_t i = 0; i < queues->count; i++) {
        ki_queue_free(world, (ki_queue *)queues->items[i]);
    }
    ki_kept_list_free(world, queues);
}
