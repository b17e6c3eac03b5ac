/* Views: what columns held at one time. A view shares the column's blocks: a block is copied when the
 * column writes it while a view has it. Views of one column share what did not change between them.
 *
 * A view is not written once it is taken. Nothing in a column leads to its views. */
#ifndef KI_STORE_VIEW_H
#define KI_STORE_VIEW_H

#include "store/column.h"

#define KI_VIEW_CHUNK_SHIFT 3u /* 16 take 8% more in the row snapshot of the bench */
#define KI_VIEW_CHUNK_BLOCKS (1u << KI_VIEW_CHUNK_SHIFT)

/* Headers of some of a column's blocks, which follow one another. */
typedef struct ki_view_chunk {
    uint32_t owners; /* views that have it */
    uint32_t count;
    ki_block blocks[KI_VIEW_CHUNK_BLOCKS];
} ki_view_chunk;

typedef struct ki_column_view {
    ki_column shape; /* the column, without its headers; `first` is the header of an only block */
    ki_view_chunk **chunks; /* NULL: there is at most one block */
} ki_column_view;

/* Begins to take views. What was marked is to be marked again before it is written. */
void ki_views_begin(ki_column_context *columns);

/* Whether a column is still what the view is, which was the last one taken of it or restored; `clock` is
 * the write clock before that. */
bool ki_column_is_as_viewed(const ki_column *column, const ki_column_view *view, uint64_t clock);

/* Takes a view of a column. Its values can be copied. It shares what it can with `base`, an older view
 * of the column; NULL: with none. Nothing changed on failure. KITH_ERR_MEMORY. */
kith_result ki_column_view_take(ki_column_context *columns, ki_column *column,
                                const ki_column_view *base, ki_column_view *view);

/* All of ki_column_view_restore that may fail. KITH_ERR_MEMORY. */
kith_result ki_column_view_reserve(ki_column_context *columns, ki_column *column,
                                   const ki_column_view *view);

/* The first row from `row` on whose block may hold other things than in a view; UINT32_MAX: there is
 * none. NULL: a view of nothing. */
uint32_t ki_column_view_next_other(const ki_column *column, const ki_column_view *view,
                                   uint32_t row);

/* Makes the column what the view is, with its write stamps. Its blocks are shared then. Whether one is
 * another than before: then a column that has a list of blocks counts as written. */
bool ki_column_view_restore(ki_column_context *columns, ki_column *column,
                            const ki_column_view *view);

void ki_column_view_free(ki_column_context *columns, ki_column_view *view);

/* Has an empty column of another world borrow the blocks of a view: it reads them, and nobody counts it
 * among those that hold them, so that the view is to be there until ki_column_give_back. They count as
 * written when they were. KITH_ERR_MEMORY: for their headers. */
kith_result ki_column_borrow(ki_column_context *columns, ki_column *column,
                             const ki_column_view *view);

/* The same for a column that nobody writes. */
kith_result ki_column_borrow_all(ki_column_context *columns, ki_column *column,
                                 const ki_column *from);

/* Lets go of the blocks that a column borrowed, which is empty then. One that borrowed none stays. */
void ki_column_give_back(ki_column_context *columns, ki_column *column);

/* The header of one of the view's blocks. */
static inline const ki_block *ki_column_view_block(const ki_column_view *view, uint32_t block)
{
    return view->chunks == NULL ? &view->shape.first
                                : &view->chunks[block >> KI_VIEW_CHUNK_SHIFT]
                                       ->blocks[block & (KI_VIEW_CHUNK_BLOCKS - 1)];
}

/* The value in a row; NULL if there is no page for it, or no such row. */
static inline const void *ki_column_view_at(const ki_column_view *view, uint32_t row)
{
    const ki_column *shape = &view->shape;
    if (row >= shape->capacity) {
        return NULL;
    }
    const uint8_t *data = ki_column_view_block(view, row >> shape->shift)->data;
    return data == NULL ? NULL : data + (size_t)(row & shape->mask) * shape->size;
}

#endif
