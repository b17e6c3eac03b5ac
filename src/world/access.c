/* Reads and writes components that entities have. KI_NOINLINE keeps the usual case of a call without a
 * stack frame: without it, the rows get and has of the bench take 13 to 40 % more. */
#include "world/first_use.h"

bool kith_alive(const kith_world *world, kith_entity entity)
{
    if (ki_world_require_reader(world, "kith_alive") != KITH_OK) {
        return false;
    }
    return ki_record_of(&world->store.entities, entity) != NULL;
}

uint32_t kith_entity_count(const kith_world *world)
{
    if (ki_world_require_reader(world, "kith_entity_count") != KITH_OK) {
        return 0;
    }
    return ki_entities_alive(&world->store.entities);
}

kith_entity kith_entity_next(const kith_world *world, kith_entity previous)
{
    if (ki_world_require_reader(world, "kith_entity_next") != KITH_OK) {
        return KITH_NONE;
    }
    const ki_entities *entities = &world->store.entities;
    for (uint32_t index = previous.index1; index < entities->slots; index++) {
        if (ki_record_at(entities, index)->table < KI_RETIRED_TABLE) {
            return ki_entity_at(entities, index);
        }
    }
    return KITH_NONE;
}

/* The slow parts of the calls below: something is wrong, or the type is another copy of a type that the
 * world knows. */
static KI_NOINLINE bool access_has_slow(const kith_world *world, kith_entity entity,
                                        const kith_type *type)
{
    if (ki_world_may_retry(world)) {
        return kith_has(world, entity, type);
    }
    if (ki_world_require_owner(world, "kith_has") != KITH_OK) {
        return false;
    }
    ki_component *component;
    if (ki_world_look_up(world, "kith_has", type, &component) != KITH_OK) {
        return false;
    }
    return kith_alive(world, entity) &&
           ki_store_has(&world->store, component, entity.index1 - 1,
                        ki_record_at(&world->store.entities, entity.index1 - 1));
}

bool kith_has(const kith_world *world, kith_entity entity, const kith_type *type)
{
    const ki_component *component = ki_world_known(world, type);
    if (component == NULL) {
        return access_has_slow(world, entity, type);
    }
    const ki_store *store = &world->store;
    const ki_record *record = ki_record_match(&store->entities, entity);
    if (record == NULL) {
        return false;
    }
    uint32_t direct = component->direct;
    if (direct == 0 && component->layout != KITH_TABLE) {
        return ki_storage_has(component, entity.index1 - 1);
    }
    if (record->table >= KI_RETIRED_TABLE) {
        return false;
    }
    const ki_table *table = store->tables[record->table];
    return direct != 0 ? table->direct[direct] != KI_NO_COLUMN : ki_table_has(table, component->id);
}

static KI_NOINLINE const void *access_get_slow(const kith_world *world, kith_entity entity,
                                               const kith_type *type)
{
    if (ki_world_may_retry(world)) {
        return kith_get(world, entity, type);
    }
    if (ki_world_require_owner(world, "kith_get") != KITH_OK) {
        return NULL;
    }
    ki_component *component;
    if (ki_world_look_up(world, "kith_get", type, &component) != KITH_OK) {
        return NULL;
    }
    return component->type->size == 0 || !kith_alive(world, entity)
               ? NULL
               : ki_store_value(&world->store, component, entity.index1 - 1,
                                ki_record_at(&world->store.entities, entity.index1 - 1));
}

/* The column of a component in the table that a record names; NULL if there is none. */
static inline const ki_column *access_in_table(const ki_store *store, const ki_component *component,
                                               uint32_t table)
{
    return KI_LIKELY(table < KI_RETIRED_TABLE)
               ? ki_table_column(store->tables[table], component->id)
               : NULL;
}

/* kith_get for tags, and for components not found in a table by their id alone. */
static KI_NOINLINE const void *access_get_indirect(const ki_store *store,
                                                   const ki_component *component, uint32_t index,
                                                   const ki_record *record)
{
    uint32_t row = record->row;
    const ki_column *values = component->layout == KITH_TABLE
                                  ? access_in_table(store, component, record->table)
                                  : ki_storage_locate(component, index, &row);
    return KI_UNLIKELY(values == NULL || values->size == 0) ? NULL : ki_column_at(values, row);
}

