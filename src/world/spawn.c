/* Entities come and go. */
#include "world/stage.h"
#include "world/way.h"

/* The slot that the next entity gets. */
static uint32_t spawn_next_index(const ki_store *store)
{
    return store->entities.free_head != 0 ? store->entities.free_head - 1 : store->entities.slots;
}

/* Reserves a new row in `table`; the handle is not taken yet. */
static KI_NOINLINE kith_result spawn_reserve_row(ki_store *store, ki_table *table, uint32_t count)
{
    KI_TRY(ki_entities_reserve(&store->space, &store->entities, count));
    KI_TRY(ki_tracks_reserve(store, NULL, table, count));
    return ki_table_reserve(&store->space, table, count);
}

/* Whether one more row can be written. */
KI_INLINE bool spawn_has_row(const ki_store *store, const ki_table *table)
{
    return KI_LIKELY(ki_table_has_room(table)) && KI_LIKELY(table->ready_stamp == store->space.now);
}

/* Whether all is ready for one more row, but for the slot: nothing has to be touched or noted. */
KI_INLINE bool spawn_row_is_ready(const ki_store *store, const ki_table *table)
{
    return spawn_has_row(store, table) && KI_LIKELY(table->tracked == 0);
}

/* Whether all is ready for one that gets a new slot. */
KI_INLINE bool spawn_is_new(const ki_store *store, const ki_table *table)
{
    return spawn_row_is_ready(store, table) &&
           KI_LIKELY(ki_entities_has_room(&store->space, &store->entities));
}

/* Whether all is ready. */
KI_INLINE bool spawn_is_ready(const ki_store *store, const ki_table *table)
{
    uint32_t waiting = store->entities.free_head;
    return waiting == 0
               ? spawn_is_new(store, table)
               : spawn_row_is_ready(store, table) &&
                     ki_column_is_touched(&store->space, &store->entities.records, waiting - 1);
}

static KI_NOINLINE kith_entity spawn_take(ki_store *store, ki_table *table)
{
    kith_entity entity = ki_entities_take(&store->entities, table->id, table->row_count);
    ki_table_append(table, entity);
    ki_tracks_note(store, NULL, table, &entity, NULL, 1);
    return entity;
}

/* Takes up to `count` entities into rows of one block, new slots in a run, and returns how many. */
static uint32_t spawn_take_run(ki_store *store, ki_table *table, uint32_t count)
{
    ki_entities *entities = &store->entities;
    if (entities->free_head != 0) {
        spawn_take(store, table);
        return 1;
    }
    uint32_t index = entities->slots;
    uint32_t row = table->row_count;
    count = ki_min_u32(count, KI_BLOCK_ROWS_MAX - index % KI_BLOCK_ROWS_MAX);
    count = ki_min_u32(count, KI_BLOCK_ROWS_MAX - row % KI_BLOCK_ROWS_MAX);
    ki_record *restrict records = ki_record_at(entities, index);
    kith_entity *restrict handles = KI_COLUMN_AT(kith_entity, &table->entities, row);
    for (uint32_t i = 0; i < count; i++) {
        records[i] = (ki_record){.generation = 0, .table = table->id, .row = row + i};
        handles[i] = (kith_entity){index + i + 1, 0};
    }
    entities->slots += count;
    table->row_count += count;
    ki_tracks_note(store, NULL, table, handles, NULL, count);
    return count;
}

static KI_NOINLINE kith_result spawn_reserve(ki_store *store, const ki_plan *plan)
{
    KI_TRY(spawn_reserve_row(store, plan->table, 1));
    for (uint32_t i = 0; plan->other_count != 0 && i < plan->count; i++) {
        if (plan->entries[i].column == NULL) {
            KI_TRY(ki_other_reserve(store, plan->entries[i].component, spawn_next_index(store)));
        }
    }
    return KITH_OK;
}

/* Whether all is ready for the values of other layouts, as the row is. */
static inline bool spawn_others_are_ready(const ki_store *store, const ki_plan *plan)
{
    uint32_t index = spawn_next_index(store);
    for (uint32_t i = 0; plan->other_count != 0 && i < plan->count; i++) {
        if (plan->entries[i].column == NULL &&
            !ki_other_is_ready(store, plan->entries[i].component, index)) {
            return false;
        }
    }
    return true;
}

