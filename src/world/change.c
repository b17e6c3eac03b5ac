/* Adds, sets and removes components of one entity. KI_NOINLINE keeps the usual case of a call without a
 * stack frame: without it, the rows add-remove and tag of the bench take 5 to 10 % more. */
#include "store/transition.h"
#include "store/write_log.h"
#include "world/first_use.h"
#include "world/guard.h"
#include "world/staged.h"

/* Moves a value that was staged to a living entity. */
static kith_result change_put(kith_world *world, const char *call, kith_entity entity,
                              ki_component *component, void *made)
{
    ki_store *store = &world->store;
    uint32_t index = entity.index1 - 1;
    void *to;
    kith_result result =
        ki_store_mark_value(store, component, index, ki_record_at(&store->entities, index), &to);
    if (result == KITH_ERR_ABSENT) {
        KI_TRY(ki_world_begin_change(world, call));
        return ki_transition_add(store, entity, ki_record_at(&store->entities, index), component,
                                 made);
    }
    if (result == KITH_OK) {
        ki_hooks_replace(component->hooks, to, made);
    }
    return result;
}

/* change_set for a value with hooks, on a living entity. */
static kith_result change_set_hooked(kith_world *world, const char *call, kith_entity entity,
                                     ki_component *component, const void *value)
{
    ki_staged staged = {.world = world, .call = call};
    void *made;
    kith_result result = ki_staged_make(&staged, component, value, 1, false, &made);
    if (result == KITH_OK) {
        result = change_put(world, call, entity, component, made);
    }
    ki_staged_end(&staged, result);
    return result;
}

/* Adds a component that is guarded. */
static kith_result change_add_guarded(kith_world *world, const char *call, kith_entity entity,
                                      ki_component *component, const void *value)
{
    ki_store *store = &world->store;
    ki_link_changes links;
    ki_link_changes_begin(&links, store, &store->context.heap);
    kith_result result = ki_guard_value(world, call, component, entity, value, &links);
    if (result == KITH_OK) {
        result = ki_transition_add(store, entity, ki_record_at(&store->entities, entity.index1 - 1),
                                   component, value);
    }
    return ki_link_changes_end(&links, result);
}

/* Adds a component that a living entity lacks. NULL is zero bytes, or what `init` makes. */
static KI_NOINLINE kith_result change_add_slow(kith_world *world, const char *call,
                                               kith_entity entity, ki_component *component,
                                               const void *value)
{
    if (component->hooks != NULL) {
        KI_TRY(ki_world_require_written(world, call));
        return change_set_hooked(world, call, entity, component, value);
    }
    KI_TRY(ki_world_begin_change(world, call));
    if (component->guarded) {
        return change_add_guarded(world, call, entity, component, value);
    }
    return ki_transition_add(&world->store, entity,
                             ki_record_at(&world->store.entities, entity.index1 - 1), component,
                             value);
}

static inline kith_result change_add(kith_world *world, const char *call, kith_entity entity,
                                     ki_record *record, ki_component *component, const void *value)
{
    return KI_LIKELY(ki_world_is_unlocked(world) && !component->checked)
               ? ki_transition_add(&world->store, entity, record, component, value)
               : change_add_slow(world, call, entity, component, value);
}

/* Overwrites a value, and notes whose it is instead of marking all of its block. False: that cannot
 * be. */
static bool change_overwrite_logged(ki_store *store, const ki_component *component, uint32_t index,
                                    const void *value)
{
    uint32_t row;
    ki_column *column =
        ki_locate(store, component, index, ki_record_at(&store->entities, index), &row);
    if (column->size == 0 || !ki_write_log_note(&store->columns, component->write_log,
                                                &column->blocks[row >> column->shift], index)) {
        return false;
    }
    ki_write_value(ki_column_at(column, row), value, column->size);
    return true;
}

/* Overwrites the value that a living entity has, which may be written in place. */
static kith_result change_overwrite_plain(ki_store *store, ki_component *component, uint32_t index,
                                          const void *value)
{
    if (component->write_log != NULL && change_overwrite_logged(store, component, index, value)) {
        return KITH_OK;
    }
    void *to;
    KI_TRY(
        ki_store_mark_value(store, component, index, ki_record_at(&store->entities, index), &to));
    ki_write_value(to, value, component->type->size);
    return KITH_OK;
}

