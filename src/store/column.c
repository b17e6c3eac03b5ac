#include "store/column.h"

#include "store/block.h"
#include "store/extent.h"

#define COLUMN_INLINE_SIZE 64u /* larger values have no first block in a slab */

/* How many rows a small first block has, of values that have a size: 64 bytes for the usual ones. */
static uint32_t column_first_rows(uint32_t size)
{
    return size <= 4 ? 16 : size <= 8 ? 8 : 4;
}

static void column_init(ki_column *column, uint32_t size, uint32_t align, uint32_t shift,
                        bool paged)
{
    KI_ASSERT(ki_is_power_of_two(align) && align <= 4096 && shift <= 16);
    *column = (ki_column){.block_capacity = 1,
                          .size = size,
                          .mask = (1u << shift) - 1,
                          .plain = size,
                          .align = (uint16_t)align,
                          .shift = (uint8_t)shift,
                          .paged = paged};
    column->blocks = &column->first;
}

void ki_column_init(ki_column *column, uint32_t size, uint32_t align)
{
    column_init(column, size, align, ki_block_shift(size), false);
}

void ki_column_init_paged(ki_column *column, uint32_t size, uint32_t align, uint32_t shift)
{
    column_init(column, size, align, ki_min_u32(shift, ki_block_shift(size)), true);
}

void ki_column_set_hooks(ki_column *column, const ki_hooks *hooks)
{
    column->hooks = hooks;
    column->plain = hooks == NULL ? column->size : 0;
}

/* Notes that blocks came or went, or were marked where they had not been. */
static void column_note_change(ki_column_context *columns, ki_column *column)
{
    if (ki_column_has_list(column)) {
        column->written = columns->write_clock;
    }
    if (column->table1 != 0) {
        ki_bitset_insert(&columns->changed, column->table1 - 1);
    }
}

static void column_free_headers(ki_column_context *columns, ki_column *column)
{
    if (ki_column_has_list(column)) {
        ki_extents_release(columns->heap, &column->extents);
        ki_heap_free(columns->heap, column->blocks, column->block_capacity * sizeof(ki_block),
                     _Alignof(max_align_t));
    }
}

void ki_column_free(ki_column_context *columns, ki_column *column)
{
    uint32_t rows = ki_block_rows(column);
    for (uint32_t block = 0; block < column->block_count; block++) {
        ki_block_release(columns, column, &column->blocks[block], rows);
    }
    column_note_change(columns, column);
    column_free_headers(columns, column);
    const ki_hooks *hooks = column->hooks;
    const uint32_t table1 = column->table1;
    column_init(column, column->size, column->align, column->shift, column->paged);
    ki_column_set_hooks(column, hooks);
    column->table1 = table1;
}

void ki_column_replace(ki_column_context *columns, ki_column *column, ki_column *by)
{
    ki_column_free(columns, column);
    *column = *by;
    if (!ki_column_has_list(by)) {
        column->blocks = &column->first;
    }
    column_init(by, by->size, by->align, by->shift, by->paged);
    column_note_change(columns, column);
}

kith_result ki_column_reserve_headers(ki_column_context *columns, ki_column *column,
                                      uint32_t needed)
{
    if (needed <= column->block_capacity) {
        return KITH_OK;
    }
    ki_block *blocks = !ki_column_has_list(column) ? NULL : column->blocks;
    uint32_t capacity = blocks == NULL ? 0 : column->block_capacity;
    KI_TRY(ki_heap_grow(columns->heap, &blocks, &capacity, needed, sizeof(ki_block), 4));
    if (!ki_column_has_list(column)) {
        blocks[0] = column->first;
        column->extents = NULL;
    }
    column->blocks = blocks;
    column->block_capacity = capacity;
    column_note_change(columns, column);
    return KITH_OK;
}

static void column_set_capacity(ki_column *column)
{
    uint64_t rows = (uint64_t)column->block_count << column->shift;
    column->capacity = rows > KI_COLUMN_ROWS_MAX ? KI_COLUMN_ROWS_MAX : (uint32_t)rows;
}