const void *kith_get(const kith_world *world, kith_entity entity, const kith_type *type)
{
    const ki_component *component = ki_world_known(world, type);
    if (component == NULL) {
        return access_get_slow(world, entity, type);
    }
    const ki_store *store = &world->store;
    const ki_record *record = ki_record_match(&store->entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return NULL;
    }
    uint32_t direct = component->direct_value;
    if (direct == 0) {
        return access_get_indirect(store, component, entity.index1 - 1, record);
    }
    if (record->table >= KI_RETIRED_TABLE) {
        return NULL;
    }
    const ki_column *column = ki_table_direct(store->tables[record->table], direct);
    return column == NULL ? NULL : ki_column_at(column, record->row);
}

static inline kith_result access_mut(kith_world *world, kith_entity entity,
                                     const ki_component *component, void **value)
{
    ki_store *store = &world->store;
    const ki_record *record = ki_record_of(&store->entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return ki_without_message(&store->context.heap, KITH_ERR_DEAD);
    }
    uint32_t row;
    ki_column *column = ki_locate(store, component, entity.index1 - 1, record, &row);
    if (KI_UNLIKELY(column == NULL || column->size == 0)) {
        return ki_without_message(&store->context.heap, KITH_ERR_ABSENT);
    }
    if (!ki_column_mark(&store->columns, column, row)) {
        return ki_fail(&store->context, KITH_ERR_MEMORY,
                       "kith_get_mut: no memory to make values of %s writable",
                       component->type->name);
    }
    *value = ki_column_at(column, row);
    return KITH_OK;
}

kith_result kith_get_mut(kith_world *world, kith_entity entity, const kith_type *type, void **value)
{
    KI_TRY(ki_world_require_owner(world, "kith_get_mut"));
    ki_component *component;
    KI_TRY(ki_world_look_up_of(world, "kith_get_mut", entity, type, &component));
    if (KI_CHECKED && value == NULL) {
        return ki_misuse(&world->store.context, "kith_get_mut: there is no place for the pointer");
    }
    return access_mut(world, entity, component, value);
}

static KI_NOINLINE void *access_mut_or_null(kith_world *world, kith_entity entity,
                                            const ki_component *component)
{
    void *value = NULL;
    return access_mut(world, entity, component, &value) == KITH_OK ? value : NULL;
}

static KI_NOINLINE void *access_mut_slow(kith_world *world, kith_entity entity,
                                         const kith_type *type)
{
    if (ki_world_may_retry(world)) {
        return kith_get_mut_or_null(world, entity, type);
    }
    if (ki_world_require_owner(world, "kith_get_mut_or_null") != KITH_OK) {
        return NULL;
    }
    ki_component *component;
    if (ki_world_look_up(world, "kith_get_mut_or_null", type, &component) != KITH_OK) {
        return NULL;
    }
    return access_mut_or_null(world, entity, component);
}

void *kith_get_mut_or_null(kith_world *world, kith_entity entity, const kith_type *type)
{
    const ki_component *component = ki_world_known(world, type);
    if (KI_UNLIKELY(component == NULL)) {
        return access_mut_slow(world, entity, type);
    }
    const ki_store *store = &world->store;
    const ki_record *record = ki_record_of(&store->entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return NULL;
    }
    uint32_t direct = component->direct_value;
    if (direct == 0) {
        return access_mut_or_null(world, entity, component);
    }
    const ki_column *column = ki_table_direct(store->tables[record->table], direct);
    if (column == NULL) {
        return NULL;
    }
    return KI_LIKELY(ki_column_is_marked(&store->columns, column, record->row))
               ? ki_column_at(column, record->row)
               : access_mut_or_null(world, entity, component);
}

kith_result kith_get_bytes(const kith_world *world, kith_entity entity, const kith_type *type,
                           void *bytes, size_t size)
{
    KI_TRY(ki_world_require_owner(world, "kith_get_bytes"));
    ki_component *component;
    KI_TRY(ki_world_find_of(world, "kith_get_bytes", entity, type, &component));
    KI_TRY(ki_world_check_bytes(world, "kith_get_bytes", component, bytes, size));
    const ki_record *record = ki_record_of(&world->store.entities, entity);
    if (record == NULL) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_DEAD);
    }
    const void *value = ki_store_value(&world->store, component, entity.index1 - 1, record);
    if (value == NULL) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_ABSENT);
    }
    if (size != 0) {
        memcpy(bytes, value, size);
    }
    return KITH_OK;
}

/* Records are prefetched some handles ahead, so that the waits for memory overlap. Values are prefetched
 * too, for the caller. */
#define ACCESS_AHEAD 16u

/* What finds a record. A copy, so that the compiler knows that writing to `values` does not
 * change it. */