/* Spawns by a plan; `ready` tells that the row is. */
static KI_NOINLINE kith_result spawn_planned(ki_store *store, const ki_plan *plan, bool ready,
                                             const kith_value *values, kith_entity *spawned)
{
    if (!ready || !spawn_others_are_ready(store, plan)) {
        KI_TRY(spawn_reserve(store, plan));
    }
    uint32_t row = plan->table->row_count;
    kith_entity entity = spawn_take(store, plan->table);
    for (uint32_t i = 0; i < plan->count; i++) {
        const ki_plan_entry *entry = &plan->entries[i];
        if (entry->column != NULL) {
            ki_column_write(entry->column, row, values[i].data);
        } else {
            ki_other_insert(store, entry->component, entity, values[i].data);
        }
    }
    ki_put_handle(spawned, entity);
    return KITH_OK;
}

KI_COLD static kith_result spawn_hooked(kith_world *world, const ki_plan *plan,
                                        const kith_value *values, kith_entity *spawned)
{
    ki_stage stage = {.world = world, .call = "kith_spawn"};
    kith_result result = ki_stage_values(&stage, plan->entries, plan->count, &values);
    if (result == KITH_OK) {
        result = spawn_planned(&world->store, plan, false, values, spawned);
    }
    ki_stage_end(&stage, result);
    return result;
}

/* kith_spawn where something is not as usual. */
static KI_NOINLINE kith_result spawn_slow(kith_world *world, const kith_value *values,
                                          uint32_t count, kith_entity *spawned)
{
    KI_RETRY(world, kith_spawn(world, values, count, spawned));
    KI_BEGIN_CHANGE(world, "kith_spawn", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, values != NULL || count == 0, KITH_ERR_MISUSE,
                 "kith_spawn: %u values, but their address is NULL", count);
    KITH_REQUIRE(&world->store.context, spawned != NULL, KITH_ERR_MISUSE,
                 "kith_spawn: there is no place for the new handle");
    const kith_type *const *types = count == 0 ? NULL : &values->type;
    ki_plan own = {0};
    const ki_plan *plan = ki_plan_cached(world, types, sizeof *values, count);
    kith_result result = KITH_OK;
    if (plan == NULL) {
        result = ki_plan_make(world, "kith_spawn", types, sizeof *values, count, &own, &plan);
    }
    if (result == KITH_OK) {
        result = plan->hooked ? spawn_hooked(world, plan, values, spawned)
                              : spawn_planned(&world->store, plan, false, values, spawned);
    }
    ki_plan_free(world, &own);
    return result;
}

/* The plan for these values, if all is as usual, and a row is ready in its table; or NULL. */
KI_INLINE const ki_plan *spawn_usual(const kith_world *world, const kith_value *values,
                                     uint32_t count)
{
    if (KI_UNLIKELY(!ki_world_may_change(world) || values == NULL)) {
        return NULL;
    }
    const ki_plan *plan = world->last_plan;
    return KI_LIKELY(ki_plan_fits(world, plan, &values->type, sizeof *values, count)) &&
                   KI_LIKELY(spawn_is_ready(&world->store, plan->table))
               ? plan
               : NULL;
}

/* Writes a value into a row of a simple table that is ready. */
KI_INLINE void spawn_write(const ki_column *column, uint32_t row, const void *value)
{
    static const uint32_t zeros[KI_FEW_MAX / 4];
    if (KI_LIKELY(column->size != 0)) {
        ki_copy_few((void *)(column->tail + (uintptr_t)row * column->size),
                    value != NULL ? value : zeros, column->size);
    }
}

/* Spawns by a simple plan whose row is ready. */
KI_INLINE kith_entity spawn_simple(ki_store *store, const ki_plan *plan, const kith_value *values)
{
    ki_table *table = plan->table;
    uint32_t row = table->row_count++;
    kith_entity made = ki_entities_take(&store->entities, table->id, row);
    ((kith_entity *)table->entities.tail)[row] = made;
    for (uint32_t i = 0; i < plan->count; i++) {
        spawn_write(plan->entries[i].column, row, values[i].data);
    }
    return made;
}

/* The same by any plan. */
static KI_NOINLINE kith_result spawn_mixed(kith_world *world, const ki_plan *plan,
                                           const kith_value *values, kith_entity *spawned)
{
    return plan->hooked ? spawn_hooked(world, plan, values, spawned)
                        : spawn_planned(&world->store, plan, true, values, spawned);
}

