/* The column: a growing array of values of one size, cut into blocks. All that a world knows is in
 * columns; tables, sparse sets and slots differ only in how they find a row.
 *
 * A block holds a power of two of rows, at most 1,024 and 16 KB (a larger value has a block to
 * itself). The first block starts small and doubles until it is full size; from then on blocks are
 * added, and none moves. In a long column they are next to one another in memory, in extents.
 *
 * Beside each block is its write stamp: the world's write clock when it was last written. A block that
 * is shared with a snapshot has KI_SHARED set in its stamp, so that one compare with the clock tells
 * the usual case (written since anyone looked, so not shared either) from all others. So does
 * KI_LOGGED. A block of another world's has KI_BORROWED beside KI_SHARED: its holders are not counted,
 * since that world's thread may be doing so, and it is never written or freed. */
#ifndef KI_STORE_COLUMN_H
#define KI_STORE_COLUMN_H

#include <kith/inline.h>
#include <string.h>

#include "base/bits.h"
#include "base/bitset.h"
#include "base/compiler.h"
#include "base/copy.h"
#include "base/heap.h"
#include "base/threads.h"

#define KI_BLOCK_ROWS_MAX 1024u
#define KI_SMALL_SHIFT                                                                             \
    KITH_RECORD_SHIFT_ /* log2 of that: the rows in a block of values of up to 16 bytes */
#define KI_BLOCK_BYTES_MAX 16384u
#define KI_BLOCK_ALIGN 64u
#define KI_COLUMN_ROWS_MAX (UINT32_MAX - 1)
#define KI_SHARED ((uint64_t)1 << 63)
#define KI_LOGGED ((uint64_t)1 << 62) /* what was written is in a log: see write_log.h */
#define KI_BORROWED ((uint64_t)1 << 61)
#define KI_STAMP_FLAGS (KI_SHARED | KI_LOGGED | KI_BORROWED)

/* A small block that was replaced by a larger one. It is kept until a later call on the world
 * looks for room, because the value that the current call was given may be in it:
 * kith_set(world, a, T, kith_get(world, b, T)). */
typedef struct ki_deferred_free ki_deferred_free;

/* What all columns of a world have in common. */
#define KI_CLOCK_START 1u
typedef struct ki_column_context {
    ki_heap *heap;
    uint64_t write_clock; /* it: advances whenever someone looks, and never goes back */
    uint64_t marked;      /* its value when a block was marked last; several threads may write it */
    ki_deferred_free *deferred;
    bool shared;   /* whether a view was ever taken: until then, touching cannot fail */
    bool borrowed; /* all blocks are another world's, and nothing is written */
    ki_lock *lock; /* of the heap, while several threads may mark blocks; or NULL */
    ki_bitset changed; /* tables, by number: those whose columns changed since it was emptied */
} ki_column_context;

/* The head of a slab: memory that several share: a table, and the first blocks of its columns. It is
 * given back with the last of them. */
typedef struct ki_slab {
    uint32_t users;
    uint32_t bytes; /* of all of it, aligned for everything */
} ki_slab;

typedef struct kith_block_ ki_block;

typedef struct ki_column {
    ki_block *blocks;  /* `block_capacity` of them; &first while one is enough */
    uint32_t capacity; /* rows that may be addressed */
    uint32_t block_count;
    union {
        ki_block first;
        struct {                       /* once there is a list of blocks: */
            struct ki_extent *extents; /* where they come from; or NULL */
            uint64_t written;          /* the write clock when a block last came or was marked */
        };
    };
    uint32_t block_capacity;
    uint32_t size;  /* bytes a row; 0: nothing but stamps */
    uint32_t mask;  /* rows in a full-size block, less one */
    uint32_t plain; /* `size`, but 0 for values with hooks: what a copy of bytes is enough for */
    uint16_t align;
    uint8_t shift;                /* log2 of the rows in a full-size block, */
    bool paged;                   /* blocks may be missing, and come filled with zero bytes */
    uint32_t table1;              /* number of the table that it is part of, plus one; 0: none */
    const struct ki_hooks *hooks; /* NULL: values are plain bytes */
} ki_column;

/* log2 of the rows in a full-size block of values of this size: what ki_column_init picks. */
static inline uint32_t ki_block_shift(uint32_t size)
{
    uint32_t shift = 10;
    while (shift > 0 && ((uint64_t)size << shift) > KI_BLOCK_BYTES_MAX) {
        shift--;
    }
    return shift;
}

