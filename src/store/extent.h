/* Extents: memory for several blocks of one column, next to one another, so that a loop over the column
 * reads on where the processor expects it to. A column that has grown to some blocks takes the next ones
 * from extents; copies of shared blocks come from them too, in the order in which they are made. */
#ifndef KI_STORE_EXTENT_H
#define KI_STORE_EXTENT_H

#include "base/heap.h"

#define KI_EXTENT_BLOCKS_MAX 64u
#define KI_EXTENT_BYTES_MAX (1u << 20)

/* The head, which the blocks follow. */
typedef struct ki_extent {
    struct ki_extent *next; /* of the column; the one that blocks are taken from is first */
    uint64_t unused;        /* a bit for each block */
    uint32_t count;         /* blocks */
    uint32_t stride;        /* bytes from one to the next */
    uint32_t align;
    bool released; /* the column let go of it: it ends with its last block */
} ki_extent;

/* A block of `stride` bytes of a column's extents, and its offset in its extent. If they have none left,
 * takes another extent, of `most` blocks as far as they fit into 64 blocks and 1 MB. NULL if that is
 * fewer than two, or there is no memory for it: a block alone may still fit. */
void *ki_extent_alloc_block(ki_heap *heap, ki_extent **extents, uint32_t stride, uint32_t align,
                            uint32_t most, uint32_t *offset);

/* Ends the use of the block at `offset`. The extent stays with the column, for its next blocks. */
void ki_extent_free_block(ki_heap *heap, ki_extent *extent, uint32_t offset);

/* Frees the extents none of whose blocks is in use. */
void ki_extents_trim(ki_heap *heap, ki_extent **extents);

/* Lets go of all extents. Those with blocks in use are freed with the last of them. */
void ki_extents_release(ki_heap *heap, ki_extent **extents);

/* Bytes held, less `block_bytes` for each block in use. */
size_t ki_extents_unused(const ki_extent *extents, size_t block_bytes);

/* The first thing wrong with a column's extents, of whose blocks at least `used` are in use; or NULL. */
const char *ki_extents_check(const ki_extent *extents, uint32_t used);

#endif
