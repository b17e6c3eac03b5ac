/* Components of other layouts than KITH_TABLE: they come to an entity and leave it while its row
 * stays where it is. Each is in a sparse set or a slot array of its own. An entity's summary tells
 * which of them it may have, so that its end need not ask all. */
#ifndef KI_STORE_STORAGE_H
#define KI_STORE_STORAGE_H

#include "store/component.h"
#include "store/entities.h"

/* ---- One entity */

/* The column and row of its value; NULL if it is absent. */
static inline ki_column *ki_storage_locate(const ki_component *component, uint32_t index,
                                           uint32_t *row)
{
    const ki_column *values = NULL;
    if (component->layout == KITH_SLOT) {
        *row = index;
        values = ki_slots_has(&component->in.slots, index) ? &component->in.slots.values : NULL;
    } else {
        *row = ki_sparse_row1(&component->in.sparse, index) - 1;
        values = *row != UINT32_MAX ? &component->in.sparse.values : NULL;
    }
    return (ki_column *)(uintptr_t)values;
}

static inline bool ki_storage_has(const ki_component *component, uint32_t index)
{
    return component->layout == KITH_SLOT ? ki_slots_has(&component->in.slots, index)
                                          : ki_sparse_has(&component->in.sparse, index);
}

/* Makes inserts of a slot certain, except for the row that a sparse set needs and the log. */
static inline kith_result ki_storage_reserve_index(ki_column_context *columns,
                                                   ki_entities *entities, ki_component *component,
                                                   uint32_t index)
{
    KI_TRY(ki_column_reserve_row(columns, &entities->summary, index));
    return component->layout == KITH_SPARSE
               ? ki_sparse_reserve_index(columns, &component->in.sparse, index)
               : ki_slots_reserve(columns, &component->in.slots, index);
}

/* Makes `count` inserts certain, as far as rows of a sparse set and the log go. */
static inline kith_result ki_storage_reserve_rows(ki_column_context *columns,
                                                  ki_component *component, uint32_t count)
{
    if (component->change_log != NULL) {
        KI_TRY(ki_change_log_reserve(columns->heap, component->change_log, count, false));
    }
    return component->layout == KITH_SPARSE
               ? ki_rows_reserve(columns, &component->in.sparse.rows, count)
               : KITH_OK;
}

/* Makes ki_storage_insert certain. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
static inline kith_result ki_storage_reserve(ki_column_context *columns, ki_entities *entities,
                                             ki_component *component, uint32_t index)
{
    KI_TRY(ki_storage_reserve_index(columns, entities, component, index));
    return ki_storage_reserve_rows(columns, component, 1);
}

/* Whether an insert of a simple value is certain as things are, except for the log. */
static inline bool ki_storage_is_ready(const ki_column_context *columns,
                                       const ki_entities *entities, const ki_component *component,
                                       uint32_t index)
{
    return component->simple &&
           ki_column_is_ready(columns, &entities->summary, index, KI_SMALL_SHIFT) &&
           (component->layout == KITH_SPARSE
                ? ki_sparse_is_ready(columns, &component->in.sparse, index)
                : ki_slots_is_ready(columns, &component->in.slots, index));
}

/* Gives an entity the component, which it lacks, without the log. NULL `value` is zero bytes. */
static inline void ki_storage_insert_unlogged(ki_entities *entities, ki_component *component,
                                              kith_entity entity, const void *value)
{
    uint32_t row = entity.index1 - 1;
    ki_column *values = &component->in.slots.values;
    *KI_COLUMN_AT(uint64_t, &entities->summary, row) |= component->summary;
    if (component->layout == KITH_SPARSE) {
        row = ki_sparse_insert(&component->in.sparse, entity);
        values = &component->in.sparse.values;
    } else {
        ki_slots_insert(&component->in.slots, row);
    }
    if (!component->simple) {
        ki_column_write(values, row, value);
    } else if (values->size != 0) {
        ki_write_small(ki_column_at_small(values, row), value, values->size);
    }
}

/* The same with the log. */
static inline void ki_storage_insert(ki_entities *entities, ki_component *component,
                                     kith_entity entity, const void *value)
{
    if (component->change_log != NULL) {
        ki_change_log_note(component->change_log, entity, false, NULL, 0);
    }
    ki_storage_insert_unlogged(entities, component, entity, value);
}

/* Makes ready what a removal changes, except for the log and the last one, which fills the hole in a
 * sparse set. */
