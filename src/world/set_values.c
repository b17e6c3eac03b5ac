/* Sets several components of one entity at once, in one move. */
#include <string.h>

#include "store/transition.h"
#include "world/first_use.h"
#include "world/guard.h"
#include "world/staged.h"

/* The components to set on one entity. */
typedef struct value_set {
    kith_entity entity;
    const kith_value *values;
    uint32_t count;
    bool hooked;  /* some values have hooks, and are staged */
    bool guarded; /* some components are guarded */
    const ki_bundle_entry *entries;
} value_set;

/* Whether the entity has all of the components, so that it stays in its table. */
static bool set_values_all_there(const ki_store *store, const value_set *change,
                                 const ki_record *record)
{
    for (uint32_t i = 0; i < change->count; i++) {
        if (!ki_store_has(store, change->entries[i].component, change->entity.index1 - 1, record)) {
            return false;
        }
    }
    return true;
}

/* Makes certain that a value of another layout than KITH_TABLE can be written or inserted. */
static kith_result set_values_reserve_other(ki_store *store, ki_component *component,
                                            uint32_t index)
{
    if (ki_storage_has(component, index)) {
        return ki_storage_mark_value(&store->columns, component, index) ? KITH_OK : KITH_ERR_MEMORY;
    }
    return ki_storage_reserve(&store->columns, &store->entities, component, index);
}

/* Makes certain that components of other layouts can be overwritten or inserted. With `stays`, also that
 * those in the entity's table can be overwritten. */
static kith_result set_values_reserve(ki_store *store, const value_set *change, bool stays)
{
    uint32_t index = change->entity.index1 - 1;
    const ki_record *record = ki_record_at(&store->entities, index);
    for (uint32_t i = 0; i < change->count; i++) {
        ki_component *component = change->entries[i].component;
        void *to;
        if (component->layout != KITH_TABLE) {
            KI_TRY(set_values_reserve_other(store, component, index));
        } else if (stays) {
            KI_TRY(ki_store_mark_value(store, component, index, record, &to));
        }
    }
    return KITH_OK;
}

static void set_values_write(ki_store *store, const value_set *change, const ki_table *table,
                             uint32_t row)
{
    uint32_t index = change->entity.index1 - 1;
    for (uint32_t i = 0; i < change->count; i++) {
        ki_component *component = change->entries[i].component;
        const void *value = change->values[i].data;
        if (component->layout == KITH_TABLE) {
            ki_column_write(ki_table_column(table, component->id), row, value);
        } else if (ki_storage_has(component, index)) {
            ki_storage_write(component, index, value);
        } else {
            ki_storage_insert(&store->entities, component, change->entity, value);
        }
    }
}

/* Sets the components, and moves the entity along `edge`. NULL: it stays in its table. */
static kith_result set_values_change(ki_store *store, const value_set *change, const ki_edge *edge)
{
    uint32_t index = change->entity.index1 - 1;
    const ki_record *record = ki_record_at(&store->entities, index);
    KI_TRY(set_values_reserve(store, change, edge == NULL));
    if (edge == NULL) {
        set_values_write(store, change, store->tables[record->table], record->row);
        return KITH_OK;
    }
    KI_TRY(ki_move_reserve(store, edge, index));
    uint32_t row = ki_move_begin(store, edge, index);
    set_values_write(store, change, edge->to, row);
    ki_move_end(store, edge, index, row);
    return KITH_OK;
}

/* Asks about the values of guarded components. */
static kith_result set_values_guard(kith_world *world, const char *call, const value_set *change)
{
    for (uint32_t i = 0; i < change->count; i++) {
        ki_component *component = change->entries[i].component;
        if (component->relation != NULL) {
            KI_TRY(ki_world_begin_change(world, call));
        }
    }
    return ki_guard_values(world, call, change->entity, change->entries, change->values,
                           change->count);
}

/* set_values_change where components are guarded. */
static kith_result set_values_change_guarded(kith_world *world, const char *call,
                                             const value_set *change, const ki_edge *edge)
{
    const uint32_t begin = ki_link_changes_begin(&world->store);
    kith_result result = set_values_guard(world, call, change);
    result = result == KITH_OK ? set_values_change(&world->store, change, edge) : result;
    return ki_link_changes_end(&world->store, begin, result);
}

