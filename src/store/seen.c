#include "store/seen.h"

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
        ki_bitset_free(&value_diff->lost, columns->heap);
        ki_heap_free(columns->heap, value_diff, sizeof *value_diff, _Alignof(ki_value_diff));
    }
}

kith_result ki_value_diff_reserve(ki_column_context *columns, ki_value_diff *value_diff,
                                  uint32_t index, ki_seen **seen)
{
    KI_TRY(ki_bitset_reserve(&value_diff->lost, columns->heap, index));
    KI_TRY(ki_column_reserve_row(columns, &value_diff->seen, index));
    *seen = ki_column_at(&value_diff->seen, index);
    return KITH_OK;
}

void ki_value_diff_forget(ki_value_diff *value_diff, const kith_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = entities[i].index1 - 1;
        if (ki_bitset_page(&value_diff->lost, index / KI_BITSET_PAGE_BITS) != NULL) {
            ki_bitset_insert(&value_diff->lost, index);
        }
    }
}

kith_result ki_value_diff_settle(ki_column_context *columns, ki_value_diff *value_diff)
{
    ki_bitset *lost = &value_diff->lost;
    for (uint32_t index = ki_bitset_next(lost, 0); index != UINT32_MAX;
         index = ki_bitset_next(lost, index + 1)) {
        if (ki_column_has_page(&value_diff->seen, index)) {
            ki_seen *seen;
            KI_TRY(ki_value_diff_reserve(columns, value_diff, index, &seen));
            seen->changed = 0;
        }
        ki_bitset_remove(lost, index);
    }
    return KITH_OK;
}

void ki_value_diff_recall(ki_value_diff *value_diff)
{
    ki_bitset *lost = &value_diff->lost;
    for (uint32_t index = ki_bitset_next(lost, 0); index != UINT32_MAX;
         index = ki_bitset_next(lost, index + 1)) {
        ki_bitset_remove(lost, index);
    }
}

kith_result ki_value_diff_adopt(ki_column_context *columns, ki_value_diff *value_diff)
{
    const uint32_t step = ki_min_u32(ki_column_block_rows(&value_diff->seen), KI_BITSET_PAGE_BITS);
    for (uint32_t index = 0; index < value_diff->seen.capacity; index += step) {
        if (ki_column_has_page(&value_diff->seen, index)) {
            KI_TRY(ki_bitset_reserve(&value_diff->lost, columns->heap, index));
        }
    }
    return KITH_OK;
}