kith_result kith_spawn(kith_world *world, const kith_value *values, uint32_t value_count,
                       kith_entity *entity)
{
    const ki_plan *plan = spawn_usual(world, values, value_count);
    if (KI_UNLIKELY(plan == NULL || entity == NULL)) {
        return spawn_slow(world, values, value_count, entity);
    }
    if (KI_UNLIKELY(!plan->simple)) {
        return spawn_mixed(world, plan, values, entity);
    }
    ki_put_handle(entity, spawn_simple(&world->store, plan, values));
    return KITH_OK;
}

static KI_NOINLINE kith_entity spawn_or_none_slow(kith_world *world, const kith_value *values,
                                                  uint32_t count)
{
    KI_RETRY(world, kith_spawn_or_none(world, values, count));
    const ki_plan *plan = spawn_usual(world, values, count);
    if (KI_LIKELY(plan != NULL && plan->simple)) {
        return spawn_simple(&world->store, plan, values); /* into a slot that came free */
    }
    kith_entity entity = KITH_NONE;
    kith_result result = plan == NULL ? spawn_slow(world, values, count, &entity)
                                      : spawn_mixed(world, plan, values, &entity);
    return result == KITH_OK ? entity : KITH_NONE;
}

/* Takes a new slot and the next row of a table, which are ready. */
KI_INLINE kith_entity spawn_take_new(ki_store *store, ki_table *table)
{
    uint32_t row = table->row_count++;
    kith_entity made = ki_entities_take_ready(&store->entities, table->id, row);
    ki_put_handle((kith_entity *)table->entities.tail + row, made);
    return made;
}

/* The rest of kith_spawn_or_none, from the first value on that is not 8 bytes. */
static KI_NOINLINE kith_entity spawn_or_none_from(kith_world *world, const kith_value *values,
                                                  uint32_t count, uint32_t first)
{
    const ki_plan *plan = world->last_plan;
    ki_table *table = plan->table;
    for (uint32_t i = first; i < count; i++) {
        const ki_plan_entry *entry = &plan->entries[i];
        if (KI_UNLIKELY(ki_plan_number(&values->type, sizeof *values, i) != entry->number)) {
            return spawn_or_none_slow(world, values, count);
        }
        spawn_write(entry->column, table->row_count, values[i].data);
    }
    return spawn_take_new(&world->store, table);
}

/* Makes new slots from values of 8 bytes without a frame, and looks at each value once: what was written
 * behind the last row is nobody's, if the type of another one is not that of the plan. */
kith_entity kith_spawn_or_none(kith_world *world, const kith_value *values, uint32_t value_count)
{
    if (KI_UNLIKELY(!ki_world_may_change(world) || values == NULL)) {
        return spawn_or_none_slow(world, values, value_count);
    }
    const ki_plan *plan = world->last_plan;
    if (KI_UNLIKELY(!plan->simple || plan->count != value_count ||
                    plan->epoch != world->store.table_epoch ||
                    !spawn_is_new(&world->store, plan->table))) {
        return spawn_or_none_slow(world, values, value_count);
    }
    size_t row = plan->table->row_count;
    const ki_plan_entry *entry = plan->entries;
    for (uint32_t i = 0; i < value_count; i++, entry++) {
        const kith_type *type = values[i].type;
        if (KI_UNLIKELY(type == NULL || ki_type_number(type) != entry->number)) {
            return spawn_or_none_slow(world, values, value_count);
        }
        const ki_column *column = entry->column;
        const void *data = values[i].data;
        if (KI_UNLIKELY(column->size != 8 || data == NULL)) {
            return spawn_or_none_from(world, values, value_count, i);
        }
        memcpy((void *)(column->tail + row * 8), data, 8);
    }
    return spawn_take_new(&world->store, plan->table);
}

static KI_NOINLINE kith_entity spawn_empty_slow(kith_world *world)
{
    KI_RETRY(world, kith_spawn_empty(world));
    KI_BEGIN_CHANGE(world, "kith_spawn_empty", KITH_NONE);
    ki_store *store = &world->store;
    ki_table *root = store->root;
    return spawn_is_ready(store, root) || spawn_reserve_row(store, root, 1) == KITH_OK
               ? spawn_take(store, root)
               : KITH_NONE;
}

