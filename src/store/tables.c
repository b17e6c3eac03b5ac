/* Which tables there are: found by their set of components, made, and reclaimed. */
#include "base/hash.h"
#include "base/sort.h"
#include "store/relation.h"
#include "store/storages.h"
#include "store/table_logs.h"

static uint64_t tables_hash(const ki_store *store, const uint32_t *ids, uint32_t count)
{
    uint64_t hash = KI_HASH_SEED;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ ids[i]) * 0x9fb21c651e98df25u;
        hash ^= hash >> 29;
    }
    return hash & store->hash_mask;
}

static ki_table *tables_find(const ki_store *store, uint64_t hash, const uint32_t *ids,
                             uint32_t count)
{
    uint32_t at;
    for (ki_table *table = ki_map_first(&store->by_set, hash, &at); table != NULL;
         table = ki_map_next(&store->by_set, hash, &at)) {
        if (table->rows.column_count == count &&
            (count == 0 || memcmp(table->ids, ids, count * sizeof *ids) == 0)) {
            return table;
        }
    }
    return NULL;
}

static uint32_t tables_free_id(ki_store *store)
{
    while (store->free_table < store->table_slots && store->tables[store->free_table] != NULL) {
        store->free_table++;
    }
    return store->free_table;
}

/* Makes a table with an id that none has. */
static kith_result tables_make(ki_store *store, uint32_t id, uint64_t hash, const uint32_t *ids,
                               uint32_t count, ki_table **made)
{
    ki_heap *heap = &store->context.heap;
    if (id >= KI_TABLES_MAX) {
        return ki_without_message(heap, KITH_ERR_LIMIT);
    }
    KI_TRY(
        ki_heap_grow(heap, &store->tables, &store->table_capacity, id + 1, sizeof(ki_table *), 4));
    KI_TRY(ki_heap_grow(heap, &store->created, &store->created_capacity, store->created_count + 1,
                        sizeof(ki_table *), 4));
    KI_TRY(ki_map_reserve(heap, &store->by_set));
    KI_TRY(ki_bitset_reserve(&store->live_tables, heap, id));
    KI_TRY(ki_bitset_reserve(&store->columns.changed, heap, id));
    for (uint32_t i = 0; i < count; i++) {
        KI_TRY(ki_bitset_reserve(&ki_store_component(store, ids[i])->in.tables, heap, id));
    }
    ki_table *table = ki_table_new(&store->columns, id, ids, count, store->components);
    if (table == NULL) {
        return KITH_ERR_MEMORY;
    }
    table->hash = hash;
    for (uint32_t i = 0; i < count; i++) {
        ki_bitset_insert(&ki_store_component(store, ids[i])->in.tables, id);
    }
    if (store->table_log_count != 0) {
        ki_table_logs_mark(store, table);
    }
    ki_bitset_insert(&store->live_tables, id);
    ki_bitset_insert(&store->columns.changed, id);
    while (store->table_slots <= id) {
        store->tables[store->table_slots++] = NULL;
    }
    store->tables[id] = table;
    store->table_count++;
    store->created[store->created_count++] = table;
    ki_map_insert(&store->by_set, hash, table);
    *made = table;
    return KITH_OK;
}

kith_result ki_store_table(ki_store *store, const uint32_t *ids, uint32_t count, ki_table **table)
{
    uint64_t hash = tables_hash(store, ids, count);
    ki_table *found = tables_find(store, hash, ids, count);
    if (found != NULL) {
        *table = found;
        return KITH_OK;
    }
    return tables_make(store, tables_free_id(store), hash, ids, count, table);
}

kith_result ki_store_table_at(ki_store *store, uint32_t id, const uint32_t *ids, uint32_t count,
                              ki_table **table)
{
    if (id < store->table_slots && store->tables[id] != NULL) {
        *table = store->tables[id];
        return KITH_OK;
    }
    return tables_make(store, id, tables_hash(store, ids, count), ids, count, table);
}

kith_result ki_store_make_root(ki_store *store)
{
    return ki_store_table(store, NULL, 0, &store->root);
}

uint32_t *ki_store_ids(ki_store *store, uint32_t count)
{
    return ki_heap_grow(&store->context.heap, &store->ids, &store->ids_capacity,
                        count == 0 ? 1 : count, sizeof(uint32_t), 16) == KITH_OK
               ? store->ids
               : NULL;
}

