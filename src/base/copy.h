/* Copies values whose size is known only at run time. Most have 4 to 16 bytes: a call of memcpy
 * would take longer than the copy. */
#ifndef KI_BASE_COPY_H
#define KI_BASE_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

/* Copies 8 to 16 bytes, and 4 to 8, as two halves that may overlap. */
static inline void ki_copy_two_8(void *to, const void *from, uint32_t size)
{
    uint64_t first;
    uint64_t last;
    memcpy(&first, from, 8);
    memcpy(&last, (const uint8_t *)from + (size - 8), 8);
    memcpy(to, &first, 8);
    memcpy((uint8_t *)to + (size - 8), &last, 8);
}

static inline void ki_copy_two_4(void *to, const void *from, uint32_t size)
{
    uint32_t first;
    uint32_t last;
    memcpy(&first, from, 4);
    memcpy(&last, (const uint8_t *)from + (size - 4), 4);
    memcpy(to, &first, 4);
    memcpy((uint8_t *)to + (size - 4), &last, 4);
}

/* Copies 1 to 3 bytes. */
static inline void ki_copy_bytes(void *to, const void *from, uint32_t size)
{
    const uint8_t *source = from;
    uint8_t first = source[0];
    uint8_t middle = source[size / 2];
    uint8_t last = source[size - 1];
    ((uint8_t *)to)[0] = first;
    ((uint8_t *)to)[size / 2] = middle;
    ((uint8_t *)to)[size - 1] = last;
}

/* Copies a value of up to 16 bytes, maybe onto itself. */
static inline void ki_copy_small(void *to, const void *from, uint32_t size)
{
    if (size == 8) {
        uint64_t whole;
        memcpy(&whole, from, 8);
        memcpy(to, &whole, 8);
    } else if (size > 8) {
        ki_copy_two_8(to, from, size);
    } else if (size >= 4) {
        ki_copy_two_4(to, from, size);
    } else if (size != 0) {
        ki_copy_bytes(to, from, size);
    }
}

/* The same; NULL is zero bytes. */
static inline void ki_write_small(void *to, const void *value, uint32_t size)
{
    static const uint64_t zeros[2];
    ki_copy_small(to, value != NULL ? value : zeros, size);
}

/* Copies a value, maybe onto itself. */
static inline void ki_copy_value(void *to, const void *from, uint32_t size)
{
    if (size - 8 <= 8) {
        ki_copy_two_8(to, from, size);
    } else if (size - 4 <= 4) {
        ki_copy_two_4(to, from, size);
    } else if (size != 0) {
        memmove(to, from, size);
    }
}

/* The same; NULL is zero bytes. */
static inline void ki_write_value(void *to, const void *value, uint32_t size)
{
    if (value != NULL) {
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
