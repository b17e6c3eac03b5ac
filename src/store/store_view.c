#include "store/store_view.h"

#include "store/disabled.h"

const ki_store_view ki_store_view_none = {0};

static size_t store_view_bytes(const ki_store_view *view)
{
    return sizeof *view +
           ((size_t)ki_store_view_parts(view) + view->other_count + view->unique_count) *
               sizeof(void *);
}

/* ---- Tables: only those that changed are visited, and lists of views that have one of them. */

/* The tables of a view from number `part` * KI_VIEW_TABLES on; NULL: there were none. */
static ki_tables_view *store_view_part(const ki_store_view *view, uint32_t part)
{
    return view != NULL && part < ki_store_view_parts(view) ? view->tables[part] : NULL;
}

static void tables_view_release(ki_store *store, ki_tables_view *tables)
{
    if (tables == NULL || --tables->owners != 0) {
        return;
    }
    for (uint32_t i = 0; i < KI_VIEW_TABLES; i++) {
        ki_storage_view_release(store, tables->at[i]);
    }
    ki_heap_free(&store->context.heap, tables, sizeof *tables, _Alignof(ki_tables_view));
}

/* Views of the tables from number `first` on, those that did not change as they were; NULL: no
 * memory. */
static ki_tables_view *tables_view_take(ki_store *store, const ki_store_view *base, uint32_t first)
{
    ki_heap *heap = &store->context.heap;
    ki_tables_view *tables = ki_heap_alloc_zeroed(heap, sizeof *tables, _Alignof(ki_tables_view));
    if (tables == NULL) {
        return NULL;
    }
    tables->owners = 1;
    for (uint32_t i = 0; i < KI_VIEW_TABLES && first + i < store->table_slots; i++) {
        ki_storage_view *was = ki_store_view_table(base, first + i);
        if (was != NULL && !ki_bitset_has(&store->columns.changed, first + i)) {
            was->owners++;
            tables->at[i] = was;
        } else if (store->tables[first + i] != NULL) {
            ki_storage_columns table = ki_storage_of_table(store->tables[first + i]);
            tables->at[i] = ki_storage_view_take(store, &table, was);
            if (tables->at[i] == NULL) {
                tables_view_release(store, tables);
                return NULL;
            }
        }
    }
    return tables;
}