/* Overwrites the value of a guarded component. Another target is a change of structure. */
static kith_result change_overwrite_guarded(kith_world *world, const char *call, kith_entity entity,
                                            ki_component *component, const void *value)
{
    ki_store *store = &world->store;
    if (component->relation != NULL) {
        KI_TRY(ki_world_begin_change(world, call));
    }
    ki_link_changes links;
    ki_link_changes_begin(&links, store, &store->context.heap);
    kith_result result = ki_guard_value(world, call, component, entity, value, &links);
    if (result == KITH_OK) {
        result = change_overwrite_plain(store, component, entity.index1 - 1, value);
    }
    return ki_link_changes_end(&links, result);
}

/* Overwrites the value that a living entity has. */
static KI_NOINLINE kith_result change_overwrite_slow(kith_world *world, const char *call,
                                                     kith_entity entity, ki_component *component,
                                                     const void *value)
{
    KI_TRY(ki_world_require_written(world, call));
    if (component->hooks != NULL) {
        return change_set_hooked(world, call, entity, component, value);
    }
    return component->guarded
               ? change_overwrite_guarded(world, call, entity, component, value)
               : change_overwrite_plain(&world->store, component, entity.index1 - 1, value);
}

/* Overwrites the value in a row of a column. */
static inline kith_result change_overwrite(kith_world *world, const char *call, kith_entity entity,
                                           ki_component *component, const void *value,
                                           ki_column *column, uint32_t row)
{
    if (KI_UNLIKELY(!component->simple || column->size == 0 ||
                    !ki_column_is_marked(&world->store.columns, column, row))) {
        return change_overwrite_slow(world, call, entity, component, value);
    }
    ki_write_small(ki_column_at_small(column, row), value, column->size);
    return KITH_OK;
}

/* change_set for a component of another layout than KITH_TABLE, on a living entity. */
static KI_NOINLINE kith_result change_set_other(kith_world *world, const char *call,
                                                kith_entity entity, ki_component *component,
                                                const void *value)
{
    uint32_t row;
    ki_column *column = ki_storage_locate(component, entity.index1 - 1, &row);
    return column == NULL ? change_add(world, call, entity, NULL, component, value)
                          : change_overwrite(world, call, entity, component, value, column, row);
}

/* Sets a component of an entity, for the world's owner. */
static inline kith_result change_set(kith_world *world, const char *call, kith_entity entity,
                                     ki_component *component, const void *value)
{
    ki_store *store = &world->store;
    ki_record *record = ki_record_of(&store->entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return ki_world_dead(world, call, entity);
    }
    if (component->layout != KITH_TABLE) {
        return change_set_other(world, call, entity, component, value);
    }
    ki_column *column = ki_table_column(store->tables[record->table], component->id);
    return column == NULL
               ? change_add(world, call, entity, record, component, value)
               : change_overwrite(world, call, entity, component, value, column, record->row);
}

/* The component to add to an entity. For a dead one no type is registered. */
static kith_result change_use(kith_world *world, const char *call, kith_entity entity,
                              const kith_type *type, ki_component **component)
{
    if (type != NULL && ki_record_of(&world->store.entities, entity) == NULL) {
        return ki_world_dead(world, call, entity);
    }
    return ki_world_use_to_change(world, call, type, component);
}

/* ki_world_set where it is not known that the thread owns the world, or what the type's component is. */
static KI_NOINLINE kith_result change_set_slow(kith_world *world, const char *call,
                                               kith_entity entity, const kith_type *type,
                                               const void *value)
{
    KI_TRY(ki_world_require_owner(world, call));
    ki_component *component;
    KI_TRY(change_use(world, call, entity, type, &component));
    return change_set(world, call, entity, component, value);
}

static inline kith_result change_set_type(kith_world *world, const char *call, kith_entity entity,
                                          const kith_type *type, const void *value)
{
    ki_component *component = ki_world_known(world, type);
    return KI_LIKELY(component != NULL) ? change_set(world, call, entity, component, value)
                                        : change_set_slow(world, call, entity, type, value);
}

kith_result kith_set(kith_world *world, kith_entity entity, const kith_type *type,
                     const void *value)
{
    return change_set_type(world, "kith_set", entity, type, value);
}

kith_result ki_world_set(kith_world *world, const char *call, kith_entity entity,
                         const kith_type *type, const void *value)
{
    return change_set_type(world, call, entity, type, value);
}