/* An empty column of the standard block size. */
void ki_column_init(ki_column *column, uint32_t size, uint32_t align);

/* An empty paged column with 2^shift rows a page. */
void ki_column_init_paged(ki_column *column, uint32_t size, uint32_t align, uint32_t shift);

/* Where a first block for such values would end that begins `at` bytes into a slab, or a little later
 * for its alignment. `at` itself for values that are too large for that, or that have none. */
size_t ki_inline_block_end(size_t at, uint32_t size, uint32_t align, bool hooked);

/* Gives an empty column its first block in a slab, with the same `at`, and returns that end. The column
 * grows, is shared and let go of like any other. */
size_t ki_column_set_inline_block(ki_column_context *columns, ki_column *column, ki_slab *slab,
                                  size_t at);

/* The slab that the column's only block is part of, or NULL. */
const ki_slab *ki_column_slab(const ki_column *column);

/* Ends the use of a slab. */
void ki_slab_release(ki_column_context *columns, ki_slab *slab);

/* Gives an empty column values with hooks, for all its life. */
void ki_column_set_hooks(ki_column *column, const struct ki_hooks *hooks);

/* Lets go of all blocks; the column is empty then. A shared block lives on with what shares it. The
 * values with hooks in blocks that end are destroyed, in order of rows. */
void ki_column_free(ki_column_context *columns, ki_column *column);

/* Lets go of all blocks, and takes over those of another column of the same kind, which is empty
 * then. */
void ki_column_replace(ki_column_context *columns, ki_column *column, ki_column *by);

/* Makes rows 0 to `rows` - 1 addressable; not for paged columns. */
kith_result ki_column_grow(ki_column_context *columns, ki_column *column, uint32_t rows);

/* Makes the page of one row exist; for paged columns. */
kith_result ki_column_grow_page(ki_column_context *columns, ki_column *column, uint32_t row);

/* Makes room for the headers of `needed` blocks. */
kith_result ki_column_reserve_headers(ki_column_context *columns, ki_column *column,
                                      uint32_t needed);

/* Gives back full-size blocks that hold no row below `rows`; not for paged columns. */
void ki_column_trim(ki_column_context *columns, ki_column *column, uint32_t rows);

/* Gives back the pages of a paged column for whose rows `unused` answers true. */
void ki_column_trim_pages(ki_column_context *columns, ki_column *column,
                          bool (*unused)(const ki_column *column, uint32_t first, uint32_t count,
                                         const void *context),
                          const void *context);

/* For ki_column_trim_pages: whether the rows hold nothing but zero bytes. */
bool ki_column_is_zero(const ki_column *column, uint32_t first, uint32_t count,
                       const void *context);

/* Marks the blocks that are shared, so that none is copied until a view is taken. KITH_ERR_MEMORY: some
 * still are. */
kith_result ki_column_unshare(ki_column_context *columns, ki_column *column);

/* The part of touching a block that is not one compare. False: no memory to copy a shared block. */
bool ki_column_mark_slow(ki_column_context *columns, ki_column *column, uint32_t block);

/* Marks a block of which no row is in use: what a shared one holds is not copied. Not for paged columns,
 * whose rows all are. False: no memory for another block. */
bool ki_column_mark_unused(ki_column_context *columns, ki_column *column, uint32_t block);

/* Bytes held for blocks and their headers. */
size_t ki_column_reserved(const ki_column *column);

/* ---- Values with hooks: a column of them knows which rows hold one */

/* Moves a value into a row that was marked; one that is there is destroyed. */
void ki_column_put(ki_column *column, uint32_t row, void *value);

/* Moves the value of one row to another, which was marked and holds none. */
void ki_column_relocate(ki_column *to, uint32_t to_row, const ki_column *from, uint32_t from_row);

/* Moves the value out of a row that was marked, to where there is none. */
void ki_column_take(ki_column *column, uint32_t row, void *to);

/* Destroys the value in a row that was marked, if there is one. */
void ki_column_drop(ki_column *column, uint32_t row);

/* Whether a row holds a value, and how many do. */
bool ki_column_is_constructed(const ki_column *column, uint32_t row);
uint64_t ki_column_live_count(const ki_column *column);

/* The first thing wrong if just the first `rows` shall hold values, or NULL. */
const char *ki_column_check_live(const ki_column *column, uint32_t rows);

