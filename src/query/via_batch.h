/* The values of other entities that terms read, for the batch at hand: an array of addresses for each
 * such term.
 *
 * Those that entities must reach to match are found while rows are filtered: arrays keep them. In all
 * other cases, they are found when the first one is asked for: of rows, which are gathered from several
 * chunks; where they are optional; and once blocks are shared with snapshots, since then a value may
 * move to another block before its batch is handed out. */
#ifndef KI_QUERY_VIA_BATCH_H
#define KI_QUERY_VIA_BATCH_H

#include "query/cursor.h"

/* Makes room for the addresses of arrays, once, for a query that reads such values; several threads may
 * do so, each for cursors of its own. False: no memory. */
bool ki_via_room_reserve(kith_cursor *cursor);
void ki_via_room_free(kith_cursor *cursor);

/* A batch of arrays, or of rows, is about to be handed out: binds what is known of it, and lets the rest
 * be found later. */
void ki_via_bind(kith_cursor *cursor);

/* The addresses of a term's values, which it reads by a via; one for each of the batch's `count`
 * entities, from its first on. */
const void *const *ki_via_pointers(kith_cursor *cursor, uint32_t term, uint32_t count);

#endif
