/* Rows of a column: made ready to be written, written, and looked over, one or many. */
#include "store/store.h"

bool ki_column_touch_both(ki_space *space, ki_column *column, uint32_t row, uint32_t other)
{
    return ki_column_touch(space, column, row) && ki_column_touch(space, column, other);
}

bool ki_column_touch_rows(ki_space *space, ki_column *column, uint32_t first, uint32_t count)
{
    for (uint64_t row = first; row < (uint64_t)first + count;
         row = ki_column_block_end(column, (uint32_t)row)) {
        if (!ki_column_touch(space, column, (uint32_t)row)) {
            return false;
        }
    }
    return true;
}

kith_result ki_column_reserve_rows(ki_space *space, ki_column *column, uint32_t used,
                                   uint32_t count)
{
    if (count > KI_COLUMN_ROWS_MAX - used) {
        return ki_untold(space->heap, KITH_ERR_LIMIT);
    }
    KI_TRY(ki_column_reserve(space, column, used + count));
    return ki_column_touch_rows(space, column, used, count) ? KITH_OK : KITH_ERR_MEMORY;
}

kith_result ki_column_reserve_row(ki_space *space, ki_column *column, uint32_t row)
{
    KI_TRY(ki_column_reserve_page(space, column, row));
    return ki_column_touch(space, column, row) ? KITH_OK : KITH_ERR_MEMORY;
}

kith_result ki_copy_value(void *to, const void *value, uint32_t size)
{
    if (value != NULL && size != 0) {
        memmove(to, value, size);
    } else if (size != 0) {
        memset(to, 0, size);
    }
    return KITH_OK;
}

void ki_column_write(ki_column *column, uint32_t row, const void *value)
{
    if (KI_LIKELY(column->plain != 0)) {
        ki_copy_usual(ki_column_at(column, row), value, column->plain);
    } else if (column->hooks != NULL) {
        ki_column_put(column, row, (void *)(uintptr_t)value);
    }
}

void ki_column_copy(ki_column *to, uint32_t to_row, const ki_column *from, uint32_t from_row)
{
    if (KI_LIKELY(to->plain != 0)) {
        ki_copy_usual(ki_column_at(to, to_row), ki_column_at(from, from_row), to->plain);
    } else if (to->hooks != NULL) {
        ki_column_relocate(to, to_row, from, from_row);
    }
}

static void rows_write_8(uint8_t *to, const uint8_t *from, size_t stride, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        memcpy(to, from, 8);
        to += 8;
        from += stride;
    }
}

/* 12 bytes of each. All but the last are copied as 16, since the next one writes over what is too
 * much. */
static void rows_write_12(uint8_t *to, const uint8_t *from, size_t stride, uint32_t count)
{
    for (; count > 4; count -= 4) {
        memcpy(to, from, 16);
        memcpy(to + 12, from + stride, 16);
        memcpy(to + 24, from + 2 * stride, 16);
        memcpy(to + 36, from + 3 * stride, 16);
        to += 48;
        from += 4 * stride;
    }
    for (; count > 0; count--) {
        memcpy(to, from, 12);
        to += 12;
        from += stride;
    }
}

/* Values of any other size, whose rows follow one another in `to`. */
static void rows_write_each(uint8_t *to, const uint8_t *from, size_t stride, uint32_t size,
                            uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ki_copy_usual(to, from, size);
        to += size;
        from += stride;
    }
}

void ki_rows_write(ki_column *column, uint32_t first, const uint8_t *values, size_t stride,
                   uint32_t count)
{
    uint32_t size = column->size;
    while (count > 0 && size != 0) {
        uint32_t step = ki_column_run(column, first, count);
        uint8_t *to = ki_column_at(column, first);
        if (values == NULL) {
            memset(to, 0, (size_t)step * size);
        } else if (stride == size) {
            memcpy(to, values, (size_t)step * size);
        } else if (size == 8) {
            rows_write_8(to, values, stride, step);
        } else if (size == 12 && stride > size) {
            rows_write_12(to, values, stride, step);
        } else {
            rows_write_each(to, values, stride, size, step);
        }
        values = values == NULL ? NULL : values + step * stride;
        first += step;
        count -= step;
    }
}

void ki_column_write_rows(ki_column *column, uint32_t first, uint32_t count, const void *values,
                          bool repeat)
{
    if (KI_LIKELY(column->hooks == NULL)) {
        ki_rows_write(column, first, values, repeat ? 0 : column->size, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        KI_ASSERT(!repeat);
        ki_column_write(column, first + i, (const uint8_t *)values + (size_t)i * column->size);
    }
}

KI_RARE bool ki_column_is_zero(const ki_column *column, uint32_t first, uint32_t count,
                               const void *context)
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

KI_RARE const char *ki_column_check_live(const ki_column *column, uint32_t rows)
{
    for (uint32_t row = 0; column->hooks != NULL && row < rows; row++) {
        if (!ki_column_is_live(column, row)) {
            return "a row holds no value, of a type with hooks";
        }
    }
    return column->hooks == NULL || ki_column_live_count(column) == rows
               ? NULL
               : "a value of a type with hooks outlived its row";
}
