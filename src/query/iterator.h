/* Iteration: what opening a query takes, for iterators and for systems. */
#ifndef KI_QUERY_ITERATOR_H
#define KI_QUERY_ITERATOR_H

#include "query/cursor.h"

/* Does for a taken cursor what opening its query does: readies it to scan all that matches.
 * KITH_ERR_MEMORY. */
kith_result ki_cursor_prepare(kith_cursor *cursor);

/* Lets a cursor that was readied go by an index, where that is faster than a scan by so many threads
 * side by side. Called by the thread of the owner, before anything is written. */
void ki_cursor_plan(kith_cursor *cursor, uint32_t threads);

/* Marks all that is there as seen. KITH_ERR_MEMORY: of types with exact changes, the next look may see
 * more than what changed since. */
kith_result ki_query_skip_changes(kith_query *query);

#endif