typedef struct access_records {
    const ki_block *blocks;
    uint32_t slots;
} access_records;

/* The record of the handle's slot; NULL if there is no such slot. The caller compares generations. */
static inline const ki_record *access_record(access_records records, kith_entity entity)
{
    uint32_t index = entity.index1 - 1;
    if (KI_UNLIKELY(index >= records.slots)) {
        return NULL;
    }
    const ki_record *block = (const void *)records.blocks[index >> KI_SMALL_SHIFT].data;
    return &block[index % KI_BLOCK_ROWS_MAX];
}

static inline void access_call_for(access_records records, const kith_entity *entities, uint32_t i,
                                   uint32_t count)
{
    if (KI_LIKELY(i + ACCESS_AHEAD < count)) {
        const ki_record *record = access_record(records, entities[i + ACCESS_AHEAD]);
        if (KI_LIKELY(record != NULL)) {
            KITH_PREFETCH_(record);
        }
    }
}

/* kith_get_many for a component of another layout than KITH_TABLE. */
static uint32_t access_many(const ki_store *store, const ki_component *component,
                            const kith_entity *entities, uint32_t count, const void **values)
{
    access_records records = {store->entities.records.blocks, store->entities.slots};
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        access_call_for(records, entities, i, count);
        const ki_record *record = access_record(records, entities[i]);
        uint32_t row = 0;
        const ki_column *column = record == NULL || record->generation != entities[i].generation
                                      ? NULL
                                      : ki_storage_locate(component, entities[i].index1 - 1, &row);
        const void *value = column == NULL || column->size == 0 ? NULL : ki_column_at(column, row);
        values[i] = value;
        if (value != NULL) {
            KITH_PREFETCH_(value);
            found++;
        }
    }
    return found;
}

/* kith_get_many for a KITH_TABLE component. It searches for the column again only when the table
 * changes. */
static uint32_t access_many_in_tables(const ki_store *store, const ki_component *component,
                                      const kith_entity *entities, uint32_t count,
                                      const void **values)
{
    access_records records = {store->entities.records.blocks, store->entities.slots};
    uint32_t found = 0;
    uint32_t table = KI_DEAD_TABLE;
    const ki_column nowhere = {0};
    ki_column column = nowhere;
    for (uint32_t i = 0; i < count; i++) {
        access_call_for(records, entities, i, count);
        const ki_record *record = access_record(records, entities[i]);
        values[i] = NULL;
        if (KI_UNLIKELY(record == NULL || record->generation != entities[i].generation)) {
            continue;
        }
        if (KI_UNLIKELY(record->table != table)) {
            table = record->table;
            const ki_column *there = access_in_table(store, component, table);
            column = there == NULL ? nowhere : *there;
        }
        if (KI_LIKELY(column.size != 0)) {
            const void *value = ki_column_at(&column, record->row);
            values[i] = value;
            KITH_PREFETCH_(value);
            found++;
        }
    }
    return found;
}

uint32_t kith_get_many(const kith_world *world, const kith_type *type, const kith_entity *entities,
                       uint32_t count, const void **values)
{
    if (ki_world_require_owner(world, "kith_get_many") != KITH_OK) {
        return 0;
    }
    if (KI_CHECKED && (entities == NULL || values == NULL) && count != 0) {
        ki_misuse(ki_world_error_context(world),
                  "kith_get_many: %u handles, but an address is NULL", count);
        return 0;
    }
    ki_component *component;
    if (ki_world_look_up(world, "kith_get_many", type, &component) != KITH_OK) {
        for (uint32_t i = 0; i < count; i++) {
            values[i] = NULL;
        }
        return 0;
    }
    return component->layout == KITH_TABLE
               ? access_many_in_tables(&world->store, component, entities, count, values)
               : access_many(&world->store, component, entities, count, values);
}

const kith_type *kith_component_next(const kith_world *world, kith_entity entity,
                                     const kith_type *previous)
{
    if (ki_world_require_reader(world, "kith_component_next") != KITH_OK) {
        return NULL;
    }
    const ki_store *store = &world->store;
    const ki_record *record = ki_record_of(&store->entities, entity);
    if (record == NULL) {
        return NULL;
    }
    const ki_component *component = previous == NULL ? NULL : ki_world_component(world, previous);
    if (previous != NULL && component == NULL) {
        ki_reject_type(world, "kith_component_next", previous);
        return NULL;
    }
    return ki_store_next(store, entity.index1 - 1, record, component);
}
