/* One value each for many rows of a column. */
#include "store/store.h"

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

/* Inlined, so that the size is known in each of the loops. */
static inline void rows_write_step(uint8_t *to, const uint8_t *from, size_t stride, uint32_t size,
                                   uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        memcpy(to, from, size);
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
        } else {
            switch (size) {
            case 4: rows_write_step(to, values, stride, 4, step); break;
            case 8: rows_write_step(to, values, stride, 8, step); break;
            case 12:
                if (stride >= size) {
                    rows_write_12(to, values, stride, step);
                    break;
                } /* one that repeats */
                rows_write_step(to, values, stride, 12, step);
                break;
            case 16: rows_write_step(to, values, stride, 16, step); break;
            default: rows_write_step(to, values, stride, size, step); break;
            }
            values += step * stride;
        }
        first += step;
        count -= step;
    }
}
