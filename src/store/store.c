#include <kith/name.h>

#include "store/disabled.h"
#include "store/register.h"
#include "store/relation.h"
#include "store/unique_map.h"

void ki_store_init(ki_store *store)
{
    store->columns =
        (ki_column_context){.heap = &store->context.heap, .write_clock = KI_CLOCK_START};
    store->hash_mask = UINT64_MAX;
    ki_link_changes_init(&store->link_changes);
    ki_entities_init(&store->entities);
}

static void store_free_component(ki_store *store, ki_component *component)
{
    switch (component->layout) {
    case KITH_TABLE: ki_bitset_free(&component->in.tables, &store->context.heap); break;
    case KITH_SPARSE: ki_sparse_free(&store->columns, &component->in.sparse); break;
    case KITH_SLOT: ki_slots_free(&store->columns, &component->in.slots); break;
    }
    ki_relations_free(store, component->relation);
    ki_value_diff_free(&store->columns, component->value_diff);
    ki_change_log_free(&store->context.heap,
                       component->change_log); /* may hold values, which need hooks */
    ki_heap_free(&store->context.heap, component->hooks, sizeof(ki_hooks), _Alignof(ki_hooks));
    ki_heap_free(&store->context.heap, component, ki_component_bytes(component->layout),
                 _Alignof(ki_component));
}

static void store_give_array(ki_store *store, void *items, uint32_t capacity, size_t item_size)
{
    ki_heap_free(&store->context.heap, items, capacity * item_size, _Alignof(max_align_t));
}

void ki_store_free(ki_store *store)
{
    for (uint32_t id = 0; id < store->table_slots; id++) {
        if (store->tables[id] != NULL) {
            ki_table_free(&store->columns, store->tables[id]);
        }
    }
    for (uint32_t i = 0; i < store->component_count; i++) {
        store_free_component(store, store->components[i]);
    }
    ki_disabled_free(store);
    ki_entities_free(&store->columns, &store->entities);
    ki_bitset_free(&store->live_tables, &store->context.heap);
    ki_bitset_free(&store->ended, &store->context.heap);
    ki_bitset_free(&store->columns.changed, &store->context.heap);
    store_give_array(store, store->components, store->component_capacity, sizeof(ki_component *));
    store_give_array(store, store->storages, store->other_capacity, sizeof(ki_component *));
    store_give_array(store, store->tables, store->table_capacity, sizeof(ki_table *));
    ki_map_free(&store->context.heap, &store->by_set);
    store_give_array(store, store->created, store->created_capacity, sizeof(ki_table *));
    store_give_array(store, store->ids, store->ids_capacity, sizeof(uint32_t));
    store_give_array(store, store->logged, store->track_capacity, sizeof(ki_component *));
    ki_link_changes_free(store);
    store_give_array(store, store->relations, store->relation_capacity, sizeof(ki_relation *));
    store_give_array(store, store->exact, store->exact_capacity, sizeof(ki_component *));
    ki_columns_free_deferred(&store->columns);
    store->root = NULL; /* so that debuggers can tell a world that was freed */
}

/* Values of a guarded component are written by calls that ask about them, and by no others: none is
 * written through a pointer, nor where bytes are simply copied. */
void ki_store_guard(const ki_store *store, ki_component *component)
{
    static const uint64_t never = UINT64_MAX; /* no block has this stamp */
    component->guarded = component->unique != NULL || component->relation != NULL;
    component->checked = component->guarded || component->hooks != NULL;
    component->simple = component->hooks == NULL && component->type->size <= 16;
    component->place.clock = component->guarded ? &never : &store->columns.write_clock;
}

bool ki_store_has(const ki_store *store, const ki_component *component, uint32_t index,
                  const ki_record *record)
{
    if (component->layout == KITH_TABLE) {
        return ki_table_has(store->tables[record->table], component->id);
    }
    return ki_storage_has(component, index);
}