kith_result ki_store_target(ki_store *store, const ki_table *from, uint32_t count, ki_table **to)
{
    uint32_t *changes = ki_store_ids(store, count + from->rows.column_count + count);
    if (changes == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_sort_ascending(changes, count);
    uint32_t *ids = changes + count;
    uint32_t total = 0;
    uint32_t column = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = changes[i] >> 1;
        while (column < from->rows.column_count && from->ids[column] < id) {
            ids[total++] = from->ids[column++];
        }
        if (column < from->rows.column_count && from->ids[column] == id) {
            column++;
        }
        if (changes[i] == ki_id_added(id)) {
            ids[total++] = id;
        }
    }
    while (column < from->rows.column_count) {
        ids[total++] = from->ids[column++];
    }
    return ki_store_table(store, ids, total, to);
}

kith_result ki_store_edge(ki_store *store, ki_table *from, uint32_t id, const ki_edge **edge)
{
    *edge = ki_table_known_edge(from, id);
    if (*edge != NULL) {
        return KITH_OK;
    }
    uint32_t *change = ki_store_ids(store, 1);
    if (change == NULL) {
        return KITH_ERR_MEMORY;
    }
    *change = ki_table_has(from, id) ? ki_id_removed(id) : ki_id_added(id);
    ki_table *to;
    KI_TRY(ki_store_target(store, from, 1, &to));
    ki_edge *made = ki_table_edge(&store->columns, from, to);
    *edge = made;
    return made == NULL ? KITH_ERR_MEMORY : ki_table_remember_edge(&store->columns, from, id, made);
}

static bool tables_is_gone(const ki_table *table)
{
    return table->rows.count == 0 && table->rows.column_count != 0;
}

/* Whether none of the slots has a component in a lane: some may only have had. */
static bool tables_lanes_are_unused(const ki_column *summary, uint32_t first, uint32_t count,
                                    const void *context)
{
    (void)summary;
    const ki_store *store = context;
    for (uint32_t i = 0; i < count; i++) {
        if (ki_storages_next(store, first + i, 0) != NULL) {
            return false;
        }
    }
    return true;
}

void ki_store_trim(ki_store *store)
{
    ki_column_context *columns = &store->columns;
    ki_columns_free_deferred(columns);
    ki_bitset_free(&store->ended, &store->context.heap);
    for (uint32_t id = 0; id < store->table_slots; id++) {
        if (store->tables[id] != NULL) {
            ki_rows_trim(columns, &store->tables[id]->rows);
        }
    }
    for (uint32_t i = 0; i < store->storage_count; i++) {
        ki_component *component = store->storages[i];
        if (component->layout == KITH_SPARSE) {
            ki_sparse_trim(columns, &component->in.sparse);
        } else {
            ki_slots_trim(columns, &component->in.slots);
        }
    }
    for (uint32_t i = 0; i < store->log_count; i++) {
        ki_change_log_trim(&store->context.heap, store->logged[i]->change_log);
    }
    uint32_t slots = store->entities.slots;
    ki_column_trim(columns, &store->entities.records,
                   slots > store->expected_slots ? slots : store->expected_slots);
    ki_column_trim_pages(columns, &store->entities.summary, tables_lanes_are_unused, store);
    for (uint32_t i = 0; i < store->relation_count; i++) {
        ki_column_trim_pages(columns, &store->relations[i]->links, ki_column_is_zero, NULL);
    }
}

static void tables_forget(ki_store *store, ki_table *table)
{
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        ki_bitset_remove(&ki_store_component(store, table->ids[i])->in.tables, table->id);
    }
    ki_bitset_remove(&store->live_tables, table->id);
    ki_map_remove(&store->by_set, table->hash, table);
    store->tables[table->id] = NULL;
    store->table_count--;
    store->free_table = ki_min_u32(store->free_table, table->id);
    ki_table_free(&store->columns, table);
}

static void tables_forget_empty(ki_store *store)
{
    for (uint32_t id = 0; id < store->table_slots; id++) {
        if (store->tables[id] != NULL && !tables_is_gone(store->tables[id])) {
            ki_table_drop_edges(&store->columns, store->tables[id], tables_is_gone);
        }
    }
    for (uint32_t id = 0; id < store->table_slots; id++) {
        if (store->tables[id] != NULL && tables_is_gone(store->tables[id])) {
            tables_forget(store, store->tables[id]);
        }
    }
    while (store->tables[store->table_slots - 1] == NULL) {
        store->table_slots--; /* ends at number 0, which stays */
    }
}

void ki_store_reclaim(ki_store *store)
{
    if (store->views == NULL) { /* records in views lead to tables */
        tables_forget_empty(store);
    }
    store->created_count = 0;
    store->table_epoch++;
    ki_store_trim(store);
}
