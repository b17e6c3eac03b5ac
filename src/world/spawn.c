/* Makes entities. KI_NOINLINE keeps the usual case of a call without a stack frame: without it,
 * the row create of the bench takes 12 % more; and without KI_LIKELY, create-two 3 %. */
#include "store/table_logs.h"
#include "store/transition.h"
#include "world/first_use.h"
#include "world/guard.h"
#include "world/staged.h"

/* ---- Making ---------------------------------------------------------------------------------- */

/* Reserves what `count` new entities need of a component of another layout than KITH_TABLE. They
 * take the slots of the free list first, then new ones. */
static kith_result spawn_reserve_other(ki_store *store, ki_component *component, uint32_t count)
{
    ki_column_context *columns = &store->columns;
    ki_entities *entities = &store->entities;
    KI_TRY(ki_storage_reserve_rows(columns, component, count));
    uint32_t free_index1 = entities->free_head;
    for (; free_index1 != 0 && count > 0; count--) {
        KI_TRY(ki_storage_reserve_index(columns, entities, component, free_index1 - 1));
        free_index1 = ki_record_at(entities, free_index1 - 1)->row;
    }
    return ki_storage_reserve_slots(columns, entities, component, entities->slots, count);
}

/* Reserves `count` slots, and rows in a table. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
static inline kith_result spawn_reserve_rows(ki_store *store, ki_table *table, uint32_t count)
{
    KI_TRY(ki_entities_reserve(&store->columns, &store->entities, count));
    KI_TRY(ki_rows_reserve(&store->columns, &table->rows, count));
    return ki_table_logs_reserve(store, NULL, table, count);
}

/* Reserves all that one entity of a bundle needs, in all layouts. */
static kith_result spawn_reserve_one(ki_store *store, const ki_bundle *bundle)
{
    KI_TRY(spawn_reserve_rows(store, bundle->table, 1));
    uint32_t index = ki_entities_next(&store->entities);
    for (uint32_t i = 0; bundle->storage_count != 0 && i < bundle->count; i++) {
        if (bundle->entries[i].column == NULL) {
            KI_TRY(ki_storage_reserve(&store->columns, &store->entities,
                                      bundle->entries[i].component, index));
        }
    }
    return KITH_OK;
}

/* Reserves all that `count` entities of a bundle need. */
static kith_result spawn_reserve(ki_store *store, const ki_bundle *bundle, uint32_t count)
{
    KI_TRY(spawn_reserve_rows(store, bundle->table, count));
    for (uint32_t i = 0; bundle->storage_count != 0 && i < bundle->count; i++) {
        if (bundle->entries[i].column == NULL) {
            KI_TRY(spawn_reserve_other(store, bundle->entries[i].component, count));
        }
    }
    return KITH_OK;
}

/* Whether a slot and a row are ready without a reservation, in a table of simple rows. */
static inline bool spawn_is_ready(const ki_store *store, const ki_table *table)
{
    return ki_entities_is_ready(&store->columns, &store->entities) &&
           ki_rows_has_room(&store->columns, &table->rows);
}

/* Takes a reserved slot and row, in a table without tracked components. */
static inline kith_entity spawn_take_untracked(ki_store *store, ki_table *table)
{
    kith_entity entity = ki_entities_take(&store->entities, table->id, table->rows.count);
    ki_rows_append(&table->rows, entity);
    return entity;
}

/* Takes a reserved slot and row. */
static kith_entity spawn_take(ki_store *store, ki_table *table)
{
    kith_entity entity = spawn_take_untracked(store, table);
    ki_table_logs_append(store, NULL, table, &entity, NULL, 1);
    return entity;
}

/* Makes an entity by a bundle. Staged values are moved out. */
static kith_result spawn_one(ki_store *store, const ki_bundle *bundle, const kith_value *values,
                             kith_entity *spawned)
{
    KI_TRY(spawn_reserve_one(store, bundle));
    uint32_t row = bundle->table->rows.count;
    kith_entity entity = spawn_take(store, bundle->table);
    for (uint32_t i = 0; i < bundle->count; i++) {
        const ki_bundle_entry *entry = &bundle->entries[i];
        if (KI_LIKELY(entry->column != NULL)) {
            ki_column_write(entry->column, row, values[i].data);
        } else {
            ki_storage_insert(&store->entities, entry->component, entity, values[i].data);
        }
    }
    *spawned = entity;
    return KITH_OK;
}

static kith_result spawn_hooked(kith_world *world, const ki_bundle *bundle,
                                const kith_value *values, kith_entity *spawned)
{
    ki_staged staged = {.world = world, .call = "kith_spawn"};
    kith_result result = ki_staged_copy(&staged, bundle->entries, bundle->count, &values);
    if (result == KITH_OK) {
        result = spawn_one(&world->store, bundle, values, spawned);
    }
    ki_staged_end(&staged, result);
    return result;
}

