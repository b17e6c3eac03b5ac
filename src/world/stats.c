/* What a world's memory is used for. */
#include "world/world.h"

KI_RARE kith_memory_stats kith_memory(const kith_world *world)
{
    kith_memory_stats none = {0};
    KI_REQUIRE_OPEN(world, "kith_memory", none);
    const ki_store *store = &world->store;
    const ki_heap *heap = &store->context.heap;
    kith_memory_stats stats = {.used = heap->used,
                               .peak = heap->peak,
                               .limit = heap->limit,
                               .texts = ki_texts_reserved(&world->texts),
                               .allocations = heap->allocations,
                               .entities = store->entities.alive,
                               .slots = store->entities.slots,
                               .retired = store->entities.retired,
                               .tables = store->table_count,
                               .types = store->component_count,
                               .text_count = world->texts.count};
    for (uint32_t part = 0; part < KI_PART_COUNT; part++) {
        const ki_attachment_calls *calls = world->parts[part].calls;
        if (calls != NULL && calls->count != NULL) {
            calls->count(world->parts[part].data, &stats);
        }
    }
    return stats;
}