kith_entity kith_spawn_empty(kith_world *world)
{
    if (KI_UNLIKELY(!ki_world_may_change(world))) {
        return spawn_empty_slow(world);
    }
    ki_store *store = &world->store;
    ki_table *root = store->root;
    return KI_LIKELY(spawn_has_row(store, root) &&
                     ki_entities_has_room(&store->space, &store->entities))
               ? spawn_take_new(store, root)
               : spawn_empty_slow(world);
}

/* Reserves what `count` new entities need of a component of another layout: their slots are those
 * of the free list, then new ones. */
static kith_result spawn_reserve_others(ki_store *store, ki_component *component, uint32_t count)
{
    KI_TRY(ki_other_reserve_rows(store, component, count));
    uint32_t free_index1 = store->entities.free_head;
    for (; free_index1 != 0 && count > 0; count--) {
        KI_TRY(ki_other_reserve_slots(store, component, free_index1 - 1, 1));
        free_index1 = ki_record_at(&store->entities, free_index1 - 1)->row;
    }
    return ki_other_reserve_slots(store, component, store->entities.slots, count);
}

static void spawn_write_others(ki_store *store, ki_component *component, const ki_table *table,
                               uint32_t first, uint32_t count, const kith_values *values)
{
    const uint8_t *data = values->data;
    size_t stride = values->repeat || data == NULL ? 0 : component->type->size;
    while (count > 0) {
        uint32_t step = ki_min_u32(count, KI_BLOCK_ROWS_MAX - first % KI_BLOCK_ROWS_MAX);
        const kith_entity *entities = KI_COLUMN_AT(const kith_entity, &table->entities, first);
        if (KI_LIKELY(component->hooks == NULL)) {
            ki_other_put(store, component, entities, step, data, stride, false);
        }
        for (uint32_t i = component->hooks == NULL ? step : 0; i < step; i++) {
            ki_other_insert(store, component, entities[i], data + i * stride);
        }
        data = data == NULL ? NULL : data + step * stride;
        first += step;
        count -= step;
    }
}

/* Spawns many by a plan; values with hooks are there to be moved. */
static kith_result spawn_many_planned(ki_store *store, const ki_plan *plan, uint32_t count,
                                      const kith_values *values, uint32_t value_count,
                                      kith_entity *entities)
{
    ki_table *table = plan->table;
    KI_TRY(spawn_reserve_row(store, table, count));
    for (uint32_t i = 0; i < value_count; i++) {
        if (plan->entries[i].column == NULL) {
            KI_TRY(spawn_reserve_others(store, plan->entries[i].component, count));
        }
    }
    uint32_t first = table->row_count;
    for (uint32_t done = 0; done < count;) {
        uint32_t step = spawn_take_run(store, table, count - done);
        if (entities != NULL) {
            memcpy(entities + done, KI_COLUMN_AT(kith_entity, &table->entities, first + done),
                   step * sizeof *entities);
        }
        done += step;
    }
    for (uint32_t i = 0; i < value_count; i++) {
        const ki_plan_entry *entry = &plan->entries[i];
        if (entry->column != NULL) {
            ki_column_write_rows(entry->column, first, count, values[i].data, values[i].repeat);
        } else {
            spawn_write_others(store, entry->component, table, first, count, &values[i]);
        }
    }
    return KITH_OK;
}

KI_COLD static kith_result spawn_many_hooked(kith_world *world, const ki_plan *plan, uint32_t count,
                                             const kith_values *values, uint32_t value_count,
                                             kith_entity *entities)
{
    ki_stage stage = {.world = world, .call = "kith_spawn_many"};
    kith_values *staged =
        ki_stage_take(&stage, value_count * sizeof *staged, _Alignof(kith_values));
    kith_result result = staged == NULL ? KITH_ERR_MEMORY : KITH_OK;
    for (uint32_t i = 0; i < value_count && result == KITH_OK; i++) {
        staged[i] = values[i];
        if (plan->entries[i].component->hooks != NULL) {
            void *made = NULL;
            result = ki_stage_make(&stage, plan->entries[i].component, values[i].data, count,
                                   values[i].repeat, &made);
            staged[i].data = made;
            staged[i].repeat = false;
        }
    }
    if (result == KITH_OK) {
        result = spawn_many_planned(&world->store, plan, count, staged, value_count, entities);
    }
    ki_stage_end(&stage, result);
    return result;
}

