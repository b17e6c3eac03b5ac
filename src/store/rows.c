/* One value each for many rows of a column. */
#include "store/store.h"

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
            case 12: rows_write_step(to, values, stride, 12, step); break;
            case 16: rows_write_step(to, values, stride, 16, step); break;
            default: rows_write_step(to, values, stride, size, step); break;
            }
            values += step * stride;
        }
        first += step;
        count -= step;
    }
}
