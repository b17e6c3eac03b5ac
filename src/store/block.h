/* Blocks: the memory that a column's rows are in. A block is allocated alone, or is part of a slab or an
 * extent. It may be held by a column and by views, see store/view.h. */
#ifndef KI_STORE_BLOCK_H
#define KI_STORE_BLOCK_H

#include "store/column.h"
#include "store/constructed.h"

typedef enum ki_block_home { KI_BLOCK_ALONE, KI_BLOCK_IN_SLAB, KI_BLOCK_IN_EXTENT } ki_block_home;

/* After the rows of each block, at the next multiple of its alignment, and after the bits that tell
 * which rows hold a value with hooks. */
struct ki_deferred_free {
    union {
        ki_deferred_free *next; /* in ki_column_context.deferred, once nobody owns the block */
        uint64_t hash;          /* see inspect/block_hash.c; while the block is shared */
    };
    union {
        _Alignas(8) uint64_t hashed_as; /* what the hash depends on besides the block; 0: there is
                                           none */
        uint32_t align;                 /* of the block, once nobody owns it */
    };
    uint32_t owners; /* columns and views that hold the block */
    uint32_t place;  /* a ki_block_home, and a multiple of 8: bytes of a block that is alone; of
                        another where it begins in its slab or extent */
};

typedef ki_deferred_free ki_block_tail;
_Static_assert(_Alignof(ki_block_tail) == 8 && sizeof(ki_block_tail) == 24,
               "the bits before it are words of 64");

#define KI_BLOCK_HOMES 7u /* what of `place` is the home */

static inline ki_block_home ki_block_home_of(const ki_block_tail *tail)
{
    return (ki_block_home)(tail->place & KI_BLOCK_HOMES);
}

static inline uint32_t ki_block_bytes_of(const ki_block_tail *tail)
{
    return tail->place & ~KI_BLOCK_HOMES;
}

/* Rows that one of the column's blocks has room for: only a first block that is alone may be small. */
uint32_t ki_block_rows(const ki_column *column);

/* Where the tail of a block of `rows` rows is: so many bytes after its begin. */
size_t ki_block_tail_offset(uint32_t rows, uint32_t size, bool hooked);
ki_block_tail *ki_block_tail_of(const ki_column *column, uint8_t *data, uint32_t rows);

/* The bytes of a block, with its tail. */
size_t ki_block_bytes(const ki_column *column, uint32_t rows);
uint32_t ki_block_align(const ki_column *column, uint32_t rows);

/* The rows of a block of values with hooks. */
ki_constructed_rows ki_block_constructed(const ki_column *column, uint8_t *data, uint32_t rows);

/* Makes a block of memory for it. `offset` is where it begins in its slab or extent. */
void ki_block_begin(const ki_column *column, uint8_t *data, uint32_t rows, ki_block_home home,
                    uint32_t offset);

/* A block that the column is to hold, the first of `wanted` that are taken now. NULL: no memory. */
uint8_t *ki_block_alloc(ki_column_context *columns, ki_column *column, uint32_t rows,
                        uint32_t wanted);

/* Whether a block is in an extent that its column still takes blocks from. */
bool ki_block_is_in_extent(const uint8_t *data, const ki_block_tail *tail);

/* Whether a block is another world's: see KI_BORROWED. */
static inline bool ki_block_is_borrowed(const ki_block *block)
{
    return (block->stamp & KI_BORROWED) != 0;
}

/* One holder more of a block of the column. Its header tells from then on that it is shared. */
void ki_block_share(const ki_column *column, ki_block *block);

/* One holder less; nothing for a page that is not there. With the last one the values with hooks are
 * destroyed, and the memory is freed. */
void ki_block_release(ki_column_context *columns, const ki_column *column, const ki_block *block,
                      uint32_t rows);

/* The same for a block that a larger one replaced, whose values are there. What it held can be read
 * until deferred blocks are freed; in a slab, until that is freed. */
void ki_block_defer(ki_column_context *columns, const ki_column *column, const ki_block *block,
                    uint32_t rows);

#endif
