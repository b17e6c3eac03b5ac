/* The entities of a query that come first in the order of a field, or of a distance, found by a source
 * that finds them in that order. The query is scanned as always, and visits only the entities that may
 * be among the first. Sorting what it visits gives the same rows, in the same order, as sorting all. */
#ifndef KI_QUERY_SORTED_H
#define KI_QUERY_SORTED_H

#include "query/cursor.h"

/* What is asked for. */
typedef struct ki_sorted {
    const kith_type *type; /* the component's */
    ki_source_order order;
    uint64_t count; /* how many entities; those with the same value as the last one come too */
} ki_sorted;

/* The source that serves; NULL: there is none. `*stale` as in an offer. */
ki_source *ki_sorted_source(const kith_query *query, const ki_sorted *sorted, uint32_t *stale);

/* Lets an open cursor, before its first batch, visit no others, if the source finds them faster than a
 * scan of all. Without memory for that all are visited. */
void ki_sorted_plan(kith_cursor *cursor, const ki_sorted *sorted);

#endif
