/* Clones an entity: another one with the same values. */
#include "store/table_logs.h"
#include "store/transition.h"
#include "world/first_use.h"
#include "world/guard.h"
#include "world/staged.h"

/* Copies the values with hooks of an entity, in the order in which clone_one takes them. */
static kith_result clone_stage(ki_store *store, uint32_t index, ki_staged *staged)
{
    const ki_record *record = ki_record_at(&store->entities, index);
    const ki_table *table = store->tables[record->table];
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        if (table->rows.columns[i].hooks != NULL) {
            KI_TRY(ki_staged_clone(staged, ki_store_component(store, table->ids[i]),
                                   ki_column_at(&table->rows.columns[i], record->row)));
        }
    }
    for (ki_component *other = ki_storages_next(store, index, 0); other != NULL;
         other = ki_storages_next(store, index, other->other + 1)) {
        if (other->hooks != NULL) {
            KI_TRY(ki_staged_clone(staged, other, ki_store_value(store, other, index, record)));
        }
    }
    return KITH_OK;
}

/* The next component of another layout that a clone of an entity gets; NULL: there is none. It
 * would have the name that its source has among the same siblings. */
static ki_component *clone_next(const ki_store *store, uint32_t index, uint32_t from)
{
    ki_component *other = ki_storages_next(store, index, from);
    return other != NULL && other == store->entity_names
               ? ki_storages_next(store, index, other->other + 1)
               : other;
}

/* Makes the clone. Values with hooks are staged, in `staged`, which is NULL if no type has hooks. */
static kith_result clone_one(ki_store *store, uint32_t index, ki_staged *staged,
                               kith_entity *clone)
{
    ki_table *table = store->tables[ki_record_at(&store->entities, index)->table];
    uint32_t next = ki_entities_next(&store->entities);
    KI_TRY(ki_entities_reserve(&store->columns, &store->entities, 1));
    KI_TRY(ki_rows_reserve(&store->columns, &table->rows, 1));
    KI_TRY(ki_table_logs_reserve(store, NULL, table, 1));
    for (ki_component *other = clone_next(store, index, 0); other != NULL;
         other = clone_next(store, index, other->other + 1)) {
        KI_TRY(ki_storage_reserve(&store->columns, &store->entities, other, next));
    }
    uint32_t from = ki_record_at(&store->entities, index)->row;
    uint32_t row = table->rows.count;
    kith_entity made = ki_entities_take(&store->entities, table->id, row);
    ki_rows_append(&table->rows, made);
    ki_table_logs_append(store, NULL, table, &made, NULL, 1);
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        ki_column *column = &table->rows.columns[i];
        if (staged != NULL && column->hooks != NULL) {
            ki_column_write(column, row, ki_staged_next(staged));
        } else {
            ki_column_copy(column, row, column, from);
        }
    }
    const ki_record *record = ki_record_at(&store->entities, index);
    for (ki_component *other = clone_next(store, index, 0); other != NULL;
         other = clone_next(store, index, other->other + 1)) {
        ki_storage_insert(&store->entities, other, made,
                          staged != NULL && other->hooks != NULL
                              ? ki_staged_next(staged)
                              : ki_store_value(store, other, index, record));
    }
    *clone = made;
    return KITH_OK;
}

static kith_result clone_one_hooked(kith_world *world, uint32_t index, kith_entity *clone)
{
    ki_staged staged = {.world = world, .call = "kith_clone"};
    kith_result result = clone_stage(&world->store, index, &staged);
    if (result == KITH_OK) {
        result = clone_one(&world->store, index, &staged, clone);
    }
    ki_staged_end(&staged, result);
    return result;
}

/* A clone of an entity with a unique key would have the same, except for its name, which it does
 * not get. One of a source has the same target. */
static kith_result clone_guard(kith_world *world, kith_entity entity)
{
    ki_store *store = &world->store;
    const uint32_t index = entity.index1 - 1;
    const ki_record *record = ki_record_at(&store->entities, index);
    const ki_table *table = store->tables[record->table];
    const kith_entity next = ki_world_next_entity(world);
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        ki_component *component = ki_store_component(store, table->ids[i]);
        if (component->guarded && component != store->entity_names) {
            KI_TRY(ki_guard_value(world, "kith_clone", component, next,
                                  ki_column_at(&table->rows.columns[i], record->row)));
        }
    }
    for (ki_component *other = ki_storages_next(store, index, 0); other != NULL;
         other = ki_storages_next(store, index, other->other + 1)) {
        if (other->guarded && other != store->entity_names) {
            KI_TRY(ki_guard_value(world, "kith_clone", other, next,
                                  ki_store_value(store, other, index, record)));
        }
    }
    return KITH_OK;
}

static kith_result clone_whole(kith_world *world, uint32_t index, kith_entity *clone)
{
    return world->store.hooked ? clone_one_hooked(world, index, clone)
                               : clone_one(&world->store, index, NULL, clone);
}

kith_result kith_clone(kith_world *world, kith_entity entity, kith_entity *clone)
{
    KI_TRY(ki_world_begin_change(world, "kith_clone"));
    if (KI_CHECKED && clone == NULL) {
        return ki_misuse(&world->store.context, "kith_clone: there is no place for the new handle");
    }
    ki_store *store = &world->store;
    if (ki_record_of(&store->entities, entity) == NULL) {
        return ki_world_dead(world, "kith_clone", entity);
    }
    uint32_t index = entity.index1 - 1;
    if (store->unique_count == 0 && store->relation_count == 0) {
        return clone_whole(world, index, clone);
    }
    const uint32_t begin = ki_link_changes_begin(store);
    kith_result result = clone_guard(world, entity);
    result = result == KITH_OK ? clone_whole(world, index, clone) : result;
    return ki_link_changes_end(store, begin, result);
}

kith_entity kith_clone_or_none(kith_world *world, kith_entity entity)
{
    kith_entity clone;
    return kith_clone(world, entity, &clone) == KITH_OK ? clone : KITH_NONE;
}
