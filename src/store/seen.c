#include "store/seen.h"

#include "store/clone_column.h"

ki_value_diff *ki_value_diff_new(ki_heap *heap, uint32_t size)
{
    ki_value_diff *value_diff =
        ki_heap_alloc_zeroed(heap, sizeof *value_diff, _Alignof(ki_value_diff));
    if (value_diff != NULL) {
        uint32_t bytes = (uint32_t)(sizeof(ki_seen) + ki_round_up(size, 8));
        ki_column_init_paged(&value_diff->seen, bytes, _Alignof(ki_seen), ki_block_shift(bytes));
    }
    return value_diff;
}

void ki_value_diff_free(ki_column_context *columns, ki_value_diff *value_diff)
{
    if (value_diff != NULL) {
        ki_column_free(columns, &value_diff->seen);
        ki_heap_free(columns->heap, value_diff, sizeof *value_diff, _Alignof(ki_value_diff));
    }
}

ki_value_diff *ki_value_diff_clone(ki_column_context *columns, const ki_value_diff *from)
{
    ki_value_diff *value_diff =
        ki_heap_alloc(columns->heap, sizeof *value_diff, _Alignof(ki_value_diff));
    if (value_diff == NULL) {
        return NULL;
    }
    value_diff->refreshed = from->refreshed;
    if (ki_column_clone_pages(columns, &from->seen, &value_diff->seen) != KITH_OK) {
        ki_heap_free(columns->heap, value_diff, sizeof *value_diff, _Alignof(ki_value_diff));
        return NULL;
    }
    return value_diff;
}

void ki_value_diff_forget(ki_value_diff *value_diff, const kith_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = entities[i].index1 - 1;
        if (ki_column_has_page(&value_diff->seen, index)) {
            ((ki_seen *)ki_column_at(&value_diff->seen, index))->changed = 0;
        }
    }
}
