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

/* Adds a component that the entity lacks. NULL `value` is zero bytes; one with hooks is moved. */
kith_result ki_transition_add(ki_store *store, kith_entity entity, const ki_record *record,
                              ki_component *component, const void *value);

/* Removes a component. KITH_ERR_ABSENT. */
kith_result ki_transition_remove(ki_store *store, kith_entity entity, const ki_record *record,
                                 ki_component *component);

/* Removes all components. */
kith_result ki_transition_clear(ki_store *store, kith_entity entity, const ki_record *record);

/* Ends the entity. */
kith_result ki_transition_end(ki_store *store, kith_entity entity, const ki_record *record);

#endif
