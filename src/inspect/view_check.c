/* Whether what views share is counted right: each holder of a thing is taken from its count, which is 0
 * then, and added again. What several share is visited with the last of them, and with the first. */
#include "inspect/inspect.h"
#include "store/block.h"
#include "store/store_view.h"

typedef enum holders { HOLDERS_TAKE, HOLDERS_TEST, HOLDERS_ADD } holders;

typedef struct holders_walk {
    holders does;
    const char *wrong;
} holders_walk;

/* Counts one holder. Whether what is held is to be visited too. */
static bool holders_count(holders_walk *walk, uint32_t *owners)
{
    switch (walk->does) {
    case HOLDERS_TAKE: return --*owners == 0;
    case HOLDERS_ADD: return (*owners)++ == 0;
    case HOLDERS_TEST: break;
    }
    if (*owners != 0) {
        walk->wrong = "a part of a view has more or fewer holders than it counts";
    }
    return true;
}

/* A block may have more holders: columns of tests, and state that is no store's. */
static void holders_of_block(holders_walk *walk, const ki_column *shape, const ki_block *block)
{
    if (block->data == NULL || ki_block_is_borrowed(block)) {
        return;
    }
    uint32_t *owners = &ki_block_tail_of(shape, block->data, ki_block_rows(shape))->owners;
    if (walk->does == HOLDERS_TEST) {
        walk->wrong =
            *owners > UINT32_MAX / 2 ? "a block has more holders than it counts" : walk->wrong;
    } else {
        *owners += walk->does == HOLDERS_ADD ? 1 : UINT32_MAX;
    }
}

static void holders_of_column_view(holders_walk *walk, ki_column_view *view)
{
    if (view->chunks == NULL && view->shape.block_count == 1) {
        holders_of_block(walk, &view->shape, &view->shape.first);
    }
    for (uint32_t i = 0; view->chunks != NULL && i < view->shape.block_count;
         i += KI_VIEW_CHUNK_BLOCKS) {
        ki_view_chunk *chunk = view->chunks[i >> KI_VIEW_CHUNK_SHIFT];
        bool visited = holders_count(walk, &chunk->owners);
        for (uint32_t block = 0; visited && block < chunk->count; block++) {
            holders_of_block(walk, &view->shape, &chunk->blocks[block]);
        }
    }
}

static void holders_of_storage(holders_walk *walk, ki_storage_view *view)
{
    if (view == NULL || !holders_count(walk, &view->owners)) {
        return;
    }
    for (uint32_t i = 0; i < view->column_count; i++) {
        holders_of_column_view(walk, &view->columns[i]);
    }
}

static void holders_of_column(ki_column *column, void *context)
{
    for (uint32_t i = 0; i < column->block_count; i++) {
        holders_of_block(context, column, &column->blocks[i]);
    }
}

const char *ki_store_views_check(ki_store *store)
{
    bool viewed = store->viewed == NULL;
    if (store->views == NULL) {
        return viewed ? NULL : "the view that was last taken or restored is gone";
    }
    holders_walk walk = {.does = HOLDERS_TAKE};
    for (; walk.does <= HOLDERS_ADD; walk.does++) {
        ki_store_each_column(store, holders_of_column, &walk);
        for (ki_store_view *view = store->views; view != NULL; view = view->next) {
            viewed = viewed || store->viewed == view;
            holders_of_storage(&walk, view->entities);
            for (uint32_t i = 0; i < view->table_count + view->other_count; i++) {
                holders_of_storage(&walk, view->storages[i]);
            }
        }
    }
    return viewed ? walk.wrong : "the view that was last taken or restored is gone";
}
