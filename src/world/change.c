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
    const char *call = value == ki_way_keep ? "kith_add" : "kith_set";
    KI_REQUIRE_OWNER(world, call, KITH_ERR_MISUSE);
    KI_REQUIRE_COMPONENT(component, world, call, type, KITH_ERR_MISUSE)
    return kith_alive(world, entity) ? ki_way_set_other(world, entity, component, value)
                                     : KITH_ERR_DEAD;
}

kith_result kith_set(kith_world *world, kith_entity entity, const kith_type *type,
                     const void *value)
{
    ki_component *component = ki_world_known(world, type);
    if (component == NULL || !ki_world_is_mine(world)) {
        return change_set_slow(world, entity, type, value);
    }
    ki_record *record = ki_record_of(&world->store.entities, ki_handle_halves(entity));
    return KI_LIKELY(record != NULL) ? ki_way_set(world, entity, component, value, record)
                                     : KITH_ERR_DEAD;
}

kith_result kith_add(kith_world *world, kith_entity entity, const kith_type *type)
{
    ki_component *component = ki_world_known(world, type);
    if (component == NULL || !ki_world_is_mine(world)) {
        return change_set_slow(world, entity, type, ki_way_keep);
    }
    ki_record *record = ki_record_of(&world->store.entities, ki_handle_halves(entity));
    return KI_LIKELY(record != NULL) ? ki_way_set(world, entity, component, ki_way_keep, record)
                                     : KITH_ERR_DEAD;
}

kith_result kith_set_bytes(kith_world *world, kith_entity entity, const kith_type *type,
                           const void *bytes, size_t size)
{
    KI_REQUIRE_OWNER(world, "kith_set_bytes", KITH_ERR_MISUSE);
    ki_component *component;
    KI_TRY(ki_world_bytes_of(world, "kith_set_bytes", type, bytes, size, &component));
    return kith_alive(world, entity)
               ? ki_change_set(world, "kith_set_bytes", entity, component, bytes, false)
               : KITH_ERR_DEAD;
}

/* What kith_set_several needs for one entity. */
typedef struct several {
    kith_entity entity;
    const kith_value *values;
    uint32_t count;
    bool hooked; /* values of a component have hooks, and were made to be moved */
    ki_plan_entry *entries;
} several;

/* Whether each of the components is there, so that nothing moves. */
static bool several_all_there(const ki_store *store, const several *change, const ki_record *record)
{
    for (uint32_t i = 0; i < change->count; i++) {
        if (!ki_store_has(store, change->entries[i].component, change->entity.index1 - 1, record)) {
            return false;
        }
    }
    return true;
}

/* Reserves what does not move: what is there is about to be overwritten, and of other layouts come what
 * is not. With `stays` that goes for the components of tables, too. */
static kith_result several_reserve(ki_store *store, const several *change, bool stays)
{
    uint32_t index = change->entity.index1 - 1;
    const ki_record *record = ki_record_at(&store->entities, index);
    for (uint32_t i = 0; i < change->count; i++) {
        ki_component *component = change->entries[i].component;
        if (component->layout == KITH_TABLE && !stays) {
            continue;
        }
        void *to;
        kith_result result = ki_store_touch_value(store, component, index, record, &to);
        KI_TRY(result == KITH_ERR_ABSENT ? ki_other_reserve(store, component, index) : result);
    }
    return KITH_OK;
}

static void several_write(ki_store *store, const several *change, const ki_table *table,
                          uint32_t row)
{
    uint32_t index = change->entity.index1 - 1;
    for (uint32_t i = 0; i < change->count; i++) {
        ki_component *component = change->entries[i].component;
        const void *value = change->values[i].data;
        if (component->layout == KITH_TABLE) {
            ki_column_write(ki_table_column(table, component->id), row, value);
        } else if (ki_other_has(component, index)) {
            ki_other_write(component, index, value);
        } else {
            ki_other_insert(store, component, change->entity, value);
        }
    }
}

