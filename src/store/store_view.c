#include "store/store_view.h"

#include "store/unique_map.h"

/* The columns of a storage as it is now. */
typedef struct storage_columns {
    ki_column *columns[2];
    uint32_t count;   /* of these, */
    ki_rows *rows;    /* which the columns of these come after; or NULL */
    uint32_t *number; /* of rows, or of bits that are set; NULL: neither */
} storage_columns;

static storage_columns storage_of_entities(ki_store *store)
{
    ki_entities *entities = &store->entities;
    return (storage_columns){.columns = {&entities->records, &entities->summary}, .count = 2};
}

static storage_columns storage_of_table(ki_table *table)
{
    return (storage_columns){.columns = {&table->rows.entities},
                             .count = 1,
                             .rows = &table->rows,
                             .number = &table->rows.count};
}

static storage_columns storage_of_component(ki_component *component)
{
    if (component->layout == KITH_SPARSE) {
        ki_sparse *set = &component->in.sparse;
        return (storage_columns){.columns = {&set->index, &set->rows.entities},
                                 .count = 2,
                                 .rows = &set->rows,
                                 .number = &set->rows.count};
    }
    ki_slots *slots = &component->in.slots;
    return (storage_columns){
        .columns = {&slots->bits, &slots->values}, .count = 2, .number = &slots->count};
}

static uint32_t storage_column_count(const storage_columns *storage)
{
    return storage->count + (storage->rows == NULL ? 0 : storage->rows->column_count);
}

static ki_column *storage_column(const storage_columns *storage, uint32_t i)
{
    return i < storage->count ? storage->columns[i] : &storage->rows->columns[i - storage->count];
}

static size_t storage_view_bytes(uint32_t column_count)
{
    return sizeof(ki_storage_view) + column_count * sizeof(ki_column_view);
}

/* Whether the storage is still what the view is, which it was last taken as or made. */
static bool storage_is_as_viewed(const ki_store *store, const storage_columns *storage,
                                 const ki_storage_view *view)
{
    bool same = true; /* the number changes with what is written to the columns */
    for (uint32_t i = 0; same && i < view->column_count; i++) {
        same = ki_column_is_as_viewed(storage_column(storage, i), &view->columns[i],
                                      store->viewed_clock);
    }
    return same;
}

static void storage_view_release(ki_store *store, ki_storage_view *view)
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

/* A view of the storage, which may be that of before, `base`; NULL: no memory. */
static ki_storage_view *storage_view_take(ki_store *store, const storage_columns *storage,
                                          ki_storage_view *base)
{
    if (base != NULL && storage_is_as_viewed(store, storage, base)) {
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
        if (ki_column_view_take(&store->columns, storage_column(storage, i),
                                base == NULL ? NULL : &base->columns[i],
                                &view->columns[i]) != KITH_OK) {
            for (; i < count; i++) {
                view->columns[i] = (ki_column_view){0};
            }
            storage_view_release(store, view);
            return NULL;
        }
    }
    return view;
}

static kith_result storage_view_reserve(ki_store *store, const storage_columns *storage,
                                        const ki_storage_view *view)
{
    for (uint32_t i = 0; i < view->column_count; i++) {
        KI_TRY(
            ki_column_view_reserve(&store->columns, storage_column(storage, i), &view->columns[i]));
    }
    return KITH_OK;
}

/* NULL `view`: the storage had nothing. */
static void storage_view_restore(ki_store *store, const storage_columns *storage,
                                 const ki_storage_view *view)
{
    for (uint32_t i = 0; i < storage_column_count(storage); i++) {
        ki_column *column = storage_column(storage, i);
        if (view == NULL) {
            ki_column_free(&store->columns, column);
        } else {
            ki_column_view_restore(&store->columns, column, &view->columns[i]);
        }
    }
    if (storage->number != NULL) {
        *storage->number = view == NULL ? 0 : view->number;
    }
    if (storage->rows != NULL) {
        ki_rows_set_capacity(storage->rows);
    }
}

static size_t store_view_bytes(const ki_store_view *view)
{
    return sizeof *view + ((size_t)view->table_count + view->other_count) * sizeof(*view->storages);
}