/* Makes an entity by the bundle that was used last, if the bundle fits, all of its components are in
 * a simple table, and a row is ready. False: nothing was done. */
static inline bool spawn_at_once(kith_world *world, const kith_value *values, uint32_t count,
                                 kith_entity *spawned)
{
    if (KI_UNLIKELY(!ki_world_may_change(world) || values == NULL)) {
        return false;
    }
    const ki_bundle *bundle = world->last_bundle;
    ki_table *table = bundle->table;
    if (KI_UNLIKELY(!ki_bundle_fits(world, bundle, &values->type, sizeof *values, count) ||
                    !bundle->simple || table->logged != 0 ||
                    !spawn_is_ready(&world->store, table))) {
        return false;
    }
    uint32_t row = table->rows.count;
    *spawned = spawn_take_untracked(&world->store, table);
    const ki_bundle_entry *entry = bundle->entries;
    for (const kith_value *end = values + count; values < end; values++, entry++) {
        const ki_column *column = entry->column;
        if (KI_LIKELY(column->size != 0)) {
            ki_write_small(ki_column_at_small(column, row), values->data, column->size);
        }
    }
    return true;
}

/* spawn_one for values with or without hooks. */
static kith_result spawn_whole(kith_world *world, const ki_bundle *bundle, const kith_value *values,
                               kith_entity *spawned)
{
    return bundle->hooked ? spawn_hooked(world, bundle, values, spawned)
                          : spawn_one(&world->store, bundle, values, spawned);
}

/* The same where components are guarded. */
static kith_result spawn_guarded(kith_world *world, const ki_bundle *bundle,
                                 const kith_value *values, kith_entity *spawned)
{
    const uint32_t begin = ki_link_changes_begin(&world->store);
    kith_entity next = ki_world_next_entity(world);
    kith_result result = ki_guard_values(world, "kith_spawn", next, bundle->entries, values,
                                         bundle->count);
    result = result == KITH_OK ? spawn_whole(world, bundle, values, spawned) : result;
    return ki_link_changes_end(&world->store, begin, result);
}

/* kith_spawn in all cases. */
static KI_NOINLINE kith_result spawn(kith_world *world, const kith_value *values, uint32_t count,
                                     kith_entity *spawned)
{
    KI_TRY(ki_world_begin_change(world, "kith_spawn"));
    if (KI_CHECKED && values == NULL && count != 0) {
        return ki_misuse(&world->store.context, "kith_spawn: %u values, but their address is NULL",
                         count);
    }
    if (KI_CHECKED && spawned == NULL) {
        return ki_misuse(&world->store.context, "kith_spawn: there is no place for the new handle");
    }
    ki_bundle own = {0};
    const kith_type *const *types = count == 0 ? NULL : &values->type;
    const ki_bundle *bundle = ki_bundle_cached(world, types, sizeof *values, count);
    kith_result result = bundle != NULL ? KITH_OK
                                        : ki_bundle_make(world, "kith_spawn", types, sizeof *values,
                                                         count, &own, &bundle);
    if (result == KITH_OK) {
        result = bundle->guarded ? spawn_guarded(world, bundle, values, spawned)
                                 : spawn_whole(world, bundle, values, spawned);
    }
    ki_bundle_free(world, &own);
    return result;
}

kith_result kith_spawn(kith_world *world, const kith_value *values, uint32_t value_count,
                       kith_entity *entity)
{
    return KI_LIKELY(entity != NULL && spawn_at_once(world, values, value_count, entity))
               ? KITH_OK
               : spawn(world, values, value_count, entity);
}

static KI_NOINLINE kith_entity spawn_or_none(kith_world *world, const kith_value *values,
                                             uint32_t value_count)
{
    kith_entity entity;
    return spawn(world, values, value_count, &entity) == KITH_OK ? entity : KITH_NONE;
}

kith_entity kith_spawn_or_none(kith_world *world, const kith_value *values, uint32_t value_count)
{
    kith_entity entity;
    return KI_LIKELY(spawn_at_once(world, values, value_count, &entity))
               ? entity
               : spawn_or_none(world, values, value_count);
}

static KI_NOINLINE kith_entity spawn_empty(kith_world *world)
{
    if (ki_world_begin_change(world, "kith_spawn_empty") != KITH_OK) {
        return KITH_NONE;
    }
    ki_store *store = &world->store;
    return spawn_reserve_rows(store, store->root, 1) == KITH_OK ? spawn_take(store, store->root)
                                                                : KITH_NONE;
}