static inline bool ki_storage_mark_leaving(ki_column_context *columns, ki_component *component,
                                           uint32_t index)
{
    return component->layout == KITH_SPARSE
               ? ki_sparse_mark_leaving(columns, &component->in.sparse, index)
               : ki_slots_mark_removal(columns, &component->in.slots, index);
}

/* Whether ki_storage_remove is certain as things are, for an entity that has the component. */
static inline bool ki_storage_is_ready_removal(const ki_column_context *columns,
                                               const ki_component *component, uint32_t index)
{
    return component->simple &&
           (component->change_log == NULL ||
            ki_change_log_is_ready(component->change_log, 1, true)) &&
           (component->layout == KITH_SPARSE
                ? ki_sparse_is_ready_removal(columns, &component->in.sparse, index)
                : ki_slots_is_ready_removal(columns, &component->in.slots, index));
}

/* Makes it so. False: no memory for that. */
bool ki_storage_mark_removal(ki_column_context *columns, ki_component *component, uint32_t index);

/* Notes in the log that an entity is about to lose the component. */
void ki_storage_note_lost(ki_component *component, kith_entity entity);

/* Takes the component from an entity that has it. */
static inline void ki_storage_remove(ki_component *component, kith_entity entity)
{
    if (component->change_log != NULL) {
        ki_storage_note_lost(component, entity);
    }
    if (component->layout == KITH_SPARSE) {
        ki_sparse *set = &component->in.sparse;
        ki_sparse_remove(set, KI_COLUMN_AT(uint32_t, &set->index, entity.index1 - 1));
    } else {
        ki_slots_remove(&component->in.slots, entity.index1 - 1);
    }
}

/* ki_storage_take_one for a component that has a log. */
kith_result ki_storage_take_logged(ki_column_context *columns, ki_component *component,
                                   kith_entity entity);

/* Makes a removal certain and does it. KITH_ERR_ABSENT, KITH_ERR_MEMORY. */
static inline kith_result ki_storage_take_one(ki_column_context *columns, ki_component *component,
                                              kith_entity entity)
{
    if (component->change_log != NULL) {
        return ki_storage_take_logged(columns, component, entity);
    }
    return component->layout == KITH_SPARSE
               ? ki_sparse_take(columns, &component->in.sparse, entity.index1 - 1)
               : ki_slots_take(columns, &component->in.slots, entity.index1 - 1);
}

/* Makes the value of an entity that has the component ready to be overwritten, and does that. */
bool ki_storage_mark_value(ki_column_context *columns, ki_component *component, uint32_t index);
void ki_storage_write(ki_component *component, uint32_t index, const void *value);

/* Makes an entity's summary ready to be written, if there are any. */
static inline bool ki_summary_mark(ki_column_context *columns, ki_entities *entities,
                                   uint32_t index)
{
    return !ki_column_has_page(&entities->summary, index) ||
           ki_column_mark(columns, &entities->summary, index);
}

/* ---- Many entities. With `slots_follow` it is known that their slots follow one another. */

/* ki_storage_reserve_index for slots that follow one another. */
kith_result ki_storage_reserve_slots(ki_column_context *columns, ki_entities *entities,
                                     ki_component *component, uint32_t first, uint32_t count);

/* ki_storage_mark_leaving for those of the slots that have the component, which are added to
 * `*found`. */
bool ki_storage_mark_leaving_each(ki_column_context *columns, ki_component *component,
                                  const uint32_t *indexes, uint32_t count, uint32_t *found);

/* ki_storage_mark_leaving and ki_storage_mark_value for slots that follow one another, all of
 * which have the component. */
bool ki_storage_mark_leaving_span(ki_column_context *columns, ki_component *component,
                                  uint32_t first, uint32_t count);
bool ki_storage_mark_value_span(ki_column_context *columns, ki_component *component, uint32_t first,
                                uint32_t count);

/* How many of the slots that follow one another have the component. */
uint32_t ki_storage_count_in(const ki_component *component, uint32_t first, uint32_t count);

/* Adds the component to each of these entities, with values `stride` bytes apart (NULL: zero bytes).
 * Where an entity has it already, it is overwritten, or with `keeps` left alone. All is reserved. */
void ki_storage_put(ki_entities *all, ki_component *component, const kith_entity *entities,
                    uint32_t count, bool consecutive_slots, const uint8_t *values, size_t stride,
                    bool keeps);

/* Takes the component from those that have it. */
void ki_storage_take(ki_component *component, const kith_entity *entities, uint32_t count,
                     bool consecutive_slots);

#endif
