#include "store/view_pair.h"

static uint32_t pair_blocks(const ki_column_view *view)
{
    return view == NULL ? 0 : view->shape.block_count;
}

static const uint8_t *pair_data(const ki_column_view *view, uint32_t block)
{
    return block < pair_blocks(view) ? ki_column_view_block(view, block)->data : NULL;
}

/* How many rows a view has in a block, from `first` on. */
static uint32_t pair_rows(const ki_column_view *view, const uint8_t *data, uint32_t first)
{
    return data == NULL
               ? 0
               : ki_min_u32(view->shape.capacity - first, ki_column_block_rows(&view->shape));
}

/* Whether the chunk of a block is the same in both. */
static bool pair_shares_chunk(const ki_column_view *a, const ki_column_view *b, uint32_t block)
{
    uint32_t chunk = block >> KI_VIEW_CHUNK_SHIFT;
    return block < pair_blocks(a) && block < pair_blocks(b) && a->chunks != NULL &&
           b->chunks != NULL && a->chunks[chunk] == b->chunks[chunk];
}

bool ki_view_pair_next(const ki_column_view *a, const ki_column_view *b, ki_view_run *run)
{
    uint32_t most = pair_blocks(a) > pair_blocks(b) ? pair_blocks(a) : pair_blocks(b);
    for (uint32_t block = run->next; block < most; block++) {
        if (pair_shares_chunk(a, b, block)) {
            block |= KI_VIEW_CHUNK_BLOCKS - 1;
            continue;
        }
        run->a = pair_data(a, block);
        run->b = pair_data(b, block);
        if (run->a != run->b) {
            const ki_column *shape = pair_blocks(a) != 0 ? &a->shape : &b->shape;
            run->next = block + 1;
            run->first = block << shape->shift;
            run->a_count = pair_rows(a, run->a, run->first);
            run->b_count = pair_rows(b, run->b, run->first);
            run->count = run->a_count > run->b_count ? run->a_count : run->b_count;
            return true;
        }
    }
    return false;
}
