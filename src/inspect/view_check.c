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

static void holders_of_store_view(holders_walk *walk, const ki_store_view *view)
{
    holders_of_storage(walk, view->entities);
    holders_of_storage(walk, view->exact);
    for (uint32_t part = 0; part < ki_store_view_parts(view); part++) {
        bool visited = holders_count(walk, &view->tables[part]->owners);
        for (uint32_t i = 0; visited && i < KI_VIEW_TABLES; i++) {
            holders_of_storage(walk, view->tables[part]->at[i]);
        }
    }
    for (uint32_t other = 0; other < view->other_count; other++) {
        holders_of_storage(walk, view->others[other]);
    }
    for (uint32_t i = 0; i < view->unique_count; i++) {
        holders_of_storage(walk, view->uniques[i]);
    }
}

static bool views_column_is_as_viewed(const ki_column *column, const ki_column_view *view)
{
    bool same =
        column->block_count == view->shape.block_count && column->capacity == view->shape.capacity;
    for (uint32_t i = 0; same && i < column->block_count; i++) {
        const ki_block *block = ki_column_view_block(view, i);
        same = column->blocks[i].data == block->data && column->blocks[i].stamp == block->stamp;
    }
    return same;
}

/* Whether the tables that are not noted as changed are what the last view has of them. */
static bool views_know_changes(const ki_store *store)
{
    bool know = true;
    for (uint32_t id = 0; store->viewed != NULL && know && id < store->table_slots; id++) {
        if (store->tables[id] == NULL || ki_bitset_has(&store->columns.changed, id)) {
            continue;
        }
        const ki_storage_view *view = ki_store_view_table(store->viewed, id);
        const ki_rows *rows = &store->tables[id]->rows;
        know = view != NULL && rows->count == view->number &&
               views_column_is_as_viewed(&rows->entities, &view->columns[0]);
        for (uint32_t i = 0; know && i < rows->column_count; i++) {
            know = views_column_is_as_viewed(&rows->columns[i], &view->columns[1 + i]);
        }
    }
    return know;
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
            holders_of_store_view(&walk, view);
        }
    }
    if (!viewed) {
        return "the view that was last taken or restored is gone";
    }
    return walk.wrong != NULL || views_know_changes(store)
               ? walk.wrong
               : "a table changed since the last view, and is not noted";
}
