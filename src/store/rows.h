/* Rows: entities, and the values of each in some columns, densely. A table is rows, and so is the dense
 * side of a sparse set; they differ in how they find the row of an entity.
 *
 * A row that is taken out is filled with the last one. What a change will write is marked first, which
 * may fail: its blocks get the write stamp, and are not shared with a snapshot from then on. Where every
 * column has blocks of 1,024 rows, as for values of up to 16 bytes, the block of `entities` is marked
 * last: its stamp tells of the blocks beside it too, and what is marked already costs one compare. */
#ifndef KI_STORE_ROWS_H
#define KI_STORE_ROWS_H

#include <kith/entity.h>

#include "store/column.h"

typedef struct ki_rows {
    ki_column entities; /* kith_entity */
    ki_column *columns;
    uint32_t column_count;
    uint32_t count;
    uint32_t capacity; /* rows that every column has room for */
    bool uniform;      /* every column has blocks of 1,024 rows */
    bool hooked;       /* values of a column have hooks */
    bool simple;       /* uniform and not hooked: values are up to 16 plain bytes */
} ki_rows;

/* Empty rows over columns that are made already, and stay where they are. */
void ki_rows_init(ki_rows *rows, ki_column *columns, uint32_t column_count);
void ki_rows_free(ki_column_context *columns, ki_rows *rows);

/* To be called when a column got its first block elsewhere, or lost blocks. */
void ki_rows_set_capacity(ki_rows *rows);

/* Gives back blocks that hold no row. */
void ki_rows_trim(ki_column_context *columns, ki_rows *rows);

/* The parts of the calls below that are not a few compares. */
bool ki_rows_mark_slow(ki_column_context *columns, ki_rows *rows, uint32_t row);
kith_result ki_rows_reserve_slow(ki_column_context *columns, ki_rows *rows, uint32_t count);

/* log2 of the rows that one mark is good for. */
static inline uint32_t ki_rows_block_shift(const ki_rows *rows)
{
    uint32_t shift = KI_SMALL_SHIFT;
    for (uint32_t i = 0; !rows->uniform && i < rows->column_count; i++) {
        shift = ki_min_u32(shift, rows->columns[i].shift);
    }
    return shift;
}

/* Whether a row that is there is ready to be written, in rows that are uniform. */
static inline bool ki_rows_is_marked(const ki_column_context *columns, const ki_rows *rows,
                                     uint32_t row)
{
    return rows->entities.blocks[row >> KI_SMALL_SHIFT].stamp == columns->write_clock;
}

/* Whether one append is certain as things are, to rows that are uniform. */
static inline bool ki_rows_has_room(const ki_column_context *columns, const ki_rows *rows)
{
    return rows->count < rows->capacity && ki_rows_is_marked(columns, rows, rows->count);
}

/* Makes a row that is there ready to be written, in all columns. False: no memory for that. */
static inline bool ki_rows_mark(ki_column_context *columns, ki_rows *rows, uint32_t row)
{
    return (rows->uniform && ki_rows_is_marked(columns, rows, row)) ||
           ki_rows_mark_slow(columns, rows, row);
}

/* Makes `count` appends certain. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
static inline kith_result ki_rows_reserve(ki_column_context *columns, ki_rows *rows, uint32_t count)
{
    return count == 1 && rows->uniform && ki_rows_has_room(columns, rows)
               ? KITH_OK
               : ki_rows_reserve_slow(columns, rows, count);
}

static inline kith_entity ki_rows_entity(const ki_rows *rows, uint32_t row)
{
    return *KI_COLUMN_AT(const kith_entity, &rows->entities, row);
}

/* Appends a row whose values are the caller's to write, and returns its number. */
static inline uint32_t ki_rows_append(ki_rows *rows, kith_entity entity)
{
    uint32_t row = rows->count++;
    *KI_COLUMN_AT(kith_entity, &rows->entities, row) = entity;
    return row;
}

/* Destroys the values with hooks that a row still holds: those that were not moved elsewhere. */
void ki_rows_destroy(ki_rows *rows, uint32_t row);

/* ki_rows_fill for values of any size and with hooks. */
void ki_rows_fill_slow(ki_rows *rows, uint32_t to, uint32_t from);

/* Copies the row `from`, which is not used from then on, onto another; values with hooks move. */
static inline void ki_rows_fill(ki_rows *rows, uint32_t to, uint32_t from)
{
    if (!rows->simple) {
        ki_rows_fill_slow(rows, to, from);
        return;
    }
    *KI_COLUMN_AT(kith_entity, &rows->entities, to) = ki_rows_entity(rows, from);
    const ki_column *column = rows->columns;
    for (const ki_column *end = column + rows->column_count; column < end; column++) {
        if (column->size != 0) { /* else a tag, which has no blocks of values */
            ki_copy_small(ki_column_at_small(column, to), ki_column_at_small(column, from),
                          column->size);
        }
    }
}

/* ki_rows_remove for values of any size and with hooks. */
void ki_rows_remove_slow(ki_rows *rows, uint32_t row, uint32_t last);

/* Takes a row out, with the values that it still holds, and fills it with the last one, `last`. */
static inline void ki_rows_remove(ki_rows *rows, uint32_t row, uint32_t last)
{
    if (!rows->simple) {
        ki_rows_remove_slow(rows, row, last);
        return;
    }
    rows->count = last;
    if (row != last) {
        ki_rows_fill(rows, row, last);
    }
}

#endif
