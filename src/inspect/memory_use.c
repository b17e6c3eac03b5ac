/* The memory of components and of tables. */
#include "inspect/inspect.h"
#include "store/disabled.h"

/* Bytes of the entries that some reader has not read yet. */
static size_t memory_log_kept(const ki_change_log *change_log)
{
    const kith_tracker *last = NULL; /* the reader with most left to read */
    for (const kith_tracker *reader = change_log == NULL ? NULL : change_log->readers;
         reader != NULL; reader = reader->next) {
        last =
            last == NULL || ki_change_log_place(reader) < ki_change_log_place(last) ? reader : last;
    }
    if (last == NULL) {
        return 0;
    }
    size_t bytes = (size_t)(ki_change_log_written(change_log) - ki_change_log_place(last)) *
                   sizeof(kith_entity);
    for (const ki_change_log_chunk *chunk = last->chunk; chunk != NULL; chunk = chunk->next) {
        uint32_t read = chunk == last->chunk ? last->lost : 0;
        bytes += chunk->valued ? (size_t)(chunk->lost_count - read) * change_log->size : 0;
    }
    return bytes;
}

static size_t memory_of_log(const ki_change_log *change_log)
{
    size_t bytes = 0;
    for (const ki_change_log_chunk *chunk = change_log == NULL ? NULL : change_log->first;
         chunk != NULL; chunk = chunk->next) {
        bytes +=
            sizeof *chunk + (chunk->values == NULL ? 0 : (size_t)chunk->room * change_log->size);
    }
    return bytes;
}

/* The bytes of a component's columns in all tables that have it. */
static size_t stats_in_tables(const ki_store *store, const ki_component *component)
{
    size_t bytes = ki_bitset_reserved(&component->in.tables);
    const ki_bitset *tables = &component->in.tables;
    for (uint32_t id = ki_bitset_next(tables, 0); id != UINT32_MAX;
         id = ki_bitset_next(tables, id + 1)) {
        bytes += ki_column_reserved(ki_table_column(store->tables[id], component->id));
    }
    return bytes;
}

kith_result kith_component_memory(const kith_world *world, const kith_type *type,
                                  kith_component_stats *stats)
{
    KI_TRY(ki_world_require_owner(world, "kith_component_memory"));
    if (KI_CHECKED && (type == NULL || stats == NULL)) {
        return ki_misuse(ki_world_error_context(world),
                         "kith_component_memory: the type, or the place for the answer, is NULL");
    }
    const ki_component *component = ki_world_component(world, type);
    if (component == NULL) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_UNKNOWN);
    }
    const ki_sparse *set = &component->in.sparse;
    const ki_slots *slots = &component->in.slots;
    size_t reserved = 0;
    switch (component->layout) {
    case KITH_TABLE: reserved = stats_in_tables(&world->store, component); break;
    case KITH_SPARSE:
        reserved = ki_column_reserved(&set->index) + ki_column_reserved(&set->rows.entities) +
                   ki_column_reserved(&set->values);
        break;
    case KITH_SLOT:
        reserved = ki_column_reserved(&slots->bits) + ki_column_reserved(&slots->values);
        break;
    }
    reserved +=
        component->value_diff == NULL ? 0 : ki_column_reserved(&component->value_diff->seen);
    reserved += memory_of_log(component->change_log);
    const ki_relation *relation = component->relation;
    for (; relation != NULL; relation = relation->other) {
        reserved += ki_column_reserved(&relation->links);
    }
    if (world->store.disabled != NULL && world->store.disabled->own == component) {
        reserved += ki_column_reserved(&world->store.disabled->inherited.in.slots.bits);
    }
    uint32_t count = ki_store_count(&world->store, component);
    *stats = (kith_component_stats){.layout = component->layout,
                                    .entities = count,
                                    .used = (size_t)count * component->type->size,
                                    .reserved = reserved,
                                    .tracked = memory_log_kept(component->change_log)};
    return KITH_OK;
}

/* Updates the list of tables in the order of queries. */
static kith_result stats_rank_tables(kith_world *world)
{
    const ki_store *store = &world->store;
    ki_heap *heap = &world->store.context.heap;
    if (world->tables_epoch != store->table_epoch) {
        ki_ranks_clear(heap, &world->tables);
        for (uint32_t id = 0; id < store->table_slots; id++) {
            if (store->tables[id] != NULL &&
                ki_ranks_add(heap, &world->tables, store->tables[id]) == NULL) {
                return KITH_ERR_MEMORY;
            }
        }
        world->tables_epoch = store->table_epoch;
        world->tables_seen = store->created_count;
    }
    for (; world->tables_seen < store->created_count; world->tables_seen++) {
        ki_table *table = store->created[world->tables_seen];
        if (ki_ranks_add(heap, &world->tables, table) == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
}

kith_result kith_table_memory(kith_world *world, uint32_t index, kith_table_stats *stats,
                              const kith_type **types, uint32_t capacity)
{
    KI_TRY(ki_world_require_owner(world, "kith_table_memory"));
    if (KI_CHECKED && stats == NULL) {
        return ki_misuse(&world->store.context,
                         "kith_table_memory: there is no place for the answer");
    }
    const ki_store *store = &world->store;
    if (index >= store->table_count) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_UNKNOWN);
    }
    KI_TRY(stats_rank_tables(world));
    const ki_table *table = *(ki_table *const *)ki_ranks_at(&world->tables, index);
    size_t row_bytes = sizeof(kith_entity);
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        row_bytes += table->rows.columns[i].size;
        if (types != NULL && i < capacity) {
            types[i] = table->types[i];
        }
    }
    *stats = (kith_table_stats){.rows = table->rows.count,
                                .component_count = table->rows.column_count,
                                .used = table->rows.count * row_bytes,
                                .reserved = ki_table_reserved(table)};
    return KITH_OK;
}