/* The first thing wrong with the column's own structure, or NULL. */
const char *ki_column_check(const ki_column_context *columns, const ki_column *column);

/* Gives back what earlier calls outgrew. Called at the start of each call that changes structure. */
void ki_columns_free_deferred_slow(ki_column_context *columns);
static inline void ki_columns_free_deferred(ki_column_context *columns)
{
    if (columns->deferred != NULL) {
        ki_columns_free_deferred_slow(columns);
    }
}

static inline kith_result ki_column_reserve(ki_column_context *columns, ki_column *column,
                                            uint32_t rows)
{
    return rows <= column->capacity ? KITH_OK : ki_column_grow(columns, column, rows);
}

/* Whether the column had more blocks than one: then it has a list of them, and extents. */
static inline bool ki_column_has_list(const ki_column *column)
{
    return column->blocks != &column->first;
}

/* Whether a row of a paged column can be read. */
static inline bool ki_column_has_page(const ki_column *column, uint32_t row)
{
    return row < column->capacity && column->blocks[row >> column->shift].data != NULL;
}

/* The same for a column whose block size is known where this is compiled: where a row is, or NULL. */
#define KI_COLUMN_FIND(T, column, row, block_shift)                                                \
    ((T *)ki_column_find((column), (row), (block_shift), sizeof(T)))
static inline void *ki_column_find(const ki_column *column, uint32_t row, uint32_t block_shift,
                                   size_t size)
{
    uint8_t *page = row < column->capacity ? column->blocks[row >> block_shift].data : NULL;
    return page != NULL ? page + (row & ((1u << block_shift) - 1)) * size : NULL;
}

static inline kith_result ki_column_reserve_page(ki_column_context *columns, ki_column *column,
                                                 uint32_t row)
{
    return ki_column_has_page(column, row) ? KITH_OK : ki_column_grow_page(columns, column, row);
}

/* Whether the block of a row that is there is marked. */
static inline bool ki_column_is_marked(const ki_column_context *columns, const ki_column *column,
                                       uint32_t row)
{
    return column->blocks[row >> column->shift].stamp == columns->write_clock;
}

/* The same for a column whose block size is known where this is compiled. */
static inline bool ki_column_is_marked_by(const ki_column_context *columns, const ki_column *column,
                                          uint32_t row, uint32_t block_shift)
{
    return column->blocks[row >> block_shift].stamp == columns->write_clock;
}

/* Notes that a block is marked now. */
static inline void ki_columns_note_mark(ki_column_context *columns)
{
    if (KI_LOAD(&columns->marked) != columns->write_clock) {
        KI_STORE(&columns->marked, columns->write_clock);
    }
}

/* Marks a block that is not shared; false: it is, and must be copied first. */
static inline bool ki_block_mark(ki_column_context *columns, ki_block *block)
{
    if ((block->stamp & KI_SHARED) != 0) {
        return false;
    }
    block->stamp = columns->write_clock;
    ki_columns_note_mark(columns);
    return true;
}

/* Makes the row's block ready to be written: stamped, and not shared. False: no memory for that. */
static inline bool ki_column_mark(ki_column_context *columns, ki_column *column, uint32_t row)
{
    KI_ASSERT(row >> column->shift < column->block_count);
    return ki_column_is_marked(columns, column, row) ||
           ki_column_mark_slow(columns, column, row >> column->shift);
}

/* The same where other threads may mark the block as well. */
static inline bool ki_column_mark_shared(ki_column_context *columns, ki_column *column,
                                         uint32_t row)
{
    ki_block *block = &column->blocks[row >> column->shift];
    return KI_LOAD_ACQUIRE(&block->stamp) == columns->write_clock ||
           ki_column_mark_slow(columns, column, row >> column->shift);
}

/* The same for the blocks of `count` rows from `first` on. */
bool ki_column_mark_rows(ki_column_context *columns, ki_column *column, uint32_t first,
                         uint32_t count);

/* Makes `count` rows after the first `used` ones addressable, and ready to be written; not for paged
 * columns. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_column_reserve_rows(ki_column_context *columns, ki_column *column, uint32_t used,
                                   uint32_t count);

/* Whether the page of a row is there and ready to be written, in a column whose block size is known
 * where this is compiled. */
static inline bool ki_column_is_ready(const ki_column_context *columns, const ki_column *column,
                                      uint32_t row, uint32_t block_shift)
{
    return ki_column_find(column, row, block_shift, 0) != NULL &&
           ki_column_is_marked_by(columns, column, row, block_shift);
}