static kith_result store_view_take_tables(ki_store *store, const ki_store_view *base,
                                          ki_store_view *view)
{
    uint32_t changed = ki_bitset_next(&store->columns.changed, 0);
    for (uint32_t part = 0; part < ki_store_view_parts(view); part++) {
        const uint32_t first = part * KI_VIEW_TABLES;
        ki_tables_view *tables = store_view_part(base, part);
        if (tables != NULL && changed >= first + KI_VIEW_TABLES) {
            tables->owners++;
        } else {
            tables = tables_view_take(store, base, first);
            changed = ki_bitset_next(&store->columns.changed, first + KI_VIEW_TABLES);
        }
        view->tables[part] = tables;
        if (tables == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
}

/* The next table from number `id` on that may be other than in a view; KI_TABLES_MAX: none is. */
static uint32_t store_view_next_changed(const ki_store *store, const ki_store_view *view,
                                        uint32_t id)
{
    const ki_store_view *now = store->viewed;
    const uint32_t changed = ki_bitset_next(&store->columns.changed, id);
    const uint32_t end = ki_min_u32(changed, store->table_slots);
    while (now != NULL && id < end) {
        const uint32_t part = id / KI_VIEW_TABLES;
        if (store_view_part(view, part) == store_view_part(now, part)) {
            id = (part + 1) * KI_VIEW_TABLES;
        } else if (ki_store_view_table(view, id) == ki_store_view_table(now, id)) {
            id++;
        } else {
            break;
        }
    }
    id = ki_min_u32(id, changed);
    return id < store->table_slots ? id : KI_TABLES_MAX;
}

/* A table that the view does not have has no rows then, and counts as changed. Whether rows moved. */
static bool store_view_restore_tables(ki_store *store, const ki_store_view *view)
{
    bool moved = false;
    for (uint32_t id = store_view_next_changed(store, view, 0); id != KI_TABLES_MAX;
         id = store_view_next_changed(store, view, id + 1)) {
        ki_bitset_remove(&store->columns.changed, id);
        if (store->tables[id] != NULL) {
            ki_storage_columns table = ki_storage_of_table(store->tables[id]);
            moved |= ki_storage_view_restore(store, &table, ki_store_view_table(view, id), true);
        }
    }
    return moved;
}

/* ---- The whole */

static kith_result store_view_take_exact(ki_store *store, const ki_store_view *base,
                                         ki_store_view *view)
{
    for (uint32_t i = 0; i < store->exact_count; i++) {
        KI_TRY(ki_value_diff_settle(&store->columns, store->exact[i]->value_diff));
    }
    ki_storage_columns exact = ki_storage_of_exact(store);
    if (store->exact_count != 0) {
        view->exact = ki_storage_view_take(store, &exact, base == NULL ? NULL : base->exact);
    }
    return store->exact_count == 0 || view->exact != NULL ? KITH_OK : KITH_ERR_MEMORY;
}

static kith_result store_view_take_uniques(ki_store *store, const ki_store_view *base,
                                           ki_store_view *view)
{
    for (uint32_t i = 0; i < view->unique_count; i++) {
        if (store->uniques[i] != NULL) {
            ki_storage_columns storage = ki_storage_of_unique(store->uniques[i]);
            view->uniques[i] = ki_storage_view_take(store, &storage, ki_store_view_unique(base, i));
            if (view->uniques[i] == NULL) {
                return KITH_ERR_MEMORY;
            }
        }
    }
    return KITH_OK;
}

static kith_result store_view_fill(ki_store *store, ki_store_view *view)
{
    const ki_store_view *base = store->viewed;
    ki_storage_columns entities = ki_storage_of_entities(store);
    view->entities = ki_storage_view_take(store, &entities, base == NULL ? NULL : base->entities);
    if (view->entities == NULL) {
        return KITH_ERR_MEMORY;
    }
    KI_TRY(store_view_take_exact(store, base, view));
    KI_TRY(store_view_take_uniques(store, base, view));
    KI_TRY(store_view_take_tables(store, base, view));
    for (uint32_t other = 0; other < view->other_count; other++) {
        if (!store->storages[other]->transient) {
            ki_storage_columns storage = ki_storage_of_component(store->storages[other]);
            view->others[other] =
                ki_storage_view_take(store, &storage, ki_store_view_other(base, other));
            if (view->others[other] == NULL) {
                return KITH_ERR_MEMORY;
            }
        }
    }
    return KITH_OK;
}

kith_result ki_store_view_take(ki_store *store, ki_store_view **view)
{
    ki_store_view counts = {.slots = store->entities.slots,
                            .empty = store->entities.empty,
                            .retired = store->entities.retired,
                            .free_head = store->entities.free_head,
                            .table_count = store->table_slots,
                            .other_count = store->storage_count,
                            .unique_count = store->unique_slots};
    ki_store_view *taken = ki_heap_alloc_zeroed(&store->context.heap, store_view_bytes(&counts),
                                                _Alignof(ki_store_view));
    if (taken == NULL) {
        return KITH_ERR_MEMORY;
    }
    *taken = counts;
    taken->others = (ki_storage_view **)(void *)(taken->tables + ki_store_view_parts(taken));
    taken->uniques = taken->others + taken->other_count;
    taken->next = store->views;
    store->views = taken;
    ki_views_begin(&store->columns);
    if (store_view_fill(store, taken) != KITH_OK) {
        ki_store_view_free(store, taken);
        return KITH_ERR_MEMORY;
    }
    for (uint32_t id = ki_bitset_next(&store->columns.changed, 0); id != UINT32_MAX;
         id = ki_bitset_next(&store->columns.changed, id + 1)) {
        ki_bitset_remove(&store->columns.changed, id);
    }
    store->viewed = taken;
    store->viewed_clock = store->columns.write_clock - 1;
    *view = taken;
    return KITH_OK;
}

kith_result ki_store_view_reserve(ki_store *store, const ki_store_view *view)
{
    ki_storage_columns entities = ki_storage_of_entities(store);
    KI_TRY(ki_storage_view_reserve(store, &entities, view->entities));
    ki_storage_columns exact = ki_storage_of_exact(store);
    KI_TRY(view->exact == NULL ? KITH_OK : ki_storage_view_reserve(store, &exact, view->exact));
    KI_TRY(ki_entities_reserve_bits(&store->columns, &store->entities,
                                    view->entities->columns[0].shape.capacity));
    for (uint32_t id = store_view_next_changed(store, view, 0); id != KI_TABLES_MAX;
         id = store_view_next_changed(store, view, id + 1)) {
        const ki_storage_view *was = ki_store_view_table(view, id);
        if (was != NULL) {
            ki_storage_columns table = ki_storage_of_table(store->tables[id]);
            KI_TRY(ki_storage_view_reserve(store, &table, was));
        }
    }
    for (uint32_t other = 0; other < view->other_count; other++) {
        if (ki_store_view_other(view, other) != NULL) {
            ki_storage_columns storage = ki_storage_of_component(store->storages[other]);
            KI_TRY(ki_storage_view_reserve(store, &storage, ki_store_view_other(view, other)));
        }
    }
    for (uint32_t i = 0; i < view->unique_count && i < store->unique_slots; i++) {
        if (view->uniques[i] != NULL && store->uniques[i] != NULL) {
            ki_storage_columns storage = ki_storage_of_unique(store->uniques[i]);
            KI_TRY(ki_storage_view_reserve(store, &storage, view->uniques[i]));
        }
    }
    return KITH_OK;
}

/* Whether what entities inherit a tag by is other than in a view: the tag, or who is whose child. */
static bool store_view_disables_others(const ki_store *store, const ki_store_view *view)
{
    const ki_component *own = store->disabled->own;
    const ki_storage_view *tags = ki_store_view_other(view, own->other);
    const ki_column_view *bits = tags == NULL ? NULL : &tags->columns[0];
    const ki_relation *parents = store->child_of;
    return ki_column_view_next_other(&own->in.slots.bits, bits, 0) != UINT32_MAX ||
           (parents != NULL &&
            ki_column_view_next_other(&parents->links, ki_store_view_links(view, parents), 0) !=
                UINT32_MAX);
}

/* With `all` also components that the view does not have. */
static void store_view_restore(ki_store *store, const ki_store_view *view, bool all)
{
    ki_entities *entities = &store->entities;
    if (store->disabled != NULL && store_view_disables_others(store, view)) {
        ki_disabled_distrust(store);
    }
    ki_storage_columns records = ki_storage_of_entities(store);
    ki_storage_view_restore(store, &records, view->entities, all);
    entities->slots = view->slots;
    entities->empty = view->empty;
    entities->retired = view->retired;
    entities->free_head = view->free_head;
    ki_storage_columns exact = ki_storage_of_exact(store);
    ki_storage_view_restore(store, &exact, view->exact, all);
    for (uint32_t i = 0; i < store->exact_count; i++) {
        ki_value_diff_recall(store->exact[i]->value_diff);
    }
    bool moved = store_view_restore_tables(store, view);
    for (uint32_t other = 0; other < store->storage_count; other++) {
        const ki_storage_view *was = ki_store_view_other(view, other);
        if (all || was != NULL) {
            ki_storage_columns storage = ki_storage_of_component(store->storages[other]);
            moved |= ki_storage_view_restore(store, &storage, was, all);
        }
    }
    for (uint32_t i = 0; i < store->unique_slots; i++) {
        if (store->uniques[i] != NULL) {
            ki_storage_columns storage = ki_storage_of_unique(store->uniques[i]);
            ki_storage_view_restore(store, &storage, ki_store_view_unique(view, i), true);
        }
    }
    store->moved = moved ? store->columns.write_clock : store->moved;
    store->viewed = view;
    store->viewed_clock = store->columns.write_clock++;
}

void ki_store_view_restore(ki_store *store, const ki_store_view *view)
{
    store_view_restore(store, view, true);
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
    ki_storage_view_release(store, view->entities);
    ki_storage_view_release(store, view->exact);
    for (uint32_t part = 0; part < ki_store_view_parts(view); part++) {
        tables_view_release(store, view->tables[part]);
    }
    for (uint32_t other = 0; other < view->other_count; other++) {
        ki_storage_view_release(store, view->others[other]);
    }
    for (uint32_t i = 0; i < view->unique_count; i++) {
        ki_storage_view_release(store, view->uniques[i]);
    }
    store->viewed = store->viewed == view ? NULL : store->viewed;
    ki_store_view **link = &store->views;
    while (*link != view) {
        link = &(*link)->next;
    }
    *link = view->next;
    ki_heap_free(&store->context.heap, view, store_view_bytes(view), _Alignof(ki_store_view));
}

static kith_result store_borrow_table(ki_store *store, const ki_table *from,
                                      const ki_storage_view *view)
{
    ki_table *table;
    KI_TRY(ki_store_table_at(store, from->id, from->ids, from->rows.column_count, &table));
    ki_storage_columns storage = ki_storage_of_table(table);
    return ki_storage_view_borrow(store, &storage, view);
}

kith_result ki_store_borrow(ki_store *store, const ki_store *from, const ki_store_view *view)
{
    store->columns.write_clock = from->columns.write_clock + 1; /* all was written before */
    store->columns.marked = store->columns.write_clock;
    ki_storage_columns entities = ki_storage_of_entities(store);
    KI_TRY(ki_storage_view_borrow(store, &entities, view->entities));
    ki_storage_columns exact = ki_storage_of_exact(store);
    KI_TRY(ki_storage_view_borrow(store, &exact, store->exact_count == 0 ? NULL : view->exact));
    for (uint32_t i = 0; i < store->exact_count; i++) {
        KI_TRY(ki_value_diff_adopt(&store->columns, store->exact[i]->value_diff));
    }
    store->entities.slots = view->slots;
    store->entities.empty = view->empty;
    store->entities.retired = view->retired;
    store->entities.free_head = view->free_head;
    for (uint32_t id = 0; id < view->table_count; id++) {
        const ki_storage_view *table = ki_store_view_table(view, id);
        if (table != NULL) {
            KI_TRY(store_borrow_table(store, from->tables[id], table));
        }
    }
    for (uint32_t other = 0; other < view->other_count; other++) {
        ki_storage_columns storage = ki_storage_of_component(store->storages[other]);
        KI_TRY(ki_storage_view_borrow(store, &storage, ki_store_view_other(view, other)));
    }
    for (uint32_t i = 0; i < store->unique_slots; i++) {
        if (store->uniques[i] != NULL) {
            ki_storage_columns storage = ki_storage_of_unique(store->uniques[i]);
            KI_TRY(ki_storage_view_borrow(store, &storage, ki_store_view_unique(view, i)));
        }
    }
    return ki_entities_reserve_bits(&store->columns, &store->entities,
                                    store->entities.records.capacity);
}

ki_storage_view *ki_store_table_as_viewed(const ki_store *store, uint32_t id)
{
    return ki_bitset_has(&store->columns.changed, id) ? NULL
                                                      : ki_store_view_table(store->viewed, id);
}

ki_storage_view *ki_store_other_as_viewed(const ki_store *store, uint32_t other)
{
    ki_storage_view *view = ki_store_view_other(store->viewed, other);
    const ki_storage_columns storage = ki_storage_of_component(store->storages[other]);
    return view != NULL && ki_storage_is_as_viewed(store, &storage, view) ? view : NULL;
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
        return ki_column_view_at(&ki_store_view_table(view, record->table)->columns[1 + number],
                                 record->row);
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
