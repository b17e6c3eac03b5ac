/* Binding: gives a query's terms the addresses of their values, run by run. */
#ifndef KI_QUERY_BINDING_H
#define KI_QUERY_BINDING_H

#include "query/cursor.h"

/* Sets up what does not change from run to run: which terms are found by look-up, and how far a run may
 * reach. KITH_ERR_MEMORY. */
kith_result ki_bind_prepare(kith_cursor *cursor);

/* Chooses what the iteration hands out. */
void ki_bind_set_kind(kith_cursor *cursor, ki_batch_kind kind);

/* Binds the terms to the rows from `row` on, in these columns; what is written is marked so. False: no
 * memory for that. */
bool ki_bind_rows(kith_cursor *cursor, ki_column *const *columns, uint32_t row);

/* Binds as much of the scan's run as is consecutive, and shortens the run to that. False: no memory to
 * copy shared values that are written. */
bool ki_bind_run(kith_cursor *cursor);

/* The column of a term that is bound to arrays, and the row where these begin; NULL: it is absent. Not
 * for a query over one entity. */
ki_column *ki_bind_column(const kith_cursor *cursor, uint32_t term, uint32_t *row);

/* Whether a bound block is shared with a snapshot: it is copied when it is next written. */
bool ki_bind_is_shared(const kith_cursor *cursor);

/* The handles of `count` rows from `row` on, within the run or after it in its block. */
const kith_entity *ki_bind_entities(kith_cursor *cursor, uint32_t row, uint32_t count);

#endif