const void *ki_store_value(const ki_store *store, const ki_component *component, uint32_t index,
                           const ki_record *record)
{
    static const char tag;
    uint32_t row;
    const ki_column *column = ki_locate(store, component, index, record, &row);
    return column == NULL ? NULL : column->size == 0 ? &tag : ki_column_at(column, row);
}

/* The column and row whose stamps tell of a value: of a slot tag, those of its bits. */
static ki_column *store_locate_stamp(const ki_store *store, const ki_component *component,
                                     uint32_t index, const ki_record *record, uint32_t *row)
{
    ki_column *column = ki_locate(store, component, index, record, row);
    if (column != NULL && column->size == 0 && component->layout == KITH_SLOT) {
        *row = index / 64;
        return (ki_column *)(uintptr_t)&component->in.slots.bits;
    }
    return column;
}

kith_result ki_store_mark_value(ki_store *store, ki_component *component, uint32_t index,
                                const ki_record *record, void **value)
{
    uint32_t row;
    ki_column *column = store_locate_stamp(store, component, index, record, &row);
    if (column == NULL) {
        return ki_without_message(&store->context.heap, KITH_ERR_ABSENT);
    }
    if (!ki_column_mark(&store->columns, column, row)) {
        return KITH_ERR_MEMORY;
    }
    *value = component->type->size == 0 ? NULL : ki_column_at(column, row);
    return KITH_OK;
}

uint64_t ki_store_stamp(const ki_store *store, const ki_component *component, uint32_t index)
{
    uint32_t row;
    const ki_column *column =
        store_locate_stamp(store, component, index, ki_record_at(&store->entities, index), &row);
    return column == NULL ? 0 : ki_column_stamp(column, row);
}

uint32_t ki_store_count(const ki_store *store, const ki_component *component)
{
    if (component->layout == KITH_SPARSE) {
        return component->in.sparse.rows.count;
    }
    if (component->layout == KITH_SLOT) {
        return component->in.slots.count;
    }
    const ki_bitset *tables = &component->in.tables;
    uint32_t count = 0;
    for (uint32_t id = ki_bitset_next(tables, 0); id != UINT32_MAX;
         id = ki_bitset_next(tables, id + 1)) {
        count += store->tables[id]->rows.count;
    }
    return count;
}

bool ki_store_has_any(const ki_store *store, const ki_component *component)
{
    if (component->layout != KITH_TABLE) {
        return ki_store_count(store, component) != 0;
    }
    const ki_bitset *tables = &component->in.tables;
    uint32_t id = ki_bitset_next(tables, 0);
    while (id != UINT32_MAX && store->tables[id]->rows.count == 0) {
        id = ki_bitset_next(tables, id + 1);
    }
    return id != UINT32_MAX;
}

void ki_store_each_column(ki_store *store, void (*visit)(ki_column *column, void *context),
                          void *context)
{
    visit(&store->entities.records, context);
    visit(&store->entities.summary, context);
    for (uint32_t i = 0; i < store->relation_count; i++) {
        visit(&store->relations[i]->links, context);
    }
    for (uint32_t i = 0; i < store->exact_count; i++) {
        visit(&store->exact[i]->value_diff->seen, context);
    }
    for (uint32_t i = 0; i < store->unique_slots; i++) {
        if (store->uniques[i] != NULL) {
            visit(&store->uniques[i]->places, context);
        }
    }
    for (uint32_t id = 0; id < store->table_slots; id++) {
        ki_table *table = store->tables[id];
        for (uint32_t i = 0; table != NULL && i < table->rows.column_count; i++) {
            visit(&table->rows.columns[i], context);
        }
        if (table != NULL) {
            visit(&table->rows.entities, context);
        }
    }
    for (uint32_t i = 0; i < store->storage_count; i++) {
        ki_component *component = store->storages[i];
        if (component->layout == KITH_SPARSE) {
            visit(&component->in.sparse.index, context);
            visit(&component->in.sparse.rows.entities, context);
            visit(&component->in.sparse.values, context);
        } else {
            visit(&component->in.slots.bits, context);
            visit(&component->in.slots.values, context);
        }
    }
}