/* Keeps the transition for the next entity of the same table. */
static void set_values_remember(kith_world *world, const value_set *change, const ki_table *from,
                                ki_table *to, const ki_edge *edge)
{
    ki_last_transition *known = &world->last_transition;
    ki_bundle *bundle = &known->to.bundle;
    if (change->count > KI_BUNDLE_INLINE || change->hooked) {
        return;
    }
    *bundle = (ki_bundle){.count = change->count,
                          .epoch = world->store.table_epoch,
                          .table = to,
                          .entries = known->to.entries};
    memcpy(bundle->entries, change->entries, change->count * sizeof *bundle->entries);
    ki_bundle_place(bundle);
    known->from = from->id;
    known->edge = edge;
}

static kith_result set_values_make(kith_world *world, const char *call, const value_set *change,
                                   const ki_record *record)
{
    ki_store *store = &world->store;
    ki_table *from = store->tables[record->table];
    ki_table *to = from;
    const ki_edge *edge = NULL;
    if (!set_values_all_there(store, change, record)) {
        KI_TRY(ki_world_begin_change(world, call));
        KI_TRY(ki_bundle_target(store, from, change->entries, change->count, &to));
    }
    if (to != from) {
        edge = ki_table_edge(&store->columns, from, to);
        if (edge == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    if (change->guarded) {
        return set_values_change_guarded(world, call, change, edge);
    }
    set_values_remember(world, change, from, to, edge);
    return set_values_change(store, change, edge);
}

static kith_result set_values_make_hooked(kith_world *world, const char *call,
                                          const value_set *change, const ki_record *record)
{
    ki_staged staged = {.world = world, .call = call};
    value_set copied = *change;
    kith_result result = ki_staged_copy(&staged, change->entries, change->count, &copied.values);
    if (result == KITH_OK) {
        result = set_values_make(world, call, &copied, record);
    }
    ki_staged_end(&staged, result);
    return result;
}

static kith_result set_values_set(kith_world *world, const char *call, const value_set *wanted,
                                  ki_bundle_entry *entries)
{
    value_set change = *wanted;
    const ki_record *record = ki_record_of(&world->store.entities, change.entity);
    change.entries = entries;
    if (record == NULL) {
        return ki_world_dead(world, call, change.entity);
    }
    KI_TRY(ki_bundle_resolve(world, call, &change.values->type, sizeof *change.values, change.count,
                             entries, &change.hooked));
    for (uint32_t i = 0; i < change.count; i++) {
        change.guarded = change.guarded || entries[i].component->guarded;
    }
    return change.hooked ? set_values_make_hooked(world, call, &change, record)
                         : set_values_make(world, call, &change, record);
}

/* kith_set_values in all cases, without the short cut for the last transition. */
static kith_result set_values_slow(kith_world *world, const char *call, const value_set *change)
{
    ki_heap *heap = &world->store.context.heap;
    ki_bundle_entry usual[16];
    size_t bytes = ki_heap_bytes(change->count, sizeof usual[0]);
    KI_TRY(ki_world_require_written(world, call));
    if (change->count <= sizeof usual / sizeof usual[0]) {
        return set_values_set(world, call, change, usual);
    }
    ki_bundle_entry *entries = ki_heap_alloc(heap, bytes, _Alignof(ki_bundle_entry));
    if (entries == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = set_values_set(world, call, change, entries);
    ki_heap_free(heap, entries, bytes, _Alignof(ki_bundle_entry));
    return result;
}

kith_result ki_world_set_values(kith_world *world, const char *call, kith_entity entity,
                                const kith_value *values, uint32_t count)
{
    const ki_record *record = ki_record_of(&world->store.entities, entity);
    const ki_last_transition *known = &world->last_transition;
    value_set change = {
        .entity = entity, .values = values, .count = count, .entries = known->to.entries};
    if (count == 0) {
        return record == NULL ? ki_world_dead(world, call, entity) : KITH_OK;
    }
    return record != NULL && record->table == known->from && ki_world_is_unlocked(world) &&
                   ki_bundle_fits(world, &known->to.bundle, &values->type, sizeof *values, count)
               ? set_values_change(&world->store, &change, known->edge)
               : set_values_slow(world, call, &change);
}

kith_result kith_set_values(kith_world *world, kith_entity entity, const kith_value *values,
                            uint32_t value_count)
{
    KI_TRY(ki_world_require_owner(world, "kith_set_values"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && values == NULL && value_count != 0) {
        return ki_misuse(context, "kith_set_values: %u values, but their address is NULL",
                         value_count);
    }
    return ki_world_set_values(world, "kith_set_values", entity, values, value_count);
}
