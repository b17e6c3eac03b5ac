/* Adds, sets and removes components of one entity. KI_NOINLINE keeps the usual case of a call without a
 * stack frame: without it, the rows add-remove and tag of the bench take 5 to 10 % more; without
 * KI_LIKELY, add-remove 2 to 7 % and observer 11 %. */
#include "world/change.h"

#include "store/transition.h"
#include "store/write_log.h"
#include "world/guard.h"
#include "world/staged.h"

/* Moves a value that was staged to a living entity. */
static kith_result change_put(ki_store *store, kith_entity entity, ki_component *component,
                              void *made)
{
    uint32_t index = entity.index1 - 1;
    void *to;
    kith_result result =
        ki_store_mark_value(store, component, index, ki_record_at(&store->entities, index), &to);
    if (result == KITH_ERR_ABSENT) {
        return ki_transition_add(store, entity, ki_record_at(&store->entities, index), component,
                                 made);
    }
    if (result == KITH_OK) {
        ki_hooks_replace(component->hooks, to, made);
    }
    return result;
}

/* Makes the value that a living entity has ready to be written, or only notes whose it is instead of
 * marking all of its block. */
static inline kith_result change_mark(ki_store *store, ki_component *component, uint32_t index,
                                      ki_column *column, uint32_t row)
{
    if (KI_UNLIKELY(column->size == 0)) {
        void *to;
        return ki_store_mark_value(store, component, index,
                                   ki_record_at(&store->entities, index), &to);
    }
    return (component->write_log != NULL &&
            ki_write_log_note(&store->columns, component->write_log,
                              &column->blocks[row >> column->shift], index)) ||
                   ki_column_mark(&store->columns, column, row)
               ? KITH_OK
               : KITH_ERR_MEMORY;
}

/* Overwrites the value in a row of a column with plain bytes. */
static inline kith_result change_overwrite_plain(ki_store *store, ki_component *component,
                                                 uint32_t index, const void *value,
                                                 ki_column *column, uint32_t row)
{
    KI_TRY(change_mark(store, component, index, column, row));
    ki_column_write(column, row, value);
    return KITH_OK;
}

/* Adds a component that a living entity lacks, where it is not known that the structure may change. */
static KI_NOINLINE kith_result change_add_slow(kith_world *world, const char *call,
                                               kith_entity entity, ki_component *component,
                                               const void *value)
{
    KI_TRY(ki_world_begin_change(world, call));
    return ki_transition_add(&world->store, entity,
                             ki_record_at(&world->store.entities, entity.index1 - 1), component,
                             value);
}

static inline kith_result change_add(kith_world *world, const char *call, kith_entity entity,
                                     ki_record *record, ki_component *component, const void *value)
{
    return KI_LIKELY(ki_world_is_unlocked(world))
               ? ki_transition_add(&world->store, entity, record, component, value)
               : change_add_slow(world, call, entity, component, value);
}

