#include "store/sparse.h"

void ki_sparse_init(ki_sparse *set, uint32_t size, uint32_t align, const struct ki_hooks *hooks)
{
    *set = (ki_sparse){0};
    ki_column_init_paged(&set->index, sizeof(uint32_t), _Alignof(uint32_t), KI_SPARSE_PAGE_SHIFT);
    ki_column_init(&set->values, size, align);
    ki_column_set_hooks(&set->values, hooks);
    ki_rows_init(&set->rows, &set->values, 1);
}

void ki_sparse_free(ki_column_context *columns, ki_sparse *set)
{
    ki_column_free(columns, &set->index);
    ki_rows_free(columns, &set->rows);
}

void ki_sparse_trim(ki_column_context *columns, ki_sparse *set)
{
    ki_column_trim_pages(columns, &set->index, ki_column_is_zero, NULL);
    ki_rows_trim(columns, &set->rows);
}

bool ki_sparse_mark_leaving_each(ki_column_context *columns, ki_sparse *set,
                                 const uint32_t *indexes, uint32_t count, uint32_t *found)
{
    uint32_t shift = ki_rows_block_shift(&set->rows);
    uint32_t marked_rows = UINT32_MAX; /* the last block of rows that was marked, */
    uint32_t marked_page = UINT32_MAX; /* and page of slots */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row1 = ki_sparse_row1(set, indexes[i]);
        if (row1 == 0) {
            continue;
        }
        ++*found;
        if ((row1 - 1) >> shift != marked_rows && !ki_rows_mark(columns, &set->rows, row1 - 1)) {
            return false;
        }
        marked_rows = (row1 - 1) >> shift;
        if (indexes[i] >> KI_SPARSE_PAGE_SHIFT != marked_page &&
            !ki_column_mark(columns, &set->index, indexes[i])) {
            return false;
        }
        marked_page = indexes[i] >> KI_SPARSE_PAGE_SHIFT;
    }
    return true;
}

bool ki_sparse_mark_leaving_span(ki_column_context *columns, ki_sparse *set, uint32_t first,
                                 uint32_t count)
{
    uint32_t shift = ki_rows_block_shift(&set->rows);
    uint32_t marked = UINT32_MAX; /* the last block of rows that was */
    for (uint32_t index = first; index < first + count; index++) {
        uint32_t row = *KI_COLUMN_AT(const uint32_t, &set->index, index) - 1;
        if (row >> shift != marked && !ki_rows_mark(columns, &set->rows, row)) {
            return false;
        }
        marked = row >> shift;
    }
    return ki_column_mark_rows(columns, &set->index, first, count);
}

bool ki_sparse_mark_values_span(ki_column_context *columns, ki_sparse *set, uint32_t first,
                                uint32_t count)
{
    uint32_t marked = UINT32_MAX; /* the last block of values that was */
    for (uint32_t index = first; index < first + count; index++) {
        uint32_t row = *KI_COLUMN_AT(const uint32_t, &set->index, index) - 1;
        if (row >> set->values.shift != marked && !ki_column_mark(columns, &set->values, row)) {
            return false;
        }
        marked = row >> set->values.shift;
    }
    return true;
}

bool ki_sparse_mark_removal(ki_column_context *columns, ki_sparse *set, uint32_t index)
{
    uint32_t last = set->rows.count - 1;
    return ki_sparse_mark_leaving(columns, set, index) && ki_rows_mark(columns, &set->rows, last) &&
           ki_column_mark(columns, &set->index, ki_rows_entity(&set->rows, last).index1 - 1);
}

void ki_sparse_remove_slow(ki_sparse *set, uint32_t *row1)
{
    uint32_t last = set->rows.count - 1;
    kith_entity filler = ki_rows_entity(&set->rows, last);
    ki_rows_remove(&set->rows, *row1 - 1, last);
    *KI_COLUMN_AT(uint32_t, &set->index, filler.index1 - 1) = *row1;
    *row1 = 0;
}

/* KI_NOINLINE: without it, the row tag sparse of the bench takes 4 % more. */
static KI_NOINLINE kith_result sparse_take_slow(ki_column_context *columns, ki_sparse *set,
                                                uint32_t index)
{
    if (!ki_sparse_mark_removal(columns, set, index)) {
        return KITH_ERR_MEMORY;
    }
    ki_sparse_remove(set, ki_sparse_row1_at(set, index));
    return KITH_OK;
}

kith_result ki_sparse_take(ki_column_context *columns, ki_sparse *set, uint32_t index)
{
    uint32_t *row1 = ki_sparse_row1_at(set, index);
    if (row1 == NULL || *row1 == 0) {
        return ki_without_message(columns->heap, KITH_ERR_ABSENT);
    }
    if (!set->rows.simple || !ki_sparse_is_ready_removal(columns, set, index)) {
        return sparse_take_slow(columns, set, index);
    }
    ki_sparse_remove(set, row1);
    return KITH_OK;
}
