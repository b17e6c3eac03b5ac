/* The values of other entities that terms read, for the batch at hand: an array of addresses for each
 * such term.
 *
 * Those that entities must reach to match are found while rows are filtered, a chunk at a time, and kept
 * until their batch is handed out. All others are found when the first one is asked for: where they are
 * optional; and once blocks are shared with snapshots, since then a value may move to another block
 * before its batch is handed out. */
#ifndef KI_QUERY_VIA_BATCH_H
#define KI_QUERY_VIA_BATCH_H

#include "query/cursor.h"

/* Makes room for the addresses that are found while a chunk is filtered, once, for a query that reads
 * such values; several threads may do so, each for cursors of its own. False: no memory. */
bool ki_via_room_reserve(kith_cursor *cursor);
void ki_via_room_free(kith_cursor *cursor);

/* Keeps those of the batch of rows, from entity `first` to before `end`, which are in the chunk at
 * hand. */
void ki_via_gather(kith_cursor *cursor, uint32_t first, uint32_t end);

/* A batch of arrays, or of rows, is about to be handed out: binds what is known of it, and lets the rest
 * be found later. */
void ki_via_bind(kith_cursor *cursor);

/* The addresses of a term's values, which it reads by a via; one for each of the batch's `count`
 * entities, from its first on. */
const void *const *ki_via_pointers(kith_cursor *cursor, uint32_t term, uint32_t count);

#endif
