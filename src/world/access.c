/* Reading and writing what is there. */
#include "store/locate.h"
#include "world/world.h"

bool kith_alive(const kith_world *world, kith_entity entity)
{
    KI_REQUIRE_WORLD(world, "kith_alive", false);
    return ki_record_of(&world->store.entities, entity) != NULL;
}

uint32_t kith_entity_count(const kith_world *world)
{
    KI_REQUIRE_WORLD(world, "kith_entity_count", 0);
    return world->store.entities.alive;
}

kith_entity kith_entity_next(const kith_world *world, kith_entity previous)
{
    KI_REQUIRE_WORLD(world, "kith_entity_next", KITH_NONE);
    const ki_entities *entities = &world->store.entities;
    for (uint32_t index = previous.index1; index < entities->slots; index++) {
        if (ki_record_at(entities, index)->table < KI_RETIRED_TABLE) {
            return ki_entity_at(entities, index);
        }
    }
    return KITH_NONE;
}

bool kith_has(const kith_world *world, kith_entity entity, const kith_type *type)
{
    KI_REQUIRE_WORLD(world, "kith_has", false);
    KI_REQUIRE_COMPONENT(component, world, "kith_has", type, false)
    const ki_record *record = ki_record_of(&world->store.entities, entity);
    uint32_t row;
    return record != NULL &&
           ki_locate(&world->store, component, entity.index1 - 1, record, &row) != NULL;
}

/* The value of a component that has one; NULL for the dead, the absent, and tags. */
static inline const void *access_value(const ki_store *store, const ki_component *component,
                                       kith_entity entity)
{
    const ki_record *record = ki_record_of(&store->entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return NULL;
    }
    uint32_t row;
    const ki_column *column = ki_locate(store, component, entity.index1 - 1, record, &row);
    return KI_UNLIKELY(column == NULL || column->size == 0) ? NULL : ki_column_at(column, row);
}

const void *kith_get(const kith_world *world, kith_entity entity, const kith_type *type)
{
    KI_REQUIRE_WORLD(world, "kith_get", NULL);
    KI_REQUIRE_COMPONENT(component, world, "kith_get", type, NULL)
    return access_value(&world->store, component, entity);
}

static kith_result access_mut(kith_world *world, kith_entity entity, ki_component *component,
                              void **value)
{
    ki_store *store = &world->store;
    const ki_record *record = ki_record_of(&store->entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return KITH_ERR_DEAD;
    }
    uint32_t row;
    ki_column *column = ki_locate(store, component, entity.index1 - 1, record, &row);
    if (KI_UNLIKELY(column == NULL || column->size == 0)) {
        return KITH_ERR_ABSENT;
    }
    if (KI_UNLIKELY(!ki_column_touch(&store->space, column, row))) {
        return KITH_ERR_MEMORY;
    }
    *value = ki_column_at(column, row);
    return KITH_OK;
}

kith_result kith_get_mut(kith_world *world, kith_entity entity, const kith_type *type, void **value)
{
    KI_REQUIRE_OWNER(world, "kith_get_mut", KITH_ERR_MISUSE);
    KI_REQUIRE_COMPONENT(component, world, "kith_get_mut", type, KITH_ERR_MISUSE)
    KITH_REQUIRE(&world->store.context, value != NULL, KITH_ERR_MISUSE,
                 "kith_get_mut: there is no place for the pointer");
    return access_mut(world, entity, component, value);
}

void *kith_get_mut_or_null(kith_world *world, kith_entity entity, const kith_type *type)
{
    KI_REQUIRE_OWNER(world, "kith_get_mut_or_null", NULL);
    KI_REQUIRE_COMPONENT(component, world, "kith_get_mut_or_null", type, NULL)
    void *value = NULL;
    return access_mut(world, entity, component, &value) == KITH_OK ? value : NULL;
}

kith_result kith_get_bytes(const kith_world *world, kith_entity entity, const kith_type *type,
                           void *bytes, size_t size)
{
    KI_REQUIRE_OPEN(world, "kith_get_bytes", KITH_ERR_MISUSE);
    const ki_component *component = type == NULL ? NULL : ki_world_component(world, type);
    if (component == NULL) {
        return KITH_ERR_UNKNOWN;
    }
    if (size != component->type->size || (bytes == NULL && size != 0)) {
        return ki_fail(ki_world_context(world), KITH_ERR_TYPE,
                       "kith_get_bytes: %s has %u bytes, not %zu%s", type->name,
                       component->type->size, size, bytes == NULL ? " at NULL" : "");
    }
    if (component->hooks != NULL) {
        return ki_fail(ki_world_context(world), KITH_ERR_TYPE,
                       "kith_get_bytes: '%s' has hooks: its values are more than their bytes",
                       type->name);
    }
    const ki_record *record = ki_record_of(&world->store.entities, entity);
    if (record == NULL) {
        return KITH_ERR_DEAD;
    }
    const void *value = ki_store_value(&world->store, component, entity.index1 - 1, record);
    if (value == NULL) {
        return KITH_ERR_ABSENT;
    }
    if (size != 0) {
        memcpy(bytes, value, size);
    }
    return KITH_OK;
}

/* Handles are looked at twice in short runs: first their records are called for, then, when those
 * have come, their values; so that the waits for memory overlap. */
#define ACCESS_RUN 32u

uint32_t kith_get_many(const kith_world *world, const kith_type *type, const kith_entity *entities,
                       uint32_t count, const void **values)
{
    KI_REQUIRE_WORLD(world, "kith_get_many", 0);
    KI_REQUIRE_COMPONENT(component, world, "kith_get_many", type, 0)
    KITH_REQUIRE(ki_world_judge(world), (entities != NULL && values != NULL) || count == 0, 0,
                 "kith_get_many: %u handles, but an address is NULL", count);
    const ki_store *store = &world->store;
    uint32_t found = 0;
    uint32_t end;
    for (uint32_t first = 0; first < count; first = end) {
        end = count - first < ACCESS_RUN ? count : first + ACCESS_RUN;
        for (uint32_t i = first; i < end; i++) {
            if (entities[i].index1 - 1 < store->entities.slots) {
                KI_PREFETCH(ki_record_at(&store->entities, entities[i].index1 - 1));
            }
        }
        for (uint32_t i = first; i < end; i++) {
            values[i] = access_value(store, component, entities[i]);
            if (values[i] != NULL) {
                KI_PREFETCH(values[i]);
                found++;
            }
        }
    }
    return found;
}

KI_RARE const kith_type *kith_component_next(const kith_world *world, kith_entity entity,
                                             const kith_type *previous)
{
    KI_REQUIRE_WORLD(world, "kith_component_next", NULL);
    const ki_store *store = &world->store;
    const ki_record *record = ki_record_of(&store->entities, entity);
    if (record == NULL) {
        return NULL;
    }
    uint32_t id = 0;
    if (previous != NULL) {
        const ki_component *component = ki_world_component(world, previous);
        if (component == NULL) {
            ki_refuse_type(world, "kith_component_next", previous);
            return NULL;
        }
        id = component->id;
    }
    for (; id < store->component_count; id++) {
        if (ki_store_has(store, store->components[id], entity.index1 - 1, record)) {
            return store->components[id]->type;
        }
    }
    return NULL;
}
