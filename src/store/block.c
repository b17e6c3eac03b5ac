#include "store/block.h"

#include "store/extent.h"

/* What an extent has at most of the blocks that the column holds: where that many are wanted now, and
 * where one is. The others are in reserve then, and memory for an entity is to cost what it holds. */
#define BLOCK_WANTED_PART 8u
#define BLOCK_RESERVE_PART 32u

uint32_t ki_block_rows(const ki_column *column)
{
    return column->block_count == 1 ? column->capacity : column->mask + 1;
}

size_t ki_block_tail_offset(uint32_t rows, uint32_t size, bool hooked)
{
    size_t bytes = ki_round_up((size_t)rows * size, _Alignof(ki_block_tail));
    return hooked ? bytes + ki_constructed_bytes(rows) : bytes;
}

static size_t block_tail_offset(const ki_column *column, uint32_t rows)
{
    return ki_block_tail_offset(rows, column->size, column->hooks != NULL);
}

ki_block_tail *ki_block_tail_of(const ki_column *column, uint8_t *data, uint32_t rows)
{
    return (ki_block_tail *)(void *)(data + block_tail_offset(column, rows));
}

size_t ki_block_bytes(const ki_column *column, uint32_t rows)
{
    return block_tail_offset(column, rows) + sizeof(ki_block_tail);
}

uint32_t ki_block_align(const ki_column *column, uint32_t rows)
{
    uint32_t least = rows == column->mask + 1 ? KI_BLOCK_ALIGN : _Alignof(ki_block_tail);
    return column->align > least ? column->align : least;
}

ki_constructed_rows ki_block_constructed(const ki_column *column, uint8_t *data, uint32_t rows)
{
    size_t values = ki_round_up((size_t)rows * column->size, _Alignof(ki_block_tail));
    return (ki_constructed_rows){column->hooks, data, (uint64_t *)(void *)(data + values), rows};
}

void ki_block_begin(const ki_column *column, uint8_t *data, uint32_t rows, ki_block_home home,
                    uint32_t offset)
{
    size_t values = block_tail_offset(column, rows);
    uint32_t bytes =
        home == KI_BLOCK_ALONE ? (uint32_t)(values + sizeof(ki_block_tail)) : offset;
    KI_ASSERT((bytes & KI_BLOCK_HOMES) == 0);
    if (column->hooks != NULL) {
        memset(ki_block_constructed(column, data, rows).bits, 0, ki_constructed_bytes(rows));
    }
    *(ki_block_tail *)(void *)(data + values) =
        (ki_block_tail){.owners = 1, .place = bytes | (uint32_t)home};
}

/* How many blocks an extent of the column may have. */
static uint32_t block_extent_count(const ki_column *column, uint32_t wanted)
{
    uint32_t held = column->block_count;
    for (uint32_t block = 0; column->paged && block < column->block_count; block++) {
        held -= column->blocks[block].data == NULL;
    }
    uint32_t now = ki_min_u32(wanted, held / BLOCK_WANTED_PART);
    uint32_t reserve = held / BLOCK_RESERVE_PART;
    return now > reserve ? now : reserve;
}

uint8_t *ki_block_alloc(ki_column_context *columns, ki_column *column, uint32_t rows,
                        uint32_t wanted)
{
    size_t bytes = ki_block_bytes(column, rows);
    uint32_t align = ki_block_align(column, rows);
    ki_block_home home = KI_BLOCK_ALONE;
    uint32_t offset = 0;
    uint8_t *data = NULL;
    if (column->blocks != &column->first && bytes <= KI_EXTENT_BYTES_MAX) {
        home = KI_BLOCK_IN_EXTENT;
        data = ki_extent_alloc_block(columns->heap, &column->extents,
                                     (uint32_t)ki_round_up(bytes, align), align,
                                     block_extent_count(column, wanted), &offset);
    }
    if (data == NULL) {
        home = KI_BLOCK_ALONE;
        data = ki_heap_alloc(columns->heap, bytes, align);
    }
    if (data != NULL) {
        ki_block_begin(column, data, rows, home, offset);
    }
    return data;
}

bool ki_block_is_in_extent(const uint8_t *data, const ki_block_tail *tail)
{
    return ki_block_home_of(tail) == KI_BLOCK_IN_EXTENT &&
           !((const ki_extent *)(const void *)(data - ki_block_bytes_of(tail)))->released;
}

void ki_slab_release(ki_column_context *columns, ki_slab *slab)
{
    if (--slab->users == 0) {
        ki_heap_free(columns->heap, slab, slab->bytes, _Alignof(max_align_t));
    }
}

/* Frees the memory of a block that nobody owns any more. */
static void block_free(ki_column_context *columns, uint8_t *data, const ki_block_tail *tail,
                       uint32_t align)
{
    uint32_t bytes = ki_block_bytes_of(tail);
    switch (ki_block_home_of(tail)) {
    case KI_BLOCK_ALONE: ki_heap_free(columns->heap, data, bytes, align); break;
    case KI_BLOCK_IN_SLAB: ki_slab_release(columns, (ki_slab *)(void *)(data - bytes)); break;
    case KI_BLOCK_IN_EXTENT:
        ki_extent_free_block(columns->heap, (ki_extent *)(void *)(data - bytes), bytes);
        break;
    }
}

void ki_block_share(const ki_column *column, ki_block *block)
{
    if (block->data != NULL && !ki_block_is_borrowed(block)) {
        ki_block_tail_of(column, block->data, ki_block_rows(column))->owners++;
    }
    block->stamp |= KI_SHARED;
}

void ki_block_release(ki_column_context *columns, const ki_column *column, const ki_block *block,
                      uint32_t rows)
{
    uint8_t *data = block->data;
    if (data == NULL || ki_block_is_borrowed(block)) {
        return;
    }
    ki_block_tail *tail = ki_block_tail_of(column, data, rows);
    if (--tail->owners == 0) {
        if (column->hooks != NULL) {
            ki_constructed_destroy(ki_block_constructed(column, data, rows));
        }
        block_free(columns, data, tail, ki_block_align(column, rows));
    }
}

void ki_block_defer(ki_column_context *columns, const ki_column *column, const ki_block *block,
                    uint32_t rows)
{
    uint8_t *data = block->data;
    if (ki_block_is_borrowed(block)) {
        return;
    }
    ki_block_tail *tail = ki_block_tail_of(column, data, rows);
    if (--tail->owners == 0 && ki_block_home_of(tail) == KI_BLOCK_ALONE) {
        tail->next = columns->deferred;
        tail->align = ki_block_align(column, rows);
        columns->deferred = tail;
    } else if (tail->owners == 0) {
        block_free(columns, data, tail, ki_block_align(column, rows));
    }
}

void ki_columns_free_deferred_slow(ki_column_context *columns)
{
    while (columns->deferred != NULL) {
        ki_block_tail *tail = columns->deferred;
        columns->deferred = tail->next;
        uint8_t *data = (uint8_t *)tail + sizeof *tail - ki_block_bytes_of(tail);
        block_free(columns, data, tail, tail->align);
    }
}
