#include "store/view.h"

#include "store/block.h"

void ki_views_begin(ki_column_context *columns)
{
    columns->write_clock++;
    columns->shared = true;
}

static uint32_t view_chunk_count(const ki_column *shape)
{
    return shape->block_count <= 1 ? 0 : ((shape->block_count - 1) >> KI_VIEW_CHUNK_SHIFT) + 1;
}

static bool view_same_header(const ki_block *a, const ki_block *b)
{
    return a->data == b->data && a->stamp == b->stamp;
}

bool ki_column_is_as_viewed(const ki_column *column, const ki_column_view *view, uint64_t clock)
{
    if (column->block_count != view->shape.block_count ||
        column->capacity != view->shape.capacity) {
        return false;
    }
    if (view->chunks != NULL) {
        return column->written <= clock;
    }
    return column->block_count == 0 || view_same_header(column->blocks, &view->shape.first);
}

/* The chunk of a view that has these headers, or NULL. */
static ki_view_chunk *view_find_chunk(const ki_column_view *base, uint32_t number,
                                      const ki_block *blocks, uint32_t count)
{
    if (base == NULL || number >= view_chunk_count(&base->shape)) {
        return NULL;
    }
    ki_view_chunk *chunk = base->chunks[number];
    bool same = chunk->count == count;
    for (uint32_t i = 0; same && i < count; i++) {
        same = view_same_header(&chunk->blocks[i], &blocks[i]);
    }
    return same ? chunk : NULL;
}

static void view_release_chunk(ki_column_context *columns, const ki_column *shape,
                               ki_view_chunk *chunk)
{
    if (--chunk->owners != 0) {
        return;
    }
    for (uint32_t i = 0; i < chunk->count; i++) {
        ki_block_release(columns, shape, &chunk->blocks[i], ki_block_rows(shape));
    }
    ki_heap_free(columns->heap, chunk, sizeof *chunk, _Alignof(ki_view_chunk));
}

static void view_free_chunks(ki_column_context *columns, ki_column_view *view, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        view_release_chunk(columns, &view->shape, view->chunks[i]);
    }
    ki_heap_free(columns->heap, view->chunks, view_chunk_count(&view->shape) * sizeof *view->chunks,
                 _Alignof(ki_view_chunk *));
    view->chunks = NULL;
}

/* The chunk of some of the column's headers: that of `base`, or a new one; NULL: no memory. */
static ki_view_chunk *view_take_chunk(ki_column_context *columns, ki_column *column,
                                      const ki_column_view *base, uint32_t number)
{
    uint32_t first = number << KI_VIEW_CHUNK_SHIFT;
    uint32_t count = ki_min_u32(column->block_count - first, KI_VIEW_CHUNK_BLOCKS);
    ki_block *blocks = column->blocks + first;
    ki_view_chunk *chunk = view_find_chunk(base, number, blocks, count);
    if (chunk != NULL) {
        chunk->owners++;
        return chunk;
    }
    chunk = ki_heap_alloc(columns->heap, sizeof *chunk, _Alignof(ki_view_chunk));
    if (chunk == NULL) {
        return NULL;
    }
    chunk->owners = 1;
    chunk->count = count;
    for (uint32_t i = 0; i < count; i++) {
        ki_block_share(column, &blocks[i]);
        chunk->blocks[i] = blocks[i];
    }
    return chunk;
}

