/* Transitions of one entity from one set of components to another. Each is reserved as a whole, which
 * may fail and changes nothing that can be seen, and then made by steps that cannot fail.
 *
 * Values that a caller gives may be the world's own: that of another entity, or even of the row that
 * fills the hole. So a new value is written before any row is taken out. */
#ifndef KI_STORE_TRANSITION_H
#define KI_STORE_TRANSITION_H

#include "store/store.h"

/* ---- From one table to another, step by step */

/* Makes a move along `edge` certain. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_move_reserve(ki_store *store, const ki_edge *edge, uint32_t index);

/* Appends the entity's row to the new table and copies what both have. Columns that only that has are
 * the caller's to write, before ki_move_end: the old row is there until then. Returns the new row. */
uint32_t ki_move_begin(ki_store *store, const ki_edge *edge, uint32_t index);

/* Takes the old row out and makes the record lead to the new one. */
void ki_move_end(ki_store *store, const ki_edge *edge, uint32_t index, uint32_t row);

/* ---- Whole transitions of a living entity, whose record this is
 *
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT (tables, rows) */

/* Adds a KITH_TABLE component that the entity lacks, NULL `value` being zero bytes and one with hooks
 * moved; or removes one. `change` tells which, as ki_id_added or ki_id_removed. KITH_ERR_ABSENT. */
kith_result ki_transition_step(ki_store *store, kith_entity entity, ki_record *record,
                               const ki_component *component, const void *value, uint32_t change);

/* Adds a component of another layout that the entity lacks. */
kith_result ki_transition_enter(ki_store *store, kith_entity entity, ki_component *component,
                                const void *value);

/* Adds a component that the entity lacks. For layouts other than KITH_TABLE the record may be NULL. */
static inline kith_result ki_transition_add(ki_store *store, kith_entity entity, ki_record *record,
                                            ki_component *component, const void *value)
{
    return component->layout == KITH_TABLE ? ki_transition_step(store, entity, record, component,
                                                                value, ki_id_added(component->id))
                                           : ki_transition_enter(store, entity, component, value);
}

/* Removes a component. KITH_ERR_ABSENT. */
static inline kith_result ki_transition_remove(ki_store *store, kith_entity entity,
                                               ki_record *record, ki_component *component)
{
    return component->layout == KITH_TABLE
               ? ki_transition_step(store, entity, record, component, NULL,
                                    ki_id_removed(component->id))
               : ki_storage_take_one(&store->columns, component, entity);
}

/* Removes all components. */
kith_result ki_transition_clear(ki_store *store, kith_entity entity, const ki_record *record);

/* Ends those of the entities that are alive, in order; ki_change_set_end expected that, and the set is
 * reserved. Returns how many. */
uint32_t ki_transition_end_reserved(ki_store *store, const kith_entity *entities, uint32_t count);

/* Ends the entity. */
kith_result ki_transition_end(ki_store *store, kith_entity entity, ki_record *record);

#endif
