/* Which rows of a block hold a value. Only blocks of values with hooks know it, by a bit a row after
 * the rows: so a block can be copied, moved and let go of by itself, and nothing is ended twice. */
#ifndef KI_STORE_CONSTRUCTED_H
#define KI_STORE_CONSTRUCTED_H

#include "store/hooks.h"

/* A block, or a part of it that starts at its first row. */
typedef struct ki_constructed_rows {
    const ki_hooks *hooks;
    uint8_t *data;
    uint64_t *bits;
    uint32_t rows;
} ki_constructed_rows;

/* Bytes of the bits of so many rows. */
static inline size_t ki_constructed_bytes(uint32_t rows)
{
    return ((size_t)rows + 63) / 64 * sizeof(uint64_t);
}

/* Copies the values to the same rows of another block, which has none. On failure it has none. */
kith_result ki_constructed_copy(ki_constructed_rows to, ki_constructed_rows from);

/* Moves them there. */
void ki_constructed_move(ki_constructed_rows to, ki_constructed_rows from);

/* Ends them. */
void ki_constructed_destroy(ki_constructed_rows block);

/* How many there are. */
uint32_t ki_constructed_count(ki_constructed_rows block);

#endif