/* Whether others hold a block, too. */
static bool column_is_block_held(const ki_column *column, const ki_block *block, uint32_t rows)
{
    return ki_block_is_borrowed(block) || ki_block_tail_of(column, block->data, rows)->owners > 1;
}

/* Takes over what a block of `from_rows` rows holds into a larger or equal one: the values with hooks
 * move, unless another holder of the block keeps them. */
static kith_result column_fill_block(const ki_column *column, uint8_t *data, uint32_t rows,
                                     const ki_block *from, uint32_t from_rows)
{
    if (column->hooks == NULL) {
        memcpy(data, from->data, (size_t)from_rows * column->size);
        return KITH_OK;
    }
    ki_constructed_rows to_live = ki_block_constructed(column, data, rows);
    ki_constructed_rows from_live = ki_block_constructed(column, from->data, from_rows);
    if (column_is_block_held(column, from, from_rows)) {
        return ki_constructed_copy(to_live, from_live);
    }
    ki_constructed_move(to_live, from_live);
    return KITH_OK;
}

/* Fills the rows of a block from `first` on, in a column whose rows begin as zero bytes. NULL: rows
 * without values. */
static void column_clear(const ki_column *column, uint8_t *data, uint32_t first, uint32_t end)
{
    if (column->paged && data != NULL) {
        memset(data + (size_t)first * column->size, 0, (size_t)(end - first) * column->size);
    }
}

/* The stamp of a block that comes. */
static uint64_t column_new_stamp(ki_column_context *columns)
{
    ki_columns_note_mark(columns);
    return columns->write_clock;
}

