#include "query/depths.h"

/* Makes room for a depth of each slot; those that are new are not known. */
static kith_result depths_reserve(ki_store *store, ki_depths *depths)
{
    uint32_t was = depths->capacity;
    KI_TRY(ki_heap_grow(&store->context.heap, &depths->depth1, &depths->capacity,
                        store->entities.slots, sizeof *depths->depth1, 64));
    memset(depths->depth1 + was, 0, (depths->capacity - was) * sizeof *depths->depth1);
    return KITH_OK;
}

bool ki_depths_are_right(const ki_depths *depths)
{
    const ki_column *links = &depths->child_of->links;
    return depths->time != 0 && depths->blocks == links->block_count &&
           ki_column_is_same(links, depths->time);
}

kith_result ki_depths_refresh(ki_store *store)
{
    ki_depths *depths = store->depths;
    if (depths == NULL) {
        depths = ki_heap_alloc_zeroed(&store->context.heap, sizeof *depths, _Alignof(ki_depths));
        if (depths == NULL) {
            return KITH_ERR_MEMORY;
        }
        depths->child_of = store->child_of;
        store->depths = depths;
    }
    if (depths->capacity < store->entities.slots) {
        KI_TRY(depths_reserve(store, depths));
    }
    if (ki_depths_are_right(depths)) {
        return KITH_OK;
    }
    if (depths->capacity != 0) {
        memset(depths->depth1, 0, depths->capacity * sizeof *depths->depth1);
    }
    depths->blocks = depths->child_of->links.block_count;
    depths->time = store->columns.write_clock++;
    depths->round++;
    return KITH_OK;
}

void ki_depths_free(ki_store *store)
{
    ki_depths *depths = store->depths;
    if (depths != NULL) {
        ki_heap *heap = &store->context.heap;
        ki_heap_free(heap, depths->depth1, depths->capacity * sizeof *depths->depth1,
                     _Alignof(max_align_t));
        ki_heap_free(heap, depths, sizeof *depths, _Alignof(ki_depths));
        store->depths = NULL;
    }
}

uint32_t ki_depth_find(ki_depths *depths, uint32_t index)
{
    const ki_relation *child_of = depths->child_of;
    uint32_t steps = 0;
    uint32_t at1 = index + 1;
    while (at1 != 0 && depths->depth1[at1 - 1] == 0) {
        at1 = ki_relation_link(child_of, at1 - 1).target1;
        steps++;
    }
    const uint32_t found1 = steps + (at1 == 0 ? 0 : depths->depth1[at1 - 1]);
    at1 = index + 1;
    for (uint32_t depth1 = found1; steps != 0; depth1--, steps--) {
        depths->depth1[at1 - 1] = depth1;
        at1 = ki_relation_link(child_of, at1 - 1).target1;
    }
    return found1 - 1;
}
