/* Copies values whose size is known only at run time. Most have 4 to 16 bytes: a call of memcpy
 * would take longer than the copy. */
#ifndef KI_BASE_COPY_H
#define KI_BASE_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

/* Copies `half` to 2 * `half` bytes as two parts of `half` bytes, which may overlap. */
static inline void ki_copy_halves(void *to, const void *from, uint32_t size, uint32_t half)
{
    uint64_t first = 0;
    uint64_t last = 0;
    memcpy(&first, from, half);
    memcpy(&last, (const uint8_t *)from + (size - half), half);
    memcpy(to, &first, half);
    memcpy((uint8_t *)to + (size - half), &last, half);
}

/* Copies a value of up to 16 bytes, maybe onto itself. */
static inline void ki_copy_small(void *to, const void *from, uint32_t size)
{
    if (KI_LIKELY(size == 8)) {
        uint64_t whole;
        memcpy(&whole, from, 8);
        memcpy(to, &whole, 8);
    } else if (size > 8) {
        ki_copy_halves(to, from, size, 8);
    } else if (size >= 4) {
        ki_copy_halves(to, from, size, 4);
    } else if (size >= 2) {
        ki_copy_halves(to, from, size, 2);
    } else if (size == 1) {
        memcpy(to, from, 1);
    }
}

/* The same; NULL is zero bytes. */
static inline void ki_write_small(void *to, const void *value, uint32_t size)
{
    static const uint64_t zeros[2];
    ki_copy_small(to, KI_LIKELY(value != NULL) ? value : zeros, size);
}

/* Copies a value, maybe onto itself. */
static inline void ki_copy_value(void *to, const void *from, uint32_t size)
{
    if (KI_LIKELY(size - 8 <= 8)) {
        ki_copy_halves(to, from, size, 8);
    } else if (size - 4 <= 4) {
        ki_copy_halves(to, from, size, 4);
    } else if (size != 0) {
        memmove(to, from, size);
    }
}

/* The same; NULL is zero bytes. */
static inline void ki_write_value(void *to, const void *value, uint32_t size)
{
    if (KI_LIKELY(value != NULL)) {
        ki_copy_value(to, value, size);
    } else if (size != 0) {
        memset(to, 0, size);
    }
}

/* Copies `count` values from places `stride` bytes apart to places in a row. */
static inline void ki_copy_values(void *to, const void *from, size_t stride, uint32_t size,
                                  uint32_t count)
{
    if (stride == size) {
        memcpy(to, from, (size_t)size * count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        ki_copy_value((uint8_t *)to + (size_t)i * size, (const uint8_t *)from + i * stride, size);
    }
}

#endif