/* Gives the only block, which may not be there yet, room for `rows` rows, at most a full block's. */
static kith_result column_grow_first(ki_column_context *columns, ki_column *column, uint32_t rows)
{
    uint32_t full = ki_column_block_rows(column);
    uint32_t room = column->size == 0 ? full : column_first_rows(column->size);
    if (column->block_count == 1 && column->capacity * 2 > room) {
        room = column->capacity * 2;
    }
    while (room < rows) {
        room *= 2;
    }
    room = ki_min_u32(room, full);
    if (column->block_count == 1 && column->blocks[0].data == NULL) {
        column->capacity = room; /* a page that is not there, or no data at all */
        return KITH_OK;
    }
    uint8_t *data = NULL;
    if (column->size != 0) {
        data = ki_block_alloc(columns, column, room, 1);
        if (data == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    if (column->block_count == 1) {
        KI_ASSERT(data != NULL);
        ki_block *first = column->blocks;
        if (column_fill_block(column, data, room, first, column->capacity) != KITH_OK) {
            ki_block_release(columns, column, &(ki_block){.data = data}, room);
            return KITH_ERR_MEMORY;
        }
        column_clear(column, data, column->capacity, room);
        ki_block_defer(columns, column, first, column->capacity);
        *first = (ki_block){data, first->stamp & ~(KI_SHARED | KI_BORROWED)};
    } else {
        column_clear(column, data, 0, room);
        column->blocks[0] = (ki_block){.data = data, .stamp = column_new_stamp(columns)};
        column->block_count = 1;
    }
    column->capacity = room;
    return KITH_OK;
}

size_t ki_inline_block_end(size_t at, uint32_t size, uint32_t align, bool hooked)
{
    return size == 0 || size > COLUMN_INLINE_SIZE || align > _Alignof(max_align_t)
               ? at
               : ki_round_up(at,
                             align < _Alignof(ki_block_tail) ? _Alignof(ki_block_tail) : align) +
                     ki_block_tail_offset(column_first_rows(size), size, hooked) +
                     sizeof(ki_block_tail);
}

size_t ki_column_set_inline_block(ki_column_context *columns, ki_column *column, ki_slab *slab,
                                  size_t at)
{
    size_t end = ki_inline_block_end(at, column->size, column->align, column->hooks != NULL);
    if (end != at) {
        uint32_t rows = column_first_rows(column->size);
        size_t tail = ki_block_tail_offset(rows, column->size, column->hooks != NULL);
        size_t in_slab = end - sizeof(ki_block_tail) - tail;
        uint8_t *data = (uint8_t *)slab + in_slab;
        ki_block_begin(column, data, rows, KI_BLOCK_IN_SLAB, (uint32_t)in_slab);
        slab->users++;
        column->blocks[0] = (ki_block){.data = data, .stamp = column_new_stamp(columns)};
        column->block_count = 1;
        column->capacity = rows;
    } else if (column->size == 0) {
        column->blocks[0] = (ki_block){.stamp = column_new_stamp(columns)};
        column->block_count = 1;
        column->capacity = ki_column_block_rows(column);
    }
    return end;
}

kith_result ki_column_grow(ki_column_context *columns, ki_column *column, uint32_t rows)
{
    KI_ASSERT(!column->paged);
    uint32_t full = ki_column_block_rows(column);
    column_note_change(columns, column);
    if (column->block_count <= 1 && column->capacity < full && column->capacity < rows) {
        KI_TRY(column_grow_first(columns, column, ki_min_u32(rows, full)));
    }
    while (column->capacity < rows) {
        KI_TRY(ki_column_reserve_headers(columns, column, column->block_count + 1));
        uint8_t *data = NULL;
        if (column->size != 0) {
            uint32_t wanted = ((rows - column->capacity - 1) >> column->shift) + 1;
            data = ki_block_alloc(columns, column, full, wanted);
            if (data == NULL) {
                return KITH_ERR_MEMORY;
            }
        }
        column->blocks[column->block_count++] =
            (ki_block){.data = data, .stamp = column_new_stamp(columns)};
        column_set_capacity(column);
    }
    return KITH_OK;
}

kith_result ki_column_grow_page(ki_column_context *columns, ki_column *column, uint32_t row)
{
    KI_ASSERT(column->paged && column->size != 0);
    uint32_t full = ki_column_block_rows(column);
    uint32_t page = row >> column->shift;
    if (page == 0 && column->block_count <= 1) {
        if (column->block_count == 0 || column->blocks[0].data != NULL) {
            return column_grow_first(columns, column, row + 1);
        }
        column->capacity = full;
    }
    if (page >= column->block_count) {
        if (column->block_count == 1 && column->capacity < full) {
            KI_TRY(column_grow_first(columns, column, full));
        }
        KI_TRY(ki_column_reserve_headers(columns, column, page + 1));
        for (uint32_t block = column->block_count; block <= page; block++) {
            column->blocks[block] =
                (ki_block){.stamp = column_new_stamp(columns)}; /* it may have been there */
        }
        column->block_count = page + 1;
        column_set_capacity(column);
    }
    ki_block *block = &column->blocks[page];
    block->data = ki_block_alloc(columns, column, full, 1);
    if (block->data == NULL) {
        return KITH_ERR_MEMORY;
    }
    column_clear(column, block->data, 0, full);
    block->stamp &= ~(KI_SHARED | KI_BORROWED); /* what it is shared with has no page here */
    return KITH_OK;
}

const ki_slab *ki_column_slab(const ki_column *column)
{
    const uint8_t *data = column->block_count == 1 ? column->blocks[0].data : NULL;
    if (data == NULL || ki_block_is_borrowed(column->blocks)) {
        return NULL;
    }
    const ki_block_tail *tail = ki_block_tail_of(column, column->blocks[0].data, column->capacity);
    return ki_block_home_of(tail) == KI_BLOCK_IN_SLAB
               ? (const ki_slab *)(const void *)(data - ki_block_bytes_of(tail))
               : NULL;
}

static void column_trim_extents(ki_column_context *columns, ki_column *column)
{
    if (ki_column_has_list(column)) {
        ki_extents_trim(columns->heap, &column->extents);
    }
}

void ki_column_trim(ki_column_context *columns, ki_column *column, uint32_t rows)
{
    KI_ASSERT(!column->paged);
    if (ki_column_slab(column) != NULL) {
        return; /* that would give nothing back */
    }
    if (rows == 0) {
        ki_column_free(columns, column);
        return;
    }
    uint32_t needed = ((rows - 1) >> column->shift) + 1;
    while (column->block_count > needed && column->block_count > 1) {
        column_note_change(columns, column);
        ki_block_release(columns, column, &column->blocks[--column->block_count],
                         ki_column_block_rows(column));
        column_set_capacity(column);
    }
    column_trim_extents(columns, column);
}

void ki_column_trim_pages(ki_column_context *columns, ki_column *column,
                          bool (*unused)(const ki_column *column, uint32_t first, uint32_t count,
                                         const void *context),
                          const void *context)
{
    KI_ASSERT(column->paged);
    uint32_t rows = ki_block_rows(column);
    uint32_t needed = 0;
    for (uint32_t block = 0; block < column->block_count; block++) {
        ki_block *page = &column->blocks[block];
        if (page->data != NULL && unused(column, block << column->shift, rows, context)) {
            ki_block_release(columns, column, page, rows);
            *page =
                (ki_block){.stamp = page->stamp & ~(KI_SHARED | KI_BORROWED)}; /* it left then */
        }
        needed = page->data != NULL ? block + 1 : needed;
    }
    if (needed == 0) {
        ki_column_free(columns, column);
    } else if (needed < column->block_count) {
        column->block_count = needed;
        column_set_capacity(column);
    }
    column_trim_extents(columns, column);
}

/* Makes the block the column's alone, with what it holds if that counts. False: no memory. */
static bool column_unshare(ki_column_context *columns, ki_column *column, ki_block *block,
                           bool counts)
{
    if (block->data == NULL) {
        return true; /* a page that is not there, or no data at all */
    }
    uint32_t rows = ki_block_rows(column);
    if (!column_is_block_held(column, block, rows)) {
        ki_block_tail_of(column, block->data, rows)->hashed_as = 0;
        return true;
    }
    uint8_t *data = ki_block_alloc(columns, column, rows, 1);
    if (data == NULL) {
        return false;
    }
    if (counts && column_fill_block(column, data, rows, block, rows) != KITH_OK) {
        ki_block_release(columns, column, &(ki_block){.data = data}, rows);
        return false;
    }
    ki_block_release(columns, column, block, rows);
    block->data = data;
    return true;
}

static bool column_mark(ki_column_context *columns, ki_column *column, uint32_t block, bool counts)
{
    ki_block *touched = &column->blocks[block];
    KI_ASSERT(!columns->borrowed || (touched->stamp & KI_SHARED) == 0);
    if (columns->lock != NULL) {
        ki_lock_acquire(columns->lock);
    }
    bool done =
        (touched->stamp & KI_SHARED) == 0 || column_unshare(columns, column, touched, counts);
    if (done) {
        ki_columns_note_mark(columns);
        column_note_change(columns, column);
        KI_STORE_RELEASE(&touched->stamp, columns->write_clock);
    }
    if (columns->lock != NULL) {
        ki_lock_release(columns->lock);
    }
    return done;
}

bool ki_column_mark_slow(ki_column_context *columns, ki_column *column, uint32_t block)
{
    return column_mark(columns, column, block, true);
}

bool ki_column_mark_unused(ki_column_context *columns, ki_column *column, uint32_t block)
{
    return column_mark(columns, column, block, false);
}

kith_result ki_column_unshare(ki_column_context *columns, ki_column *column)
{
    for (uint32_t i = 0; i < column->block_count; i++) {
        const ki_block *block = &column->blocks[i];
        if (block->data != NULL && (block->stamp & KI_SHARED) != 0 &&
            !ki_column_mark_slow(columns, column, i)) {
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
}

size_t ki_column_reserved(const ki_column *column)
{
    uint32_t blocks = 0;
    for (uint32_t block = 0; block < column->block_count; block++) {
        blocks +=
            column->blocks[block].data != NULL && !ki_block_is_borrowed(&column->blocks[block]);
    }
    size_t block_bytes = ki_block_bytes(column, ki_block_rows(column));
    size_t bytes = blocks * block_bytes;
    if (ki_column_has_list(column)) {
        bytes += ki_extents_unused(column->extents, block_bytes);
        bytes += column->block_capacity * sizeof(ki_block);
    }
    return bytes;
}

/* The block of a row, and in `*row` the row there. */
static ki_constructed_rows column_constructed_at(const ki_column *column, uint32_t *row)
{
    uint8_t *data = column->blocks[*row >> column->shift].data;
    *row &= ki_column_block_rows(column) - 1;
    return ki_block_constructed(column, data, ki_block_rows(column));
}

bool ki_column_is_constructed(const ki_column *column, uint32_t row)
{
    ki_constructed_rows block = column_constructed_at(column, &row);
    return (block.bits[row / 64] >> row % 64 & 1) != 0;
}

static void column_turn(const ki_column *column, uint32_t row)
{
    ki_constructed_rows block = column_constructed_at(column, &row);
    block.bits[row / 64] ^= (uint64_t)1 << row % 64;
}

void ki_column_drop(ki_column *column, uint32_t row)
{
    if (ki_column_is_constructed(column, row)) {
        column_turn(column, row);
        ki_hooks_destroy(column->hooks, ki_column_at(column, row), 1);
    }
}

void ki_column_put(ki_column *column, uint32_t row, void *value)
{
    KI_ASSERT(value != NULL);
    ki_column_drop(column, row);
    ki_hooks_move(column->hooks, ki_column_at(column, row), value, 1);
    column_turn(column, row);
}

void ki_column_relocate(ki_column *to, uint32_t to_row, const ki_column *from, uint32_t from_row)
{
    KI_ASSERT(!ki_column_is_constructed(to, to_row) && ki_column_is_constructed(from, from_row));
    ki_hooks_move(to->hooks, ki_column_at(to, to_row), ki_column_at(from, from_row), 1);
    column_turn(to, to_row);
    column_turn(from, from_row);
}

void ki_column_take(ki_column *column, uint32_t row, void *to)
{
    KI_ASSERT(ki_column_is_constructed(column, row));
    ki_hooks_move(column->hooks, to, ki_column_at(column, row), 1);
    column_turn(column, row);
}

uint64_t ki_column_live_count(const ki_column *column)
{
    uint64_t count = 0;
    uint32_t rows = ki_block_rows(column);
    for (uint32_t block = 0; block < column->block_count; block++) {
        uint8_t *data = column->blocks[block].data;
        count += data == NULL ? 0 : ki_constructed_count(ki_block_constructed(column, data, rows));
    }
    return count;
}

const char *ki_column_check(const ki_column_context *columns, const ki_column *column)
{
    uint32_t full = ki_column_block_rows(column);
    if (column->block_count > column->block_capacity) {
        return "a column has more blocks than room for their headers";
    }
    if (column->block_capacity == 1 && ki_column_has_list(column)) {
        return "a column's only header is not its own";
    }
    if (column->block_count == 0 ? column->capacity != 0
        : column->block_count == 1
            ? column->capacity == 0 || column->capacity > full
            : column->capacity < (((uint64_t)column->block_count - 1) << column->shift)) {
        return "a column's capacity does not fit its blocks";
    }
    uint32_t rows = ki_block_rows(column);
    uint32_t in_extents = 0;
    for (uint32_t block = 0; block < column->block_count; block++) {
        uint8_t *data = column->blocks[block].data;
        if ((column->blocks[block].stamp & ~KI_STAMP_FLAGS) > columns->write_clock) {
            return "a block was written in the future";
        }
        if (data == NULL) {
            if (column->size != 0 && !column->paged) {
                return "a block is missing";
            }
            continue;
        }
        if ((uintptr_t)data % ki_block_align(column, rows) != 0) {
            return "a block is not aligned";
        }
        if (ki_block_is_borrowed(&column->blocks[block])) {
            if ((column->blocks[block].stamp & KI_SHARED) == 0) {
                return "a block of another world is not marked as shared";
            }
            continue; /* its holders may be changing, in another thread */
        }
        const ki_block_tail *tail = ki_block_tail_of(column, data, rows);
        if (tail->owners == 0) {
            return "a block has no owner";
        }
        if (tail->owners > 1 && (column->blocks[block].stamp & KI_SHARED) == 0) {
            return "a shared block is not marked as shared";
        }
        in_extents += ki_block_is_in_extent(data, tail);
    }
    return ki_column_has_list(column) ? ki_extents_check(column->extents, in_extents) : NULL;
}
