/* Which rows of a block hold a value. Only blocks of values with hooks know it, by a bit a row after
 * the rows: so a block can be copied, moved and let go of by itself, and nothing is ended twice. */
#ifndef KI_STORE_LIVE_H
#define KI_STORE_LIVE_H

#include "store/hooks.h"

/* A block, or a part of it that starts at its first row. */
typedef struct ki_live_rows {
    const ki_hooks *hooks;
    uint8_t *data;
    uint64_t *bits;
    uint32_t rows;
} ki_live_rows;

/* Bytes of the bits of so many rows. */
static inline size_t ki_live_bytes(uint32_t rows)
{
    return ((size_t)rows + 63) / 64 * sizeof(uint64_t);
}

/* Copies the values to the same rows of another block, which has none. On failure it has none. */
kith_result ki_live_copy(ki_live_rows to, ki_live_rows from);

/* Moves them there. */
void ki_live_move(ki_live_rows to, ki_live_rows from);

/* Ends them. */
void ki_live_destroy(ki_live_rows block);

/* How many there are. */
uint32_t ki_live_count(ki_live_rows block);

#endif