kith_result ki_column_view_take(ki_column_context *columns, ki_column *column,
                                const ki_column_view *base, ki_column_view *view)
{
    KI_ASSERT(column->hooks == NULL || column->hooks->calls.copy != NULL);
    ki_column_view taken = {.shape = *column};
    taken.shape.blocks = NULL;
    uint32_t count = view_chunk_count(column);
    if (column->block_count == 1) {
        ki_block_share(column, column->blocks);
        taken.shape.first = column->blocks[0];
    } else if (count != 0) {
        taken.chunks =
            ki_heap_alloc(columns->heap, count * sizeof *taken.chunks, _Alignof(ki_view_chunk *));
        if (taken.chunks == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    for (uint32_t i = 0; taken.chunks != NULL && i < count; i++) {
        taken.chunks[i] = view_take_chunk(columns, column, base, i);
        if (taken.chunks[i] == NULL) {
            view_free_chunks(columns, &taken, i);
            return KITH_ERR_MEMORY;
        }
    }
    *view = taken;
    return KITH_OK;
}

kith_result ki_column_view_reserve(ki_column_context *columns, ki_column *column,
                                   const ki_column_view *view)
{
    return ki_column_reserve_headers(columns, column, view->shape.block_count);
}

uint32_t ki_column_view_next_other(const ki_column *column, const ki_column_view *view,
                                   uint32_t row)
{
    const uint32_t viewed = view == NULL ? 0 : view->shape.block_count;
    const uint32_t most = column->block_count > viewed ? column->block_count : viewed;
    for (uint32_t block = row >> column->shift; block < most; block++) {
        const uint8_t *now = block < column->block_count ? column->blocks[block].data : NULL;
        const uint8_t *was = block < viewed ? ki_column_view_block(view, block)->data : NULL;
        if (now != was) {
            return block == row >> column->shift ? row : block << column->shift;
        }
    }
    return UINT32_MAX;
}

bool ki_column_view_restore(ki_column_context *columns, ki_column *column,
                            const ki_column_view *view)
{
    const ki_column *shape = &view->shape;
    uint32_t rows = ki_block_rows(column);
    bool other = column->block_count > shape->block_count;
    for (uint32_t i = shape->block_count; i < column->block_count; i++) {
        ki_block_release(columns, column, &column->blocks[i], rows);
    }
    for (uint32_t i = 0; i < shape->block_count; i++) {
        ki_block wanted = *ki_column_view_block(view, i);
        const ki_block held = i < column->block_count ? column->blocks[i] : (ki_block){0};
        if (held.data != wanted.data) {
            ki_block_share(shape, &wanted);
            ki_block_release(columns, column, &held, rows);
            other = true;
        }
        column->blocks[i] = wanted;
    }
    if (other && ki_column_has_list(column)) {
        column->written = columns->write_clock;
    }
    column->block_count = shape->block_count;
    column->capacity = shape->capacity;
    return other;
}

void ki_column_view_free(ki_column_context *columns, ki_column_view *view)
{
    if (view->chunks != NULL) {
        view_free_chunks(columns, view, view_chunk_count(&view->shape));
    } else if (view->shape.block_count == 1) {
        ki_block_release(columns, &view->shape, &view->shape.first, ki_block_rows(&view->shape));
    }
    view->shape.block_count = 0;
}

/* What a log tells of a block is not borrowed with it. */
static ki_block view_borrowed(const ki_block *block)
{
    return (ki_block){block->data, (block->stamp & ~KI_LOGGED) | KI_SHARED | KI_BORROWED};
}

kith_result ki_column_borrow(ki_column_context *columns, ki_column *column,
                             const ki_column_view *view)
{
    KI_ASSERT(column->block_count == 0);
    KI_TRY(ki_column_reserve_headers(columns, column, view->shape.block_count));
    for (uint32_t i = 0; i < view->shape.block_count; i++) {
        column->blocks[i] = view_borrowed(ki_column_view_block(view, i));
    }
    column->block_count = view->shape.block_count;
    column->capacity = view->shape.capacity;
    return KITH_OK;
}

kith_result ki_column_borrow_all(ki_column_context *columns, ki_column *column,
                                 const ki_column *from)
{
    KI_ASSERT(column->block_count == 0);
    KI_TRY(ki_column_reserve_headers(columns, column, from->block_count));
    for (uint32_t i = 0; i < from->block_count; i++) {
        column->blocks[i] = view_borrowed(&from->blocks[i]);
    }
    column->block_count = from->block_count;
    column->capacity = from->capacity;
    return KITH_OK;
}

void ki_column_give_back(ki_column_context *columns, ki_column *column)
{
    if (column->block_count != 0 && ki_block_is_borrowed(column->blocks)) {
        ki_column_free(columns, column);
    }
}