static inline kith_result change_ensure(kith_world *world, kith_entity entity,
                                        ki_component *component)
{
    ki_store *store = &world->store;
    ki_record *record = ki_record_of(&store->entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return ki_world_dead(world, "kith_add", entity);
    }
    uint32_t row;
    return ki_locate(store, component, entity.index1 - 1, record, &row) != NULL
               ? KITH_OK
               : change_add(world, "kith_add", entity, record, component, NULL);
}

static KI_NOINLINE kith_result change_ensure_slow(kith_world *world, kith_entity entity,
                                                  const kith_type *type)
{
    KI_TRY(ki_world_require_owner(world, "kith_add"));
    ki_component *component;
    KI_TRY(change_use(world, "kith_add", entity, type, &component));
    return change_ensure(world, entity, component);
}

kith_result kith_add(kith_world *world, kith_entity entity, const kith_type *type)
{
    ki_component *component = ki_world_known(world, type);
    return KI_LIKELY(component != NULL) ? change_ensure(world, entity, component)
                                        : change_ensure_slow(world, entity, type);
}

kith_result kith_set_bytes(kith_world *world, kith_entity entity, const kith_type *type,
                           const void *bytes, size_t size)
{
    KI_TRY(ki_world_require_owner(world, "kith_set_bytes"));
    ki_component *component;
    if (type == NULL) {
        return ki_fail(&world->store.context, KITH_ERR_UNKNOWN, "kith_set_bytes: the type is NULL");
    }
    KI_TRY(change_use(world, "kith_set_bytes", entity, type, &component));
    KI_TRY(ki_world_check_bytes(world, "kith_set_bytes", component, bytes, size));
    return change_set(world, "kith_set_bytes", entity, component, bytes);
}

/* Removes a relation. Without its parent, an entity has other siblings. */
static KI_NOINLINE kith_result change_remove_relation(kith_world *world, kith_entity entity,
                                                      ki_component *component)
{
    ki_store *store = &world->store;
    uint32_t index = entity.index1 - 1;
    ki_link_changes links;
    ki_link_changes_begin(&links, store, &store->context.heap);
    kith_result result = KITH_OK;
    if (ki_relation_link(component->relation, index).target1 != 0) {
        result = ki_entity_names_reserve(world, component, 1);
    }
    result = result == KITH_OK ? ki_link_changes_cut(&links, component, index) : result;
    if (result == KITH_OK && component->relation == store->child_of) {
        result = ki_entity_name_guard(world, "kith_remove", entity);
    }
    if (result == KITH_OK) {
        result =
            ki_transition_remove(store, entity, ki_record_at(&store->entities, index), component);
    }
    return ki_link_changes_end(&links, result);
}

static inline kith_result change_remove(kith_world *world, kith_entity entity,
                                        ki_component *component)
{
    ki_store *store = &world->store;
    ki_record *record = ki_record_of(&store->entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return ki_world_dead(world, "kith_remove", entity);
    }
    return KI_UNLIKELY(component->relation != NULL)
               ? change_remove_relation(world, entity, component)
               : ki_transition_remove(store, entity, record, component);
}

static KI_NOINLINE kith_result change_remove_slow(kith_world *world, kith_entity entity,
                                                  const kith_type *type)
{
    KI_TRY(ki_world_begin_change(world, "kith_remove"));
    ki_component *component;
    KI_TRY(ki_world_look_up_of(world, "kith_remove", entity, type, &component));
    return change_remove(world, entity, component);
}

kith_result kith_remove(kith_world *world, kith_entity entity, const kith_type *type)
{
    ki_component *component = ki_world_known(world, type);
    return KI_LIKELY(component != NULL && ki_world_is_unlocked(world))
               ? change_remove(world, entity, component)
               : change_remove_slow(world, entity, type);
}

kith_result kith_remove_all(kith_world *world, kith_entity entity)
{
    KI_TRY(ki_world_begin_change(world, "kith_remove_all"));
    ki_store *store = &world->store;
    const ki_record *record = ki_record_of(&store->entities, entity);
    if (record == NULL) {
        return ki_world_dead(world, "kith_remove_all", entity);
    }
    ki_link_changes links;
    ki_link_changes_begin(&links, store, &store->context.heap);
    kith_result result = ki_link_changes_cut_all(&links, entity.index1 - 1);
    result = result == KITH_OK ? ki_transition_clear(store, entity, record) : result;
    return ki_link_changes_end(&links, result);
}