static kith_result spawn_many(kith_world *world, uint32_t count, const kith_values *values,
                              uint32_t value_count, ki_plan *own, kith_entity *entities)
{
    const kith_type *const *types = value_count == 0 ? NULL : &values->type;
    const ki_plan *plan = ki_plan_cached(world, types, sizeof *values, value_count);
    if (plan == NULL) {
        KI_TRY(
            ki_plan_make(world, "kith_spawn_many", types, sizeof *values, value_count, own, &plan));
    }
    return KI_UNLIKELY(plan->hooked)
               ? spawn_many_hooked(world, plan, count, values, value_count, entities)
               : spawn_many_planned(&world->store, plan, count, values, value_count, entities);
}

kith_result kith_spawn_many(kith_world *world, uint32_t count, const kith_values *values,
                            uint32_t value_count, kith_entity *entities)
{
    KI_BEGIN_CHANGE(world, "kith_spawn_many", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, values != NULL || value_count == 0, KITH_ERR_MISUSE,
                 "kith_spawn_many: %u values, but their address is NULL", value_count);
    ki_plan own = {0};
    kith_result result = spawn_many(world, count, values, value_count, &own, entities);
    ki_plan_free(world, &own);
    if (result == KITH_ERR_MEMORY) {
        /* What was reserved for many entities would be missed by the next call. */
        ki_store_trim(&world->store);
    }
    return result;
}

/* Copies the values with hooks of an entity, in the order in which spawn_clone takes them. */
KI_COLD static kith_result spawn_stage_clone(ki_store *store, uint32_t index, ki_stage *stage)
{
    const ki_record *record = ki_record_at(&store->entities, index);
    const ki_table *table = store->tables[record->table];
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].hooks != NULL) {
            KI_TRY(ki_stage_clone(stage, ki_store_component(store, table->ids[i]),
                                  ki_column_at(&table->columns[i], record->row)));
        }
    }
    for (ki_component *other = ki_others_next(store, index, 0); other != NULL;
         other = ki_others_next(store, index, other->other + 1)) {
        if (other->hooks != NULL) {
            KI_TRY(ki_stage_clone(stage, other, ki_store_value(store, other, index, record)));
        }
    }
    return KITH_OK;
}

/* Makes the clone; values with hooks are in the stage, which is NULL where no type has any. */
static inline kith_result spawn_clone(ki_store *store, uint32_t index, ki_stage *stage,
                                      kith_entity *clone)
{
    ki_table *table = store->tables[ki_record_at(&store->entities, index)->table];
    KI_TRY(spawn_reserve_row(store, table, 1));
    for (ki_component *other = ki_others_next(store, index, 0); other != NULL;
         other = ki_others_next(store, index, other->other + 1)) {
        KI_TRY(ki_other_reserve(store, other, spawn_next_index(store)));
    }
    uint32_t from = ki_record_at(&store->entities, index)->row;
    uint32_t row = table->row_count;
    kith_entity made = spawn_take(store, table);
    for (uint32_t i = 0; i < table->column_count; i++) {
        ki_column *column = &table->columns[i];
        if (stage != NULL && column->hooks != NULL) {
            ki_column_write(column, row, ki_stage_next(stage));
        } else {
            ki_column_copy(column, row, column, from);
        }
    }
    const ki_record *record = ki_record_at(&store->entities, index);
    for (ki_component *other = ki_others_next(store, index, 0); other != NULL;
         other = ki_others_next(store, index, other->other + 1)) {
        ki_other_insert(store, other, made,
                        stage != NULL && other->hooks != NULL
                            ? ki_stage_next(stage)
                            : ki_store_value(store, other, index, record));
    }
    *clone = made;
    return KITH_OK;
}

KI_COLD static kith_result spawn_clone_hooked(kith_world *world, uint32_t index, kith_entity *clone)
{
    ki_stage stage = {.world = world, .call = "kith_clone"};
    kith_result result = spawn_stage_clone(&world->store, index, &stage);
    if (result == KITH_OK) {
        result = spawn_clone(&world->store, index, &stage, clone);
    }
    ki_stage_end(&stage, result);
    return result;
}

kith_result kith_clone(kith_world *world, kith_entity entity, kith_entity *clone)
{
    KI_BEGIN_CHANGE(world, "kith_clone", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, clone != NULL, KITH_ERR_MISUSE,
                 "kith_clone: there is no place for the new handle");
    ki_store *store = &world->store;
    if (ki_record_of(&store->entities, entity) == NULL) {
        return ki_untold(&store->context.heap, KITH_ERR_DEAD);
    }
    uint32_t index = entity.index1 - 1;
    return store->hooked ? spawn_clone_hooked(world, index, clone)
                         : spawn_clone(store, index, NULL, clone);
}