kith_entity kith_spawn_empty(kith_world *world)
{
    if (KI_UNLIKELY(!ki_world_may_change(world) ||
                    !spawn_is_ready(&world->store, world->store.root))) {
        return spawn_empty(world);
    }
    return spawn_take_untracked(&world->store, world->store.root);
}

/* ---- Making many ------------------------------------------------------------------------------ */

/* Takes up to `count` entities into rows of one block, new slots in a run, and returns how many. */
static uint32_t spawn_take_run(ki_store *store, ki_table *table, uint32_t count)
{
    ki_entities *entities = &store->entities;
    if (entities->free_head != 0) {
        spawn_take(store, table);
        return 1;
    }
    uint32_t index = entities->slots;
    uint32_t row = table->rows.count;
    count = ki_min_u32(count, KI_BLOCK_ROWS_MAX - index % KI_BLOCK_ROWS_MAX);
    count = ki_min_u32(count, KI_BLOCK_ROWS_MAX - row % KI_BLOCK_ROWS_MAX);
    ki_record *restrict records = ki_record_at(entities, index);
    kith_entity *restrict handles = KI_COLUMN_AT(kith_entity, &table->rows.entities, row);
    for (uint32_t i = 0; i < count; i++) {
        records[i] = (ki_record){.generation = 0, .table = table->id, .row = row + i};
        handles[i] = (kith_entity){index + i + 1, 0};
    }
    entities->slots += count;
    table->rows.count += count;
    ki_table_logs_append(store, NULL, table, handles, NULL, count);
    return count;
}

static void spawn_write_storages(ki_store *store, ki_component *component, const ki_table *table,
                                 uint32_t first, uint32_t count, const kith_values *values)
{
    const uint8_t *data = values->data;
    size_t stride = values->each && data != NULL ? component->type->size : 0;
    while (count > 0) {
        uint32_t step = ki_column_run(&table->rows.entities, first, count);
        ki_storage_put(&store->entities, component,
                       KI_COLUMN_AT(const kith_entity, &table->rows.entities, first), step, false,
                       data, stride, false);
        data = data == NULL ? NULL : data + step * stride;
        first += step;
        count -= step;
    }
}

/* Makes many entities by a bundle. Staged values are moved out. */
static kith_result spawn_many_planned(ki_store *store, const ki_bundle *bundle, uint32_t count,
                                      const kith_values *values, uint32_t value_count,
                                      kith_entity *entities)
{
    ki_table *table = bundle->table;
    KI_TRY(spawn_reserve(store, bundle, count));
    uint32_t first = table->rows.count;
    for (uint32_t done = 0; done < count;) {
        uint32_t step = spawn_take_run(store, table, count - done);
        if (entities != NULL) {
            memcpy(entities + done, KI_COLUMN_AT(kith_entity, &table->rows.entities, first + done),
                   step * sizeof *entities);
        }
        done += step;
    }
    for (uint32_t i = 0; i < value_count; i++) {
        const ki_bundle_entry *entry = &bundle->entries[i];
        if (entry->column != NULL) {
            ki_column_write_rows(entry->column, first, count, values[i].data,
                                 values[i].each ? entry->column->size : 0);
        } else {
            spawn_write_storages(store, entry->component, table, first, count, &values[i]);
        }
    }
    return KITH_OK;
}

static kith_result spawn_many_hooked(kith_world *world, const ki_bundle *bundle, uint32_t count,
                                     const kith_values *values, uint32_t value_count,
                                     kith_entity *entities)
{
    ki_staged staged = {.world = world, .call = "kith_spawn_many"};
    kith_values *copied =
        ki_staged_alloc(&staged, value_count * sizeof *copied, _Alignof(kith_values));
    kith_result result = copied == NULL ? KITH_ERR_MEMORY : KITH_OK;
    for (uint32_t i = 0; i < value_count && result == KITH_OK; i++) {
        copied[i] = values[i];
        if (bundle->entries[i].component->hooks != NULL) {
            void *made = NULL;
            result = ki_staged_make(&staged, bundle->entries[i].component, values[i].data, count,
                                    !values[i].each, &made);
            copied[i].data = made;
            copied[i].each = true;
        }
    }
    if (result == KITH_OK) {
        result = spawn_many_planned(&world->store, bundle, count, copied, value_count, entities);
    }
    ki_staged_end(&staged, result);
    return result;
}

/* The value of one of many entities. */
static const void *spawn_many_value(const kith_values *values, const ki_component *component,
                                    uint32_t i)
{
    size_t stride = values->each ? component->type->size : 0;
    return values->data == NULL ? NULL : (const uint8_t *)values->data + i * stride;
}

