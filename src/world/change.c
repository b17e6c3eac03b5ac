/* One entity's components come and go. */
#include "store/transition.h"
#include "world/stage.h"

/* Puts a value that has been made for it on a living entity. */
KI_RARE static kith_result change_put(kith_world *world, const char *call, kith_entity entity,
                                      ki_component *component, void *made)
{
    ki_store *store = &world->store;
    uint32_t index = entity.index1 - 1;
    void *to;
    kith_result result =
        ki_store_touch_value(store, component, index, ki_record_at(&store->entities, index), &to);
    if (result == KITH_ERR_ABSENT) {
        KI_BEGIN_CHANGE(world, call, KITH_ERR_MISUSE);
        return ki_transition_add(store, entity, ki_record_at(&store->entities, index), component,
                                 made);
    }
    if (result == KITH_OK) {
        ki_hooks_replace(component->hooks, to, made);
    }
    return result;
}

/* change_set for a value with hooks, on a living entity. */
KI_COLD static kith_result change_set_hooked(kith_world *world, const char *call,
                                             kith_entity entity, ki_component *component,
                                             const void *value)
{
    ki_stage stage = {.world = world, .call = call};
    void *made;
    kith_result result = ki_stage_make(&stage, component, value, 1, false, &made);
    if (result == KITH_OK) {
        result = change_put(world, call, entity, component, made);
    }
    ki_stage_end(&stage, result);
    return result;
}

/* Adds a component that a living entity lacks. NULL is zero bytes, or what `init` makes. */
static kith_result change_add(kith_world *world, const char *call, kith_entity entity,
                              const ki_record *record, ki_component *component, const void *value)
{
    if (KI_UNLIKELY(component->hooks != NULL)) {
        return change_set_hooked(world, call, entity, component, value);
    }
    KI_BEGIN_CHANGE(world, call, KITH_ERR_MISUSE);
    return ki_transition_add(&world->store, entity, record, component, value);
}

/* Overwrites the value that a living entity has, in a row of a column. */
static kith_result change_overwrite(kith_world *world, const char *call, kith_entity entity,
                                    ki_component *component, const void *value, ki_column *column,
                                    uint32_t row)
{
    if (KI_UNLIKELY(component->hooks != NULL)) {
        return change_set_hooked(world, call, entity, component, value);
    }
    if (KI_UNLIKELY(column->size == 0)) {
        void *none;
        ki_store *store = &world->store;
        uint32_t index = entity.index1 - 1;
        return ki_store_touch_value(store, component, index, ki_record_at(&store->entities, index),
                                    &none);
    }
    if (KI_UNLIKELY(!ki_column_touch(&world->store.space, column, row))) {
        return KITH_ERR_MEMORY;
    }
    ki_write_value(ki_column_at(column, row), value, column->size);
    return KITH_OK;
}

/* Sets a component of an entity, for the world's owner. */
static inline kith_result change_set(kith_world *world, const char *call, kith_entity entity,
                                     ki_component *component, const void *value)
{
    const ki_record *record = ki_record_of(&world->store.entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return ki_untold(&world->store.context.heap, KITH_ERR_DEAD);
    }
    uint32_t row;
    ki_column *column = ki_locate(&world->store, component, entity.index1 - 1, record, &row);
    return column == NULL ? change_add(world, call, entity, record, component, value)
                          : change_overwrite(world, call, entity, component, value, column, row);
}

kith_result kith_set(kith_world *world, kith_entity entity, const kith_type *type,
                     const void *value)
{
    KI_REQUIRE_OWNER(world, "kith_set", KITH_ERR_MISUSE);
    KI_REQUIRE_COMPONENT(component, world, "kith_set", type, KITH_ERR_MISUSE)
    return change_set(world, "kith_set", entity, component, value);
}

kith_result kith_add(kith_world *world, kith_entity entity, const kith_type *type)
{
    KI_REQUIRE_OWNER(world, "kith_add", KITH_ERR_MISUSE);
    KI_REQUIRE_COMPONENT(component, world, "kith_add", type, KITH_ERR_MISUSE)
    const ki_record *record = ki_record_of(&world->store.entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return ki_untold(&world->store.context.heap, KITH_ERR_DEAD);
    }
    return ki_store_has(&world->store, component, entity.index1 - 1, record)
               ? KITH_OK
               : change_add(world, "kith_add", entity, record, component, NULL);
}

kith_result kith_set_bytes(kith_world *world, kith_entity entity, const kith_type *type,
                           const void *bytes, size_t size)
{
    KI_REQUIRE_OWNER(world, "kith_set_bytes", KITH_ERR_MISUSE);
    ki_component *component;
    KI_TRY(ki_world_bytes_of(world, "kith_set_bytes", type, bytes, size, &component));
    return change_set(world, "kith_set_bytes", entity, component, bytes);
}

kith_result kith_remove(kith_world *world, kith_entity entity, const kith_type *type)
{
    KI_BEGIN_CHANGE(world, "kith_remove", KITH_ERR_MISUSE);
    KI_REQUIRE_COMPONENT(component, world, "kith_remove", type, KITH_ERR_MISUSE)
    const ki_record *record = ki_record_of(&world->store.entities, entity);
    return record == NULL ? ki_untold(&world->store.context.heap, KITH_ERR_DEAD)
                          : ki_transition_remove(&world->store, entity, record, component);
}

kith_result kith_clear(kith_world *world, kith_entity entity)
{
    KI_BEGIN_CHANGE(world, "kith_clear", KITH_ERR_MISUSE);
    const ki_record *record = ki_record_of(&world->store.entities, entity);
    return record == NULL ? ki_untold(&world->store.context.heap, KITH_ERR_DEAD)
                          : ki_transition_clear(&world->store, entity, record);
}