/* Overwrites the value that a living entity has. */
static KI_NOINLINE kith_result change_overwrite_slow(kith_world *world, const char *call,
                                                     kith_entity entity, ki_component *component,
                                                     const void *value)
{
    ki_store *store = &world->store;
    uint32_t index = entity.index1 - 1;
    uint32_t row;
    KI_TRY(ki_world_require_written(world, call));
    ki_column *column =
        ki_locate(store, component, index, ki_record_at(&store->entities, index), &row);
    return change_overwrite_plain(store, component, index, value, column, row);
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

/* Sets a component with hooks of a living entity. NULL is what `init` makes. */
static kith_result change_set_hooked(kith_world *world, const char *call, kith_entity entity,
                                     ki_component *component, const void *value)
{
    ki_staged staged = {.world = world, .call = call};
    void *made;
    kith_result result = ki_staged_make(&staged, component, value, 1, false, &made);
    if (result == KITH_OK) {
        result = change_put(&world->store, entity, component, made);
    }
    ki_staged_end(&staged, result);
    return result;
}

/* change_set_plain for a component of another layout than KITH_TABLE. */
static KI_NOINLINE kith_result change_set_other(kith_world *world, const char *call,
                                                kith_entity entity, ki_component *component,
                                                const void *value)
{
    uint32_t row;
    ki_column *column = ki_storage_locate(component, entity.index1 - 1, &row);
    return column == NULL ? change_add(world, call, entity, NULL, component, value)
                          : change_overwrite(world, call, entity, component, value, column, row);
}

/* Sets a component of a living entity to plain bytes. */
static inline kith_result change_set_plain(kith_world *world, const char *call, kith_entity entity,
                                           ki_record *record, ki_component *component,
                                           const void *value)
{
    if (component->layout != KITH_TABLE) {
        return change_set_other(world, call, entity, component, value);
    }
    ki_column *column = ki_table_column(world->store.tables[record->table], component->id);
    return column == NULL
               ? change_add(world, call, entity, record, component, value)
               : change_overwrite(world, call, entity, component, value, column, record->row);
}

/* Makes sure that a guarded component, or one with hooks, of a living entity may be set: to add it is a
 * change of structure, and so is another target of a relation. */
static inline kith_result change_begin_set(kith_world *world, const char *call, kith_entity entity,
                                           const ki_record *record, const ki_component *component)
{
    uint32_t row;
    return component->relation != NULL ||
                   ki_locate(&world->store, component, entity.index1 - 1, record, &row) == NULL
               ? ki_world_begin_change(world, call)
               : ki_world_require_written(world, call);
}

kith_result ki_world_set_checked(kith_world *world, const char *call, kith_entity entity,
                                 ki_component *component, const void *value)
{
    ki_store *store = &world->store;
    ki_record *record = ki_record_of(&store->entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return ki_world_dead(world, call, entity);
    }
    KI_TRY(change_begin_set(world, call, entity, record, component));
    if (component->hooks != NULL) {
        return change_set_hooked(world, call, entity, component, value);
    }
    const uint32_t begin = ki_link_changes_begin(store);
    kith_result result = ki_guard_value(world, call, component, entity, value);
    if (result == KITH_OK) {
        result = change_set_plain(world, call, entity, record, component, value);
    }
    return ki_link_changes_end(store, begin, result);
}

/* Sets a component of an entity, for the world's owner. */
static inline kith_result change_set(kith_world *world, const char *call, kith_entity entity,
                                     ki_component *component, const void *value)
{
    if (KI_UNLIKELY(component->checked)) {
        return ki_world_set_checked(world, call, entity, component, value);
    }
    ki_record *record = ki_record_of(&world->store.entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return ki_world_dead(world, call, entity);
    }
    return change_set_plain(world, call, entity, record, component, value);
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

kith_result ki_world_set_slow(kith_world *world, const char *call, kith_entity entity,
                              const kith_type *type, const void *value)
{
    KI_TRY(ki_world_require_owner(world, call));
    ki_component *component;
    KI_TRY(change_use(world, call, entity, type, &component));
    return change_set(world, call, entity, component, value);
}

kith_result kith_set(kith_world *world, kith_entity entity, const kith_type *type,
                     const void *value)
{
    ki_component *component = ki_world_known(world, type);
    return KI_LIKELY(component != NULL)
               ? change_set(world, "kith_set", entity, component, value)
               : ki_world_set_slow(world, "kith_set", entity, type, value);
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
    if (ki_locate(store, component, entity.index1 - 1, record, &row) != NULL) {
        return KITH_OK;
    }
    return component->checked ? ki_world_set_checked(world, "kith_add", entity, component, NULL)
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
    const uint32_t begin = ki_link_changes_begin(store);
    kith_result result = KITH_OK;
    if (ki_relation_link(component->relation, index).target1 != 0) {
        result = ki_entity_names_reserve(world, component, 1);
    }
    result = result == KITH_OK ? ki_link_changes_cut(store, component, index) : result;
    if (result == KITH_OK && component->relation == store->child_of) {
        result = ki_entity_name_guard(world, "kith_remove", entity);
    }
    if (result == KITH_OK) {
        result =
            ki_transition_remove(store, entity, ki_record_at(&store->entities, index), component);
    }
    return ki_link_changes_end(store, begin, result);
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
    const uint32_t begin = ki_link_changes_begin(store);
    kith_result result = ki_link_changes_cut_all(store, entity.index1 - 1);
    result = result == KITH_OK ? ki_transition_clear(store, entity, record) : result;
    return ki_link_changes_end(store, begin, result);
}
