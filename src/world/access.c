/* Reads and writes components that entities have. Inline calls find a value as these do, by the place of
 * its component; KI_NOINLINE keeps what is unusual out of the way. */
#include "world/first_use.h"
#include "world/guard.h"

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
    return component == NULL ? access_has_slow(world, entity, type)
                             : kith_is_at_(&component->place, entity);
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

/* The value of an entity, as inline calls find it; NULL: it is dead or has none, or with `written` the
 * block may not be written yet. */
static inline void *access_value(const ki_component *component, kith_entity entity, bool written)
{
    const struct kith_place_ *place = &component->place;
    return place->size == 0 ? NULL : kith_value_(place, entity, place->size, written);
}

const void *kith_get(const kith_world *world, kith_entity entity, const kith_type *type)
{
    const ki_component *component = ki_world_known(world, type);
    return component == NULL ? access_get_slow(world, entity, type)
                             : access_value(component, entity, false);
}

static inline kith_result access_mut(kith_world *world, kith_entity entity,
                                     const ki_component *component, void **value)
{
    ki_store *store = &world->store;
    if (KI_CHECKED && component->guarded) {
        return ki_reject_guarded(world, "kith_get_mut", component);
    }
    const ki_record *record = ki_record_of(&store->entities, entity);
    if (record == NULL) {
        return ki_without_message(&store->context.heap, KITH_ERR_DEAD);
    }
    uint32_t row;
    ki_column *column = ki_locate(store, component, entity.index1 - 1, record, &row);
    if (column == NULL || column->size == 0) {
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
    KI_TRY(ki_world_require_writer(world, "kith_get_mut"));
    ki_component *component;
    kith_result result = ki_world_look_up_of(world, "kith_get_mut", entity, type, &component);
    if (KI_CHECKED && result == KITH_OK && value == NULL) {
        return ki_misuse(&world->store.context, "kith_get_mut: there is no place for the pointer");
    }
    result = result == KITH_OK ? access_mut(world, entity, component, value) : result;
    return ki_world_tell_lack(world, "kith_get_mut", entity, type, result);
}

static KI_NOINLINE void *access_mut_or_null(kith_world *world, kith_entity entity,
                                            const ki_component *component)
{
    void *value = NULL;
    return ki_world_require_written(world, "kith_get_mut_or_null") == KITH_OK &&
                   access_mut(world, entity, component, &value) == KITH_OK
               ? value
               : NULL;
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
    if (component == NULL) {
        return access_mut_slow(world, entity, type);
    }
    void *value = access_value(component, entity, true);
    return value != NULL ? value : access_mut_or_null(world, entity, component);
}

static kith_result access_bytes(const kith_world *world, kith_entity entity, const kith_type *type,
                                void *bytes, size_t size)
{
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

kith_result kith_get_bytes(const kith_world *world, kith_entity entity, const kith_type *type,
                           void *bytes, size_t size)
{
    KI_TRY(ki_world_require_owner(world, "kith_get_bytes"));
    return ki_world_tell_lack(world, "kith_get_bytes", entity, type,
                              access_bytes(world, entity, type, bytes, size));
}

/* Handles are worked on in groups: while the values of one are found, the records of the next come from
 * memory. Values are prefetched too, for the caller. */
#define ACCESS_GROUP 32u

typedef struct access_group {
    const ki_record *records[ACCESS_GROUP];
    uint32_t count;
} access_group;

/* Takes the next handles of a list, and calls for their records. A handle without a slot gets a record
 * that is dead. */
static inline void access_call_for(const ki_block *blocks, uint32_t slots,
                                   const kith_entity *entities, uint32_t count, access_group *group)
{
    static const ki_record nobody = {.table = KI_DEAD_TABLE};
    group->count = ki_min_u32(count, ACCESS_GROUP);
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t index = entities[i].index1 - 1;
        group->records[i] = &nobody;
        if (index < slots) {
            const ki_record *block = (const void *)blocks[index >> KI_SMALL_SHIFT].data;
            group->records[i] = &block[index % KI_BLOCK_ROWS_MAX];
            KITH_PREFETCH_(group->records[i]);
        }
    }
}

/* The values of a group's entities that are in sparse sets or slot arrays; returns how many have one. */
static inline uint32_t access_in_storage(const ki_component *component, const access_group *group,
                                         const kith_entity *entities, const void **values)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t row = 0;
        const ki_column *column = group->records[i]->generation != entities[i].generation
                                      ? NULL
                                      : ki_storage_locate(component, entities[i].index1 - 1, &row);
        values[i] = column == NULL ? NULL : ki_column_at(column, row);
        KITH_PREFETCH_(values[i]);
        found += values[i] != NULL;
    }
    return found;
}

/* The column that was found last, and its table. */
typedef struct access_column {
    uint32_t table;
    ki_column column;
} access_column;

/* The same for entities in tables. It searches for the column again only when the table changes. */
static inline uint32_t access_in_tables(const ki_store *store, const ki_component *component,
                                        const access_group *group, const kith_entity *entities,
                                        const void **values, access_column *last)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        const ki_record *record = group->records[i];
        values[i] = NULL;
        if (record->generation != entities[i].generation) {
            continue;
        }
        if (record->table != last->table) {
            const ki_column *column =
                record->table >= KI_RETIRED_TABLE
                    ? NULL
                    : ki_table_column(store->tables[record->table], component->id);
            last->table = record->table;
            last->column = column == NULL ? (ki_column){0} : *column;
        }
        if (last->column.size != 0) {
            values[i] = ki_column_at(&last->column, record->row);
            KITH_PREFETCH_(values[i]);
            found++;
        }
    }
    return found;
}

/* kith_get_many for a component that has values. */
static uint32_t access_many(const ki_store *store, const ki_component *component,
                            const kith_entity *entities, uint32_t count, const void **values)
{
    const ki_block *blocks = store->entities.records.blocks;
    const uint32_t slots = store->entities.slots;
    access_column last = {.table = KI_DEAD_TABLE};
    access_group groups[2];
    uint32_t found = 0;
    uint32_t turn = 0;
    access_call_for(blocks, slots, entities, count, &groups[0]);
    while (count != 0) {
        const access_group *group = &groups[turn];
        turn = 1 - turn;
        count -= group->count;
        access_call_for(blocks, slots, entities + group->count, count, &groups[turn]);
        found += component->layout == KITH_TABLE
                     ? access_in_tables(store, component, group, entities, values, &last)
                     : access_in_storage(component, group, entities, values);
        entities += group->count;
        values += group->count;
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
    if (ki_world_look_up(world, "kith_get_many", type, &component) != KITH_OK ||
        component->type->size == 0) {
        for (uint32_t i = 0; i < count; i++) {
            values[i] = NULL;
        }
        return 0;
    }
    return access_many(&world->store, component, entities, count, values);
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