/* Ends a living entity, for which all is ready. */
static kith_result spawn_end_ready(ki_store *store, ki_record *record, kith_entity entity)
{
    uint32_t index = entity.index1 - 1;
    if (ki_lanes_at(&store->entities, index) != 0) {
        ki_others_remove(store, index);
    }
    ki_tracks_note(store, store->tables[record->table], NULL, &entity, &record->row, 1);
    return ki_entity_end(store, record, index);
}

static kith_result spawn_end(ki_store *store, kith_entity entity)
{
    ki_record *record = ki_record_of(&store->entities, entity);
    if (record == NULL) {
        return ki_untold(&store->context.heap, KITH_ERR_DEAD);
    }
    uint32_t index = entity.index1 - 1;
    const ki_table *table = store->tables[record->table];
    if (KI_UNLIKELY(!ki_table_is_unwatched(store, table))) {
        KI_TRY(ki_tracks_reserve(store, table, NULL, 1));
        if (!ki_space_is_unseen(&store->space) &&
            (!ki_row_touch_removal(store, index) ||
             !ki_record_touch(&store->space, &store->entities, index))) {
            return KITH_ERR_MEMORY;
        }
    }
    if (ki_lanes_at(&store->entities, index) != 0 && !ki_others_touch_removal(store, index)) {
        return KITH_ERR_MEMORY;
    }
    record = ki_record_at(&store->entities, index); /* touching may have copied it */
    return spawn_end_ready(store, record, entity);
}

static KI_NOINLINE kith_result spawn_end_slow(kith_world *world, kith_entity entity)
{
    KI_RETRY(world, kith_despawn(world, entity));
    KI_BEGIN_CHANGE(world, "kith_despawn", KITH_ERR_MISUSE);
    return spawn_end(&world->store, entity);
}

/* Ends an entity that may have components of other layouts, while nobody looks at the world or follows
 * what is in it: nothing can fail then. */
static KI_NOINLINE kith_result spawn_end_lanes(kith_world *world, kith_entity entity,
                                               ki_record *record, uint64_t *lanes)
{
    ki_store *store = &world->store;
    if (KI_UNLIKELY(store->track_count != 0 || store->other_count > KI_LANES)) {
        return spawn_end_slow(world, entity);
    }
    for (uint64_t rest = *lanes; rest != 0; rest &= rest - 1) {
        ki_component *other = store->others[ki_lowest_bit(rest)];
        ki_way_take(world, entity, other, record);
    }
    *lanes = 0;
    return ki_entity_end(store, record, entity.index1 - 1);
}

kith_result kith_despawn(kith_world *world, kith_entity entity)
{
    if (KI_UNLIKELY(!ki_world_may_change(world) ||
                    !ki_store_is_unwatched(&world->store))) {
        return spawn_end_slow(world, entity);
    }
    ki_store *store = &world->store;
    ki_record *record = ki_record_of(&store->entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return ki_untold(&store->context.heap, KITH_ERR_DEAD);
    }
    uint64_t *lanes = ki_lanes_place(&store->entities, entity.index1 - 1);
    return lanes == NULL || *lanes == 0 ? ki_entity_end(store, record, entity.index1 - 1)
                                        : spawn_end_lanes(world, entity, record, lanes);
}

kith_result kith_despawn_many(kith_world *world, const kith_entity *entities, uint32_t count,
                              uint32_t *ended)
{
    KI_BEGIN_CHANGE(world, "kith_despawn_many", KITH_ERR_MISUSE);
    ki_store *store = &world->store;
    KITH_REQUIRE(&store->context, entities != NULL || count == 0, KITH_ERR_MISUSE,
                 "kith_despawn_many: %u handles, but their address is NULL", count);
    if ((!ki_space_is_unseen(&store->space) || store->track_count != 0) &&
        !ki_touch_removals(store, entities, count)) {
        return KITH_ERR_MEMORY;
    }
    uint32_t living = 0;
    for (uint32_t i = 0; i < count; i++) {
        ki_record *record = ki_record_of(&store->entities, entities[i]);
        if (record != NULL) {
            spawn_end_ready(store, record, entities[i]);
            living++;
        }
    }
    if (ended != NULL) {
        *ended = living;
    }
    return KITH_OK;
}