/* Changes what has to be changed. */
static kith_result several_make(kith_world *world, const char *call, const several *change,
                                const ki_record *record)
{
    ki_store *store = &world->store;
    uint32_t index = change->entity.index1 - 1;
    ki_table *from = store->tables[record->table];
    ki_table *to = from;
    if (!several_all_there(store, change, record)) {
        KI_BEGIN_CHANGE(world, call, KITH_ERR_MISUSE);
        KI_TRY(ki_plan_target(store, from, change->entries, change->count, &to));
    }
    KI_TRY(several_reserve(store, change, to == from));
    if (to == from) {
        several_write(store, change, from, record->row);
        return KITH_OK;
    }
    const ki_edge *edge = ki_table_edge(&store->space, from, to);
    if (edge == NULL) {
        return KITH_ERR_MEMORY;
    }
    KI_TRY(ki_move_reserve(store, edge, index));
    uint32_t row = ki_move_begin(store, edge, index);
    several_write(store, change, to, row);
    ki_move_end(store, edge, index, row);
    return KITH_OK;
}

KI_COLD static kith_result several_make_hooked(kith_world *world, const char *call,
                                               const several *change, const ki_record *record)
{
    ki_stage stage = {.world = world, .call = call};
    several staged = *change;
    kith_result result = ki_stage_values(&stage, change->entries, change->count, &staged.values);
    if (result == KITH_OK) {
        result = several_make(world, call, &staged, record);
    }
    ki_stage_end(&stage, result);
    return result;
}

static kith_result several_set(kith_world *world, const char *call, several *change)
{
    const ki_record *record = ki_record_of(&world->store.entities, change->entity);
    KI_TRY(ki_plan_resolve(world, call, &change->values->type, sizeof *change->values,
                           change->count, change->entries, &change->hooked));
    if (record == NULL) {
        return KITH_ERR_DEAD;
    }
    return change->hooked ? several_make_hooked(world, call, change, record)
                          : several_make(world, call, change, record);
}

kith_result ki_world_set_several(kith_world *world, const char *call, kith_entity entity,
                                 const kith_value *values, uint32_t count)
{
    ki_heap *heap = &world->store.context.heap;
    if (count == 0) {
        return ki_record_of(&world->store.entities, entity) == NULL ? KITH_ERR_DEAD : KITH_OK;
    }
    ki_plan_entry usual[16];
    several change = {entity, values, count, false, usual};
    if (count > sizeof usual / sizeof usual[0]) {
        change.entries =
            ki_heap_take(heap, count * sizeof *change.entries, _Alignof(ki_plan_entry));
        if (change.entries == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    kith_result result = several_set(world, call, &change);
    if (change.entries != usual) {
        ki_heap_give(heap, change.entries, count * sizeof *change.entries, _Alignof(ki_plan_entry));
    }
    return result;
}

kith_result kith_set_several(kith_world *world, kith_entity entity, const kith_value *values,
                             uint32_t value_count)
{
    KI_REQUIRE_OWNER(world, "kith_set_several", KITH_ERR_MISUSE);
    ki_context *context = &world->store.context;
    KITH_REQUIRE(context, values != NULL || value_count == 0, KITH_ERR_MISUSE,
                 "kith_set_several: %u values, but their address is NULL", value_count);
    return ki_world_set_several(world, "kith_set_several", entity, values, value_count);
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
    KI_REQUIRE_CHANGE(world, "kith_remove", KITH_ERR_MISUSE);
    KI_REQUIRE_COMPONENT(component, world, "kith_remove", type, KITH_ERR_MISUSE)
    return kith_alive(world, entity) ? ki_change_remove(world, entity, component) : KITH_ERR_DEAD;
}

kith_result kith_remove(kith_world *world, kith_entity entity, const kith_type *type)
{
    ki_component *component = ki_world_known(world, type);
    if (component == NULL || !ki_world_may_change(world)) {
        return change_remove_slow(world, entity, type);
    }
    ki_record *record = ki_record_of(&world->store.entities, ki_handle_halves(entity));
    return KI_LIKELY(record != NULL) ? ki_way_take(world, entity, component, record)
                                     : KITH_ERR_DEAD;
}

kith_result kith_clear(kith_world *world, kith_entity entity)
{
    KI_BEGIN_CHANGE(world, "kith_clear", KITH_ERR_MISUSE);
    ki_store *store = &world->store;
    const ki_record *record = ki_record_of(&store->entities, entity);
    if (record == NULL) {
        return KITH_ERR_DEAD;
    }
    uint32_t index = entity.index1 - 1;
    ki_table *from = store->tables[record->table];
    const ki_edge *edge = NULL;
    if (from->column_count != 0) {
        edge = ki_table_edge(&store->space, from, store->tables[0]);
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