/* Makes the page of one row exist, and the row ready to be written; for paged columns. */
static inline kith_result ki_column_reserve_row(ki_column_context *columns, ki_column *column,
                                                uint32_t row)
{
    KI_TRY(ki_column_reserve_page(columns, column, row));
    return ki_column_mark(columns, column, row) ? KITH_OK : KITH_ERR_MEMORY;
}

/* The value in a row; for size 0 a pointer that is not to be followed. */
static inline void *ki_column_at(const ki_column *column, uint32_t row)
{
    KI_ASSERT(row < column->capacity);
    return column->blocks[row >> column->shift].data + (size_t)(row & column->mask) * column->size;
}

/* The same for a column of small values, whose blocks have 1,024 rows. */
static inline void *ki_column_at_small(const ki_column *column, uint32_t row)
{
    return column->blocks[row >> KI_SMALL_SHIFT].data +
           (size_t)(row & (KI_BLOCK_ROWS_MAX - 1)) * column->size;
}

/* When the row's block was last written. */
static inline uint64_t ki_column_stamp(const ki_column *column, uint32_t row)
{
    return column->blocks[row >> column->shift].stamp & ~KI_STAMP_FLAGS;
}

/* Whether the row's block was written after a time, by more than what a log tells. */
static inline bool ki_column_is_written(const ki_column *column, uint32_t row, uint64_t time)
{
    uint64_t stamp = column->blocks[row >> column->shift].stamp;
    return (stamp & KI_LOGGED) == 0 && (stamp & ~KI_STAMP_FLAGS) > time;
}

/* Whether no block that is there came or was marked after a time when the write clock advanced. */
static inline bool ki_column_is_same(const ki_column *column, uint64_t time)
{
    if (ki_column_has_list(column)) {
        return column->written <= time;
    }
    return column->block_count == 0 || ki_column_stamp(column, 0) <= time;
}

/* ki_column_at for a column whose value size is known where this is compiled, and with it the block
 * size. */
#define KI_COLUMN_AT_SHIFT(T, column, row, block_shift)                                            \
    ((T *)(void *)(column)->blocks[(row) >> (block_shift)].data +                                  \
     ((row) & ((1u << (block_shift)) - 1)))
#define KI_COLUMN_AT(T, column, row) KI_COLUMN_AT_SHIFT(T, column, row, KI_SMALL_SHIFT)

static inline uint32_t ki_column_block_rows(const ki_column *column)
{
    return column->mask + 1;
}

/* The first row after the block of `row`. */
static inline uint64_t ki_column_block_end(const ki_column *column, uint32_t row)
{
    return (((uint64_t)row >> column->shift) + 1) << column->shift;
}

/* How many rows from `row` on, `count` at most, are in its block. */
static inline uint32_t ki_column_run(const ki_column *column, uint32_t row, uint32_t count)
{
    uint64_t rest = ki_column_block_end(column, row) - row;
    return rest < count ? (uint32_t)rest : count;
}

/* Writes a value into a row that was marked; NULL writes zero bytes. One with hooks is moved, and is
 * never NULL: the caller has made it for that. */
static inline void ki_column_write(ki_column *column, uint32_t row, const void *value)
{
    if (column->plain != 0) {
        ki_write_value(ki_column_at(column, row), value, column->plain);
    } else if (column->hooks != NULL) {
        ki_column_put(column, row, (void *)(uintptr_t)value);
    }
}

/* Copies one row onto another, which was marked; moves a value with hooks. */
static inline void ki_column_copy(ki_column *to, uint32_t to_row, const ki_column *from,
                                  uint32_t from_row)
{
    if (to->plain != 0) {
        ki_copy_value(ki_column_at(to, to_row), ki_column_at(from, from_row), to->plain);
    } else if (to->hooks != NULL) {
        ki_column_relocate(to, to_row, from, from_row);
    }
}

/* Copies `count` rows that follow one another; values with hooks move. */
void ki_column_copy_rows(ki_column *to, uint32_t to_row, const ki_column *from, uint32_t from_row,
                         uint32_t count);

/* Writes `count` rows that were marked, from values `stride` bytes apart; NULL writes zero bytes.
 * Values with hooks are moved. */
void ki_column_write_rows(ki_column *column, uint32_t first, uint32_t count, const void *values,
                          size_t stride);

#endif
