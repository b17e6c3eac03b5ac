/* Values of a column: their rows made ready to be written, written, and looked over, one or many. */
#include "store/column.h"

bool ki_column_mark_rows(ki_column_context *columns, ki_column *column, uint32_t first,
                         uint32_t count)
{
    for (uint64_t row = first; row < (uint64_t)first + count;
         row = ki_column_block_end(column, (uint32_t)row)) {
        if (!ki_column_mark(columns, column, (uint32_t)row)) {
            return false;
        }
    }
    return true;
}

kith_result ki_column_reserve_rows(ki_column_context *columns, ki_column *column, uint32_t used,
                                   uint32_t count)
{
    if (count > KI_COLUMN_ROWS_MAX - used) {
        return ki_without_message(columns->heap, KITH_ERR_LIMIT);
    }
    KI_TRY(ki_column_reserve(columns, column, used + count));
    const uint32_t begun = used & column->mask; /* rows of the first block that are in use */
    const uint32_t step = begun == 0 ? 0 : ki_column_run(column, used, count);
    if (step != 0 && !ki_column_mark(columns, column, used)) {
        return KITH_ERR_MEMORY;
    }
    for (uint64_t row = (uint64_t)used + step; row < (uint64_t)used + count;
         row += ki_column_block_rows(column)) {
        if (!ki_column_is_marked(columns, column, (uint32_t)row) &&
            !ki_column_mark_unused(columns, column, (uint32_t)row >> column->shift)) {
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
}

void ki_column_copy_rows(ki_column *to, uint32_t to_row, const ki_column *from, uint32_t from_row,
                         uint32_t count)
{
    while (count > 0) {
        uint32_t step = ki_column_run(to, to_row, ki_column_run(from, from_row, count));
        if (to->plain != 0) {
            memcpy(ki_column_at(to, to_row), ki_column_at(from, from_row), (size_t)step * to->size);
        }
        for (uint32_t i = 0; to->hooks != NULL && i < step; i++) {
            ki_column_relocate(to, to_row + i, from, from_row + i);
        }
        to_row += step;
        from_row += step;
        count -= step;
    }
}

void ki_column_write_rows(ki_column *column, uint32_t first, uint32_t count, const void *values,
                          size_t stride)
{
    const uint8_t *value = values;
    for (uint32_t i = 0; column->hooks != NULL && i < count; i++) {
        ki_column_put(column, first + i, (void *)(uintptr_t)(value + i * stride));
    }
    while (column->plain != 0 && count > 0) {
        uint32_t step = ki_column_run(column, first, count);
        void *to = ki_column_at(column, first);
        if (value == NULL) {
            memset(to, 0, (size_t)step * column->size);
        } else {
            ki_copy_values(to, value, stride, column->size, step);
            value += step * stride;
        }
        first += step;
        count -= step;
    }
}

bool ki_column_is_zero(const ki_column *column, uint32_t first, uint32_t count, const void *context)
{
    (void)context;
    const uint8_t *bytes = ki_column_at(column, first);
    for (size_t i = 0; i < (size_t)count * column->size; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

const char *ki_column_check_live(const ki_column *column, uint32_t rows)
{
    for (uint32_t row = 0; column->hooks != NULL && row < rows; row++) {
        if (!ki_column_is_constructed(column, row)) {
            return "a row holds no value, of a type with hooks";
        }
    }
    return column->hooks == NULL || ki_column_live_count(column) == rows
               ? NULL
               : "a value of a type with hooks outlived its row";
}
