/* One entity's components come and go. */
#include "world/stage.h"
#include "world/way.h"

/* Adds a component that the living entity does not have. */
static kith_result change_add(kith_world *world, kith_entity entity, ki_component *component,
                              const void *value)
{
    ki_store *store = &world->store;
    uint32_t index = entity.index1 - 1;
    if (component->layout == KITH_TABLE) {
        return ki_move_step(store, entity, component->id, value);
    }
    KI_TRY(ki_other_reserve(store, component, index));
    ki_other_insert(store, component, entity, value);
    return KITH_OK;
}

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
        return change_add(world, entity, component, made);
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

kith_result ki_change_set(kith_world *world, const char *call, kith_entity entity,
                          ki_component *component, const void *value, bool keep)
{
    ki_store *store = &world->store;
    const ki_record *record = ki_record_at(&store->entities, entity.index1 - 1);
    uint32_t row;
    ki_column *column = ki_locate(store, component, entity.index1 - 1, record, &row);
    if (keep && column != NULL) {
        return KITH_OK;
    }
    if (component->hooks != NULL) {
        return change_set_hooked(world, call, entity, component, value);
    }
    if (column == NULL) {
        KI_BEGIN_CHANGE(world, call, KITH_ERR_MISUSE);
        return change_add(world, entity, component, value);
    }
    if (KI_UNLIKELY(column->size == 0)) {
        void *none;
        return ki_store_touch_value(store, component, entity.index1 - 1, record, &none);
    }
    if (KI_UNLIKELY(!ki_column_touch(&store->space, column, row))) {
        return KITH_ERR_MEMORY;
    }
    return ki_copy_value(ki_column_at(column, row), value, column->size);
}

/* For when something is wrong, or the type is another than the world's own of the same component. */
KI_COLD static kith_result change_set_slow(kith_world *world, kith_entity entity,
                                           const kith_type *type, const void *value)
{
    bool keep = value == ki_way_keep;
    const char *call = keep ? "kith_add" : "kith_set";
    KI_RETRY(world,
             keep ? kith_add(world, entity, type) : kith_set(world, entity, type, value));
    KI_REQUIRE_OWNER(world, call, KITH_ERR_MISUSE);
    KI_REQUIRE_COMPONENT(component, world, call, type, KITH_ERR_MISUSE)
    return kith_alive(world, entity) ? ki_way_set_other(world, entity, component, value)
                                     : ki_untold(&world->store.context.heap, KITH_ERR_DEAD);
}

kith_result kith_set(kith_world *world, kith_entity entity, const kith_type *type,
                     const void *value)
{
    ki_component *component = ki_world_known(world, type);
    if (component == NULL) {
        return change_set_slow(world, entity, type, value);
    }
    ki_record *record = ki_record_of(&world->store.entities, ki_handle_halves(entity));
    return KI_LIKELY(record != NULL) ? ki_way_set(world, entity, component, value, record)
                                     : ki_untold(&world->store.context.heap, KITH_ERR_DEAD);
}

kith_result kith_add(kith_world *world, kith_entity entity, const kith_type *type)
{
    ki_component *component = ki_world_known(world, type);
    if (component == NULL) {
        return change_set_slow(world, entity, type, ki_way_keep);
    }
    ki_record *record = ki_record_of(&world->store.entities, ki_handle_halves(entity));
    return KI_LIKELY(record != NULL) ? ki_way_set(world, entity, component, ki_way_keep, record)
                                     : ki_untold(&world->store.context.heap, KITH_ERR_DEAD);
}

kith_result kith_set_bytes(kith_world *world, kith_entity entity, const kith_type *type,
                           const void *bytes, size_t size)
{
    KI_REQUIRE_OWNER(world, "kith_set_bytes", KITH_ERR_MISUSE);
    ki_component *component;
    KI_TRY(ki_world_bytes_of(world, "kith_set_bytes", type, bytes, size, &component));
    return kith_alive(world, entity)
               ? ki_change_set(world, "kith_set_bytes", entity, component, bytes, false)
               : ki_untold(&world->store.context.heap, KITH_ERR_DEAD);
}

kith_result ki_change_remove(kith_world *world, kith_entity entity, ki_component *component)
{
    KI_BEGIN_CHANGE(world, "kith_remove", KITH_ERR_MISUSE);
    ki_store *store = &world->store;
    const ki_record *record = ki_record_at(&store->entities, entity.index1 - 1);
    if (component->layout != KITH_TABLE) {
        return ki_other_unset(store, component, entity.index1 - 1);
    }
    return ki_way_take_step(world, entity, component, store->tables[record->table]);
}

KI_COLD static kith_result change_remove_slow(kith_world *world, kith_entity entity,
                                              const kith_type *type)
{
    KI_RETRY(world, kith_remove(world, entity, type));
    KI_REQUIRE_CHANGE(world, "kith_remove", KITH_ERR_MISUSE);
    KI_REQUIRE_COMPONENT(component, world, "kith_remove", type, KITH_ERR_MISUSE)
    return kith_alive(world, entity) ? ki_change_remove(world, entity, component)
                                     : ki_untold(&world->store.context.heap, KITH_ERR_DEAD);
}

kith_result kith_remove(kith_world *world, kith_entity entity, const kith_type *type)
{
    ki_component *component = ki_world_known(world, type);
    if (component == NULL || !ki_world_is_unlocked(world)) {
        return change_remove_slow(world, entity, type);
    }
    ki_record *record = ki_record_of(&world->store.entities, ki_handle_halves(entity));
    return KI_LIKELY(record != NULL) ? ki_way_take(world, entity, component, record)
                                     : ki_untold(&world->store.context.heap, KITH_ERR_DEAD);
}

kith_result kith_clear(kith_world *world, kith_entity entity)
{
    KI_BEGIN_CHANGE(world, "kith_clear", KITH_ERR_MISUSE);
    ki_store *store = &world->store;
    const ki_record *record = ki_record_of(&store->entities, entity);
    if (record == NULL) {
        return ki_untold(&world->store.context.heap, KITH_ERR_DEAD);
    }
    uint32_t index = entity.index1 - 1;
    ki_table *from = store->tables[record->table];
    const ki_edge *edge = NULL;
    if (from->column_count != 0) {
        edge = ki_table_edge(&store->space, from, store->root);
        if (edge == NULL) {
            return KITH_ERR_MEMORY;
        }
        KI_TRY(ki_move_reserve(store, edge, index));
    }
    if (!ki_others_touch_removal(store, index)) {
        return KITH_ERR_MEMORY;
    }
    ki_others_remove(store, index);
    if (edge != NULL) {
        ki_move(store, edge, index, NULL);
    }
    return KITH_OK;
}