/* Checks the unique keys among the values of a component, and makes room for them. */
static kith_result spawn_many_claim_one(ki_key_claims *claims, ki_component *component,
                                        uint32_t count, const kith_values *values)
{
    KI_TRY(ki_key_claims_reserve(claims, component, count));
    kith_entity made = ki_world_next_entity(claims->world);
    for (uint32_t k = 0; k < count; k++) {
        const void *value = spawn_many_value(values, component, k);
        KI_TRY(ki_key_claims_add(claims, component, (kith_entity){0, k + 1}, made.index1 - 1,
                                 value));
        made = ki_world_entity_after(claims->world, made);
    }
    return KITH_OK;
}

/* The same for all components, once the entities are linked. */
static kith_result spawn_many_claim(ki_key_claims *claims, const ki_bundle *bundle, uint32_t count,
                                    const kith_values *values)
{
    for (uint32_t i = 0; i < bundle->count; i++) {
        ki_component *component = bundle->entries[i].component;
        KI_TRY(component->unique == NULL
                   ? KITH_OK
                   : spawn_many_claim_one(claims, component, count, &values[i]));
    }
    return KITH_OK;
}

/* Links the entities that are about to be made. */
static kith_result spawn_many_link(kith_world *world, const ki_bundle *bundle, uint32_t count,
                                   const kith_values *values)
{
    for (uint32_t i = 0; i < bundle->count; i++) {
        if (bundle->entries[i].component == world->store.entity_names) {
            KI_TRY(ki_entity_names_reserve(world, bundle->entries[i].component, count));
        }
    }
    kith_entity made = ki_world_next_entity(world);
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t i = 0; i < bundle->count; i++) {
            ki_component *component = bundle->entries[i].component;
            if (component->relation != NULL) {
                KI_TRY(ki_relation_guard(world, "kith_spawn_many", component, made,
                                         spawn_many_value(&values[i], component, k)));
            }
        }
        made = ki_world_entity_after(world, made);
    }
    return KITH_OK;
}

static kith_result spawn_many_whole(kith_world *world, const ki_bundle *bundle, uint32_t count,
                                    const kith_values *values, uint32_t value_count,
                                    kith_entity *entities)
{
    return KI_UNLIKELY(bundle->hooked)
               ? spawn_many_hooked(world, bundle, count, values, value_count, entities)
               : spawn_many_planned(&world->store, bundle, count, values, value_count, entities);
}

/* The same where components are guarded. */
static kith_result spawn_many_guarded(kith_world *world, const ki_bundle *bundle, uint32_t count,
                                      const kith_values *values, uint32_t value_count,
                                      kith_entity *entities)
{
    ki_key_claims claims;
    ki_key_claims_init(&claims, world, "kith_spawn_many", &world->store.context);
    const uint32_t begin = ki_link_changes_begin(&world->store);
    kith_result result = spawn_many_link(world, bundle, count, values);
    result = result == KITH_OK ? spawn_many_claim(&claims, bundle, count, values) : result;
    result = result == KITH_OK
                 ? spawn_many_whole(world, bundle, count, values, value_count, entities)
                 : result;
    if (result == KITH_OK) {
        ki_key_claims_settle(&claims);
    }
    ki_key_claims_free(&claims);
    return ki_link_changes_end(&world->store, begin, result);
}

static kith_result spawn_many(kith_world *world, uint32_t count, const kith_values *values,
                              uint32_t value_count, ki_bundle *own, kith_entity *entities)
{
    const kith_type *const *types = value_count == 0 ? NULL : &values->type;
    const ki_bundle *bundle = ki_bundle_cached(world, types, sizeof *values, value_count);
    if (bundle == NULL) {
        KI_TRY(ki_bundle_make(world, "kith_spawn_many", types, sizeof *values, value_count, own,
                              &bundle));
    }
    return KI_UNLIKELY(bundle->guarded)
               ? spawn_many_guarded(world, bundle, count, values, value_count, entities)
               : spawn_many_whole(world, bundle, count, values, value_count, entities);
}

kith_result kith_spawn_many(kith_world *world, uint32_t count, const kith_values *values,
                            uint32_t value_count, kith_entity *entities)
{
    KI_TRY(ki_world_begin_change(world, "kith_spawn_many"));
    if (KI_CHECKED && values == NULL && value_count != 0) {
        return ki_misuse(&world->store.context,
                         "kith_spawn_many: %u values, but their address is NULL", value_count);
    }
    ki_bundle own = {0};
    kith_result result = spawn_many(world, count, values, value_count, &own, entities);
    ki_bundle_free(world, &own);
    if (result == KITH_ERR_MEMORY) {
        /* The next call may need the memory that was reserved for many entities. */
        ki_store_trim(&world->store);
    }
    return result;
}
