/* What open queries may still write. Between two looks for what was written, a batch may be handed out
 * all the time: what is written to it after the first look has to be found by the second. */
#ifndef KI_QUERY_OPEN_WRITES_H
#define KI_QUERY_OPEN_WRITES_H

#include "query/cursor.h"

/* Before a look at a component: marks the rows that open queries have handed out for writing, which may
 * have been written since they were marked. They are marked again when their batches end. */
void ki_open_writes_mark(ki_store *store, const ki_component *component);

/* At the end of a batch that was marked in this way. */
void ki_open_writes_end(kith_cursor *cursor);

#endif