static kith_result store_view_fill(ki_store *store, ki_store_view *view)
{
    const ki_store_view *base = store->viewed;
    storage_columns entities = storage_of_entities(store);
    view->entities = storage_view_take(store, &entities, base == NULL ? NULL : base->entities);
    bool filled = view->entities != NULL;
    for (uint32_t id = 0; filled && id < view->table_count; id++) {
        if (store->tables[id] != NULL) {
            storage_columns table = storage_of_table(store->tables[id]);
            view->storages[id] = storage_view_take(store, &table, ki_store_view_table(base, id));
            filled = view->storages[id] != NULL;
        }
    }
    for (uint32_t other = 0; filled && other < view->other_count; other++) {
        if (!store->storages[other]->transient) {
            storage_columns storage = storage_of_component(store->storages[other]);
            ki_storage_view **taken = &view->storages[view->table_count + other];
            *taken = storage_view_take(store, &storage, ki_store_view_other(base, other));
            filled = *taken != NULL;
        }
    }
    return filled ? KITH_OK : KITH_ERR_MEMORY;
}

kith_result ki_store_view_take(ki_store *store, ki_store_view **view)
{
    ki_store_view counts = {.slots = store->entities.slots,
                            .empty = store->entities.empty,
                            .retired = store->entities.retired,
                            .free_head = store->entities.free_head,
                            .table_count = store->table_slots,
                            .other_count = store->storage_count};
    ki_store_view *taken = ki_heap_alloc_zeroed(&store->context.heap, store_view_bytes(&counts),
                                                _Alignof(ki_store_view));
    if (taken == NULL) {
        return KITH_ERR_MEMORY;
    }
    *taken = counts;
    taken->next = store->views;
    store->views = taken;
    ki_views_begin(&store->columns);
    if (store_view_fill(store, taken) != KITH_OK) {
        ki_store_view_free(store, taken);
        return KITH_ERR_MEMORY;
    }
    store->viewed = taken;
    store->viewed_clock = store->columns.write_clock - 1;
    *view = taken;
    return KITH_OK;
}

kith_result ki_store_view_reserve(ki_store *store, const ki_store_view *view)
{
    storage_columns entities = storage_of_entities(store);
    KI_TRY(storage_view_reserve(store, &entities, view->entities));
    for (uint32_t id = 0; id < view->table_count; id++) {
        if (view->storages[id] != NULL) {
            storage_columns table = storage_of_table(store->tables[id]);
            KI_TRY(storage_view_reserve(store, &table, view->storages[id]));
        }
    }
    for (uint32_t other = 0; other < view->other_count; other++) {
        if (ki_store_view_other(view, other) != NULL) {
            storage_columns storage = storage_of_component(store->storages[other]);
            KI_TRY(storage_view_reserve(store, &storage, ki_store_view_other(view, other)));
        }
    }
    return KITH_OK;
}

/* With `all` also components that the view does not have. */
static void store_view_restore(ki_store *store, const ki_store_view *view, bool all)
{
    ki_entities *entities = &store->entities;
    storage_columns records = storage_of_entities(store);
    storage_view_restore(store, &records, view->entities);
    entities->slots = view->slots;
    entities->empty = view->empty;
    entities->retired = view->retired;
    entities->free_head = view->free_head;
    for (uint32_t id = 0; id < store->table_slots; id++) {
        const ki_storage_view *was = ki_store_view_table(view, id);
        if (store->tables[id] != NULL) {
            storage_columns table = storage_of_table(store->tables[id]);
            storage_view_restore(store, &table, was);
        }
    }
    for (uint32_t other = 0; other < store->storage_count; other++) {
        const ki_storage_view *was = ki_store_view_other(view, other);
        if (all || was != NULL) {
            storage_columns storage = storage_of_component(store->storages[other]);
            storage_view_restore(store, &storage, was);
        }
    }
    store->viewed = view;
    store->viewed_clock = store->columns.write_clock++;
}

void ki_store_view_restore(ki_store *store, const ki_store_view *view)
{
    store_view_restore(store, view, true);
    ki_uniques_refill(store);
}

void ki_store_view_revert(ki_store *store, const ki_store_view *view)
{
    store_view_restore(store, view, false);
}

