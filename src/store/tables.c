/* Which tables there are: found by their set of components, made, and reclaimed. */
#include "base/hash.h"
#include "store/tracks.h"

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
    for (const ki_map_entry *entry = ki_map_first(&store->by_set, hash); entry != NULL;
         entry = ki_map_next(&store->by_set, entry)) {
        ki_table *table = (ki_table *)entry->value;
        if (table->rows.column_count == count &&
            (count == 0 || memcmp(table->ids, ids, count * sizeof *ids) == 0)) {
            return table;
        }
    }
    return NULL;
}

KI_RARE static uint32_t tables_free_id(ki_store *store)
{
    while (store->free_table < store->table_slots && store->tables[store->free_table] != NULL) {
        store->free_table++;
    }
    return store->free_table;
}

KI_RARE static kith_result tables_make(ki_store *store, uint64_t hash, const uint32_t *ids,
                                       uint32_t count, ki_table **made)
{
    ki_heap *heap = &store->context.heap;
    uint32_t id = tables_free_id(store);
    if (id >= KI_TABLES_MAX) {
        return KITH_ERR_LIMIT;
    }
    KI_TRY(
        ki_heap_grow(heap, &store->tables, &store->table_capacity, id + 1, sizeof(ki_table *), 4));
    KI_TRY(ki_heap_grow(heap, &store->created, &store->created_capacity, store->created_count + 1,
                        sizeof(ki_table *), 4));
    KI_TRY(ki_map_reserve(heap, &store->by_set, 1));
    KI_TRY(ki_bitset_reserve(&store->live_tables, heap, id));
    for (uint32_t i = 0; i < count; i++) {
        KI_TRY(ki_bitset_reserve(&ki_store_component(store, ids[i])->in.tables, heap, id));
    }
    ki_table *table = ki_table_new(&store->space, id, ids, count, store->components);
    if (table == NULL) {
        return KITH_ERR_MEMORY;
    }
    table->hash = hash;
    for (uint32_t i = 0; i < count; i++) {
        ki_bitset_insert(&ki_store_component(store, ids[i])->in.tables, id);
    }
    if (store->table_track_count != 0) {
        ki_tracks_mark(store, table);
    }
    ki_bitset_insert(&store->live_tables, id);
    store->tables[id] = table;
    if (id == store->table_slots) {
        store->table_slots++;
    }
    store->table_count++;
    store->created[store->created_count++] = table;
    ki_map_add(&store->by_set, hash, (uintptr_t)table);
    *made = table;
    return KITH_OK;
}

KI_RARE kith_result ki_store_table(ki_store *store, const uint32_t *ids, uint32_t count,
                                   ki_table **table)
{
    uint64_t hash = tables_hash(store, ids, count);
    ki_table *found = tables_find(store, hash, ids, count);
    if (found != NULL) {
        *table = found;
        return KITH_OK;
    }
    return tables_make(store, hash, ids, count, table);
}

uint32_t *ki_store_ids(ki_store *store, uint32_t count)
{
    return ki_heap_grow(&store->context.heap, &store->ids, &store->ids_capacity,
                        count == 0 ? 1 : count, sizeof(uint32_t), 16) == KITH_OK
               ? store->ids
               : NULL;
}

kith_result ki_store_step(ki_store *store, ki_table *from, uint32_t id, const ki_edge **edge)
{
    const ki_edge *known = ki_table_step(from, id);
    if (KI_LIKELY(known != NULL)) {
        *edge = known;
        return KITH_OK;
    }
    uint32_t *ids = ki_store_ids(store, from->rows.column_count + 1);
    if (ids == NULL) {
        return KITH_ERR_MEMORY;
    }
    uint32_t count = 0;
    bool removed = false;
    bool placed = false;
    for (uint32_t i = 0; i < from->rows.column_count; i++) {
        if (from->ids[i] == id) {
            removed = true;
            continue;
        }
        if (from->ids[i] > id && !placed && !removed) {
            ids[count++] = id;
            placed = true;
        }
        ids[count++] = from->ids[i];
    }
    if (!placed && !removed) {
        ids[count++] = id;
    }
    ki_table *to;
    KI_TRY(ki_store_table(store, ids, count, &to));
    known = ki_table_edge(&store->space, from, to);
    if (known == NULL) {
        return KITH_ERR_MEMORY;
    }
    KI_TRY(ki_table_note_step(&store->space, from, id, known));
    *edge = known;
    return KITH_OK;
}

static bool tables_is_gone(const ki_table *table)
{
    return table->rows.count == 0 && table->rows.column_count != 0;
}

/* Whether none of the slots has a component in a lane: some may only have had. */
static bool tables_lanes_are_unused(const ki_column *lanes, uint32_t first, uint32_t count,
                                    const void *context)
{
    (void)lanes;
    const ki_store *store = context;
    for (uint32_t i = 0; i < count; i++) {
        ki_others_walk walk = ki_others_walk_start(store, first + i);
        if (ki_others_walk_next(&walk) != NULL) {
            return false;
        }
    }
    return true;
}

KI_RARE void ki_store_trim(ki_store *store)
{
    ki_space *space = &store->space;
    ki_space_sweep(space);
    for (uint32_t id = 0; id < store->table_slots; id++) {
        if (store->tables[id] != NULL) {
            ki_rows_trim(space, &store->tables[id]->rows);
        }
    }
    for (uint32_t i = 0; i < store->other_count; i++) {
        ki_component *component = store->others[i];
        if (component->layout == KITH_SPARSE) {
            ki_sparse_trim(space, &component->in.sparse);
        } else {
            ki_slots_trim(space, &component->in.slots);
        }
    }
    for (uint32_t i = 0; i < store->track_count; i++) {
        ki_track_trim(&store->context.heap, store->tracked[i]->track);
    }
    uint32_t slots = store->entities.slots;
    ki_column_trim(space, &store->entities.records,
                   slots > store->expected_slots ? slots : store->expected_slots);
    ki_column_trim_pages(space, &store->entities.lanes, tables_lanes_are_unused, store);
}

static void tables_forget(ki_store *store, ki_table *table)
{
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        ki_bitset_remove(&ki_store_component(store, table->ids[i])->in.tables, table->id);
    }
    ki_bitset_remove(&store->live_tables, table->id);
    ki_map_remove(&store->by_set, table->hash, (uintptr_t)table);
    store->tables[table->id] = NULL;
    store->table_count--;
    store->free_table = ki_min_u32(store->free_table, table->id);
    ki_table_free(&store->space, table);
}

KI_RARE void ki_store_reclaim(ki_store *store)
{
    for (uint32_t id = 0; id < store->table_slots; id++) {
        if (store->tables[id] != NULL && !tables_is_gone(store->tables[id])) {
            ki_table_drop_edges(&store->space, store->tables[id], tables_is_gone);
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
    store->created_count = 0;
    store->table_epoch++;
    ki_store_trim(store);
}
