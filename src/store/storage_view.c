#include "store/storage_view.h"

ki_storage_columns ki_storage_of_entities(ki_store *store)
{
    ki_entities *entities = &store->entities;
    return (ki_storage_columns){.columns = {&entities->records, &entities->summary},
                                .count = 2,
                                .relations = store->relations,
                                .relation_count = store->relation_count};
}

ki_storage_columns ki_storage_of_exact(ki_store *store)
{
    return (ki_storage_columns){.exact = store->exact, .exact_count = store->exact_count};
}

ki_storage_columns ki_storage_of_table(ki_table *table)
{
    return (ki_storage_columns){.columns = {&table->rows.entities},
                                .count = 1,
                                .rows = &table->rows,
                                .number = &table->rows.count};
}

ki_storage_columns ki_storage_of_component(ki_component *component)
{
    if (component->layout == KITH_SPARSE) {
        ki_sparse *set = &component->in.sparse;
        return (ki_storage_columns){.columns = {&set->index, &set->rows.entities},
                                    .count = 2,
                                    .rows = &set->rows,
                                    .number = &set->rows.count};
    }
    ki_slots *slots = &component->in.slots;
    return (ki_storage_columns){
        .columns = {&slots->bits, &slots->values}, .count = 2, .number = &slots->count};
}

ki_storage_columns ki_storage_of_unique(ki_unique *unique)
{
    return (ki_storage_columns){.columns = {&unique->places}, .count = 1, .number = &unique->used};
}

static uint32_t storage_column_count(const ki_storage_columns *storage)
{
    return storage->count + storage->relation_count + storage->exact_count +
           (storage->rows == NULL ? 0 : storage->rows->column_count);
}

static ki_column *storage_column(const ki_storage_columns *storage, uint32_t i)
{
    uint32_t after = i - storage->count;
    return i < storage->count       ? storage->columns[i]
           : storage->rows != NULL  ? &storage->rows->columns[after]
           : storage->exact != NULL ? &storage->exact[after]->value_diff->seen
                                    : &storage->relations[after]->links;
}

/* Whether a column is no part of the state: it is that of a transient relation or component. */
static bool storage_is_transient(const ki_storage_columns *storage, uint32_t i)
{
    return storage->relations != NULL
               ? i >= storage->count && storage->relations[i - storage->count]->component->transient
               : storage->exact != NULL && storage->exact[i]->transient;
}

static size_t storage_view_bytes(uint32_t column_count)
{
    return sizeof(ki_storage_view) + column_count * sizeof(ki_column_view);
}

bool ki_storage_is_as_viewed(const ki_store *store, const ki_storage_columns *storage,
                             const ki_storage_view *view)
{
    /* The number changes with what is written to the columns. */
    bool same = view->column_count == storage_column_count(storage);
    for (uint32_t i = 0; same && i < view->column_count; i++) {
        same = storage_is_transient(storage, i) ||
               ki_column_is_as_viewed(storage_column(storage, i), &view->columns[i],
                                      store->viewed_clock);
    }
    return same;
}

void ki_storage_view_release(ki_store *store, ki_storage_view *view)
{
    if (view == NULL || --view->owners != 0) {
        return;
    }
    for (uint32_t i = 0; i < view->column_count; i++) {
        ki_column_view_free(&store->columns, &view->columns[i]);
    }
    ki_heap_free(&store->context.heap, view, storage_view_bytes(view->column_count),
                 _Alignof(ki_storage_view));
}

ki_storage_view *ki_storage_view_take(ki_store *store, const ki_storage_columns *storage,
                                      ki_storage_view *base)
{
    if (base != NULL && ki_storage_is_as_viewed(store, storage, base)) {
        base->owners++;
        return base;
    }
    uint32_t count = storage_column_count(storage);
    ki_storage_view *view =
        ki_heap_alloc(&store->context.heap, storage_view_bytes(count), _Alignof(ki_storage_view));
    if (view == NULL) {
        return NULL;
    }
    *view = (ki_storage_view){.owners = 1, .column_count = count};
    view->number = storage->number == NULL ? 0 : *storage->number;
    for (uint32_t i = 0; i < count; i++) {
        if (storage_is_transient(storage, i)) {
            view->columns[i] = (ki_column_view){0};
        } else if (ki_column_view_take(&store->columns, storage_column(storage, i),
                                       base == NULL || i >= base->column_count ? NULL
                                                                               : &base->columns[i],
                                       &view->columns[i]) != KITH_OK) {
            for (; i < count; i++) {
                view->columns[i] = (ki_column_view){0};
            }
            ki_storage_view_release(store, view);
            return NULL;
        }
    }
    return view;
}

kith_result ki_storage_view_reserve(ki_store *store, const ki_storage_columns *storage,
                                    const ki_storage_view *view)
{
    for (uint32_t i = 0; i < view->column_count; i++) {
        KI_TRY(
            ki_column_view_reserve(&store->columns, storage_column(storage, i), &view->columns[i]));
    }
    return KITH_OK;
}

bool ki_storage_view_restore(ki_store *store, const ki_storage_columns *storage,
                             const ki_storage_view *view, bool all)
{
    bool moved = false;
    for (uint32_t i = 0; i < storage_column_count(storage); i++) {
        ki_column *column = storage_column(storage, i);
        if (!all && storage_is_transient(storage, i)) {
            continue;
        }
        bool other = column->block_count != 0;
        if (view == NULL || i >= view->column_count) {
            ki_column_free(&store->columns, column);
        } else {
            other = ki_column_view_restore(&store->columns, column, &view->columns[i]);
        }
        moved = moved || (other && i == 0); /* the first column tells who is there, or where */
    }
    if (storage->number != NULL) {
        *storage->number = view == NULL ? 0 : view->number;
    }
    if (storage->rows != NULL) {
        ki_rows_set_capacity(storage->rows);
    }
    return moved;
}

kith_result ki_storage_view_borrow(ki_store *store, const ki_storage_columns *storage,
                                   const ki_storage_view *view)
{
    for (uint32_t i = 0; view != NULL && i < view->column_count; i++) {
        ki_column *column = storage_column(storage, i);
        ki_column_free(&store->columns, column); /* a block in its table's slab */
        KI_TRY(ki_column_borrow(&store->columns, column, &view->columns[i]));
    }
    if (view != NULL && storage->number != NULL) {
        *storage->number = view->number;
    }
    if (view != NULL && storage->rows != NULL) {
        ki_rows_set_capacity(storage->rows);
    }
    return KITH_OK;
}