void ki_store_view_free(ki_store *store, ki_store_view *view)
{
    if (view == NULL) {
        return;
    }
    storage_view_release(store, view->entities);
    for (uint32_t i = 0; i < view->table_count + view->other_count; i++) {
        storage_view_release(store, view->storages[i]);
    }
    store->viewed = store->viewed == view ? NULL : store->viewed;
    ki_store_view **link = &store->views;
    while (*link != view) {
        link = &(*link)->next;
    }
    *link = view->next;
    ki_heap_free(&store->context.heap, view, store_view_bytes(view), _Alignof(ki_store_view));
}

/* NULL `view`: the storage had nothing. */
static kith_result storage_borrow(ki_store *store, const storage_columns *storage,
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

static kith_result store_borrow_table(ki_store *store, const ki_table *from,
                                      const ki_storage_view *view)
{
    ki_table *table;
    KI_TRY(ki_store_table_at(store, from->id, from->ids, from->rows.column_count, &table));
    storage_columns storage = storage_of_table(table);
    return storage_borrow(store, &storage, view);
}

kith_result ki_store_borrow(ki_store *store, const ki_store *from, const ki_store_view *view)
{
    store->columns.write_clock = from->columns.write_clock + 1; /* all was written before */
    store->columns.marked = store->columns.write_clock;
    storage_columns entities = storage_of_entities(store);
    KI_TRY(storage_borrow(store, &entities, view->entities));
    store->entities.slots = view->slots;
    store->entities.empty = view->empty;
    store->entities.retired = view->retired;
    store->entities.free_head = view->free_head;
    for (uint32_t id = 0; id < view->table_count; id++) {
        if (view->storages[id] != NULL) {
            KI_TRY(store_borrow_table(store, from->tables[id], view->storages[id]));
        }
    }
    for (uint32_t other = 0; other < view->other_count; other++) {
        storage_columns storage = storage_of_component(store->storages[other]);
        KI_TRY(storage_borrow(store, &storage, ki_store_view_other(view, other)));
    }
    return KITH_OK;
}

bool ki_store_view_has(const ki_store *store, const ki_store_view *view,
                       const ki_component *component, uint32_t index)
{
    if (component->layout == KITH_TABLE) {
        const ki_record *record = ki_store_view_living(view, index);
        return record != NULL && ki_table_has(store->tables[record->table], component->id);
    }
    const ki_storage_view *storage = ki_store_view_other(view, component->other);
    if (storage == NULL) {
        return false;
    }
    if (component->layout == KITH_SPARSE) {
        const uint32_t *row1 = ki_column_view_at(&storage->columns[0], index);
        return row1 != NULL && *row1 != 0;
    }
    const uint64_t *bits = ki_column_view_at(&storage->columns[0], index / 64);
    return bits != NULL && (*bits >> index % 64 & 1) != 0;
}

const void *ki_store_view_value(const ki_store *store, const ki_store_view *view,
                                const ki_component *component, uint32_t index)
{
    if (!ki_store_view_has(store, view, component, index)) {
        return NULL;
    }
    if (component->type->size == 0) {
        return component;
    }
    if (component->layout == KITH_TABLE) {
        const ki_record *record = ki_store_view_living(view, index);
        uint32_t number = ki_table_lookup(store->tables[record->table], component->id);
        return ki_column_view_at(&view->storages[record->table]->columns[1 + number], record->row);
    }
    const ki_storage_view *storage = ki_store_view_other(view, component->other);
    if (component->layout == KITH_SLOT) {
        return ki_column_view_at(&storage->columns[1], index);
    }
    const uint32_t *row1 = ki_column_view_at(&storage->columns[0], index);
    return ki_column_view_at(&storage->columns[2], *row1 - 1);
}

kith_entity ki_store_view_holder(const ki_store *store, const ki_store_view *view,
                                 const ki_component *component, uint32_t index)
{
    if (index >= view->slots || !ki_store_view_has(store, view, component, index)) {
        return KITH_NONE;
    }
    const ki_record *record = ki_column_view_at(&view->entities->columns[0], index);
    return (kith_entity){index + 1, record->generation};
}
