/* Sets several components of one entity at once, in one move. */
#include <string.h>

#include "store/transition.h"
#include "world/stage.h"

/* The components to set on one entity. */
typedef struct several {
    kith_entity entity;
    const kith_value *values;
    uint32_t count;
    bool hooked; /* some values have hooks, and are in a stage */
    const ki_plan_entry *entries;
} several;

/* Whether the entity has all of the components, so that it stays in its table. */
static bool several_all_there(const ki_store *store, const several *change, const ki_record *record)
{
    for (uint32_t i = 0; i < change->count; i++) {
        if (!ki_store_has(store, change->entries[i].component, change->entity.index1 - 1, record)) {
            return false;
        }
    }
    return true;
}

/* Makes certain that a value of another layout than KITH_TABLE can be written or inserted. */
static kith_result several_reserve_other(ki_store *store, ki_component *component, uint32_t index)
{
    if (ki_other_has(component, index)) {
        return ki_other_mark_value(&store->space, component, index) ? KITH_OK : KITH_ERR_MEMORY;
    }
    return ki_other_reserve(&store->space, &store->entities, component, index);
}

/* Makes certain that components of other layouts can be overwritten or inserted. With `stays`, also that
 * those in the entity's table can be overwritten. */
static kith_result several_reserve(ki_store *store, const several *change, bool stays)
{
    uint32_t index = change->entity.index1 - 1;
    const ki_record *record = ki_record_at(&store->entities, index);
    for (uint32_t i = 0; i < change->count; i++) {
        ki_component *component = change->entries[i].component;
        void *to;
        if (component->layout != KITH_TABLE) {
            KI_TRY(several_reserve_other(store, component, index));
        } else if (stays) {
            KI_TRY(ki_store_touch_value(store, component, index, record, &to));
        }
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
            ki_other_insert(&store->entities, component, change->entity, value);
        }
    }
}

/* Sets the components, and moves the entity along `edge`. NULL: it stays in its table. */
static kith_result several_change(ki_store *store, const several *change, const ki_edge *edge)
{
    uint32_t index = change->entity.index1 - 1;
    const ki_record *record = ki_record_at(&store->entities, index);
    KI_TRY(several_reserve(store, change, edge == NULL));
    if (edge == NULL) {
        several_write(store, change, store->tables[record->table], record->row);
        return KITH_OK;
    }
    KI_TRY(ki_move_reserve(store, edge, index));
    uint32_t row = ki_move_begin(store, edge, index);
    several_write(store, change, edge->to, row);
    ki_move_end(store, edge, index, row);
    return KITH_OK;
}

/* Keeps the transition for the next entity of the same table. */
static void several_remember(kith_world *world, const several *change, const ki_table *from,
                             ki_table *to, const ki_edge *edge)
{
    ki_several *known = &world->several;
    ki_plan *plan = &known->to.plan;
    if (change->count > KI_PLAN_INLINE || change->hooked) {
        return;
    }
    *plan = (ki_plan){.count = change->count,
                      .epoch = world->store.table_epoch,
                      .table = to,
                      .entries = known->to.entries};
    memcpy(plan->entries, change->entries, change->count * sizeof *plan->entries);
    ki_plan_place(plan);
    known->from = from->id;
    known->edge = edge;
}

static kith_result several_make(kith_world *world, const char *call, const several *change,
                                const ki_record *record)
{
    ki_store *store = &world->store;
    ki_table *from = store->tables[record->table];
    ki_table *to = from;
    const ki_edge *edge = NULL;
    if (!several_all_there(store, change, record)) {
        KI_TRY(ki_world_begin_change(world, call));
        KI_TRY(ki_plan_target(store, from, change->entries, change->count, &to));
    }
    if (to != from) {
        edge = ki_table_edge(&store->space, from, to);
        if (edge == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    several_remember(world, change, from, to, edge);
    return several_change(store, change, edge);
}

static kith_result several_make_hooked(kith_world *world, const char *call, const several *change,
                                       const ki_record *record)
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

static kith_result several_set(kith_world *world, const char *call, several *change,
                               ki_plan_entry *entries)
{
    const ki_record *record = ki_record_of(&world->store.entities, change->entity);
    change->entries = entries;
    KI_TRY(ki_plan_resolve(world, call, &change->values->type, sizeof *change->values,
                           change->count, entries, &change->hooked));
    if (record == NULL) {
        return ki_untold(&world->store.context.heap, KITH_ERR_DEAD);
    }
    return change->hooked ? several_make_hooked(world, call, change, record)
                          : several_make(world, call, change, record);
}

/* kith_set_several in all cases, without the short cut for the last transition. */
static kith_result several_slow(kith_world *world, const char *call, several *change)
{
    ki_heap *heap = &world->store.context.heap;
    ki_plan_entry usual[16];
    size_t bytes = ki_heap_bytes(change->count, sizeof usual[0]);
    if (change->count <= sizeof usual / sizeof usual[0]) {
        return several_set(world, call, change, usual);
    }
    ki_plan_entry *entries = ki_heap_take(heap, bytes, _Alignof(ki_plan_entry));
    if (entries == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = several_set(world, call, change, entries);
    ki_heap_give(heap, entries, bytes, _Alignof(ki_plan_entry));
    return result;
}

kith_result ki_world_set_several(kith_world *world, const char *call, kith_entity entity,
                                 const kith_value *values, uint32_t count)
{
    const ki_record *record = ki_record_of(&world->store.entities, entity);
    const ki_several *known = &world->several;
    several change = {entity, values, count, false, known->to.entries};
    if (count == 0) {
        return record == NULL ? ki_untold(&world->store.context.heap, KITH_ERR_DEAD) : KITH_OK;
    }
    return KI_LIKELY(record != NULL && record->table == known->from &&
                     ki_world_is_unlocked(world) &&
                     ki_plan_fits(world, &known->to.plan, &values->type, sizeof *values, count))
               ? several_change(&world->store, &change, known->edge)
               : several_slow(world, call, &change);
}

kith_result kith_set_several(kith_world *world, kith_entity entity, const kith_value *values,
                             uint32_t value_count)
{
    KI_TRY(ki_world_require_owner(world, "kith_set_several"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && values == NULL && value_count != 0) {
        return ki_misuse(context, "kith_set_several: %u values, but their address is NULL",
                         value_count);
    }
    return ki_world_set_several(world, "kith_set_several", entity, values, value_count);
}
