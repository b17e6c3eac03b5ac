/* Resources and queues of events of two snapshots, side by side. */
#ifndef KI_PERSIST_DIFF_KEPT_H
#define KI_PERSIST_DIFF_KEPT_H

#include "persist/diff_slots.h"

/* Goes through the types of two lists, in order of names. */
typedef struct ki_kept_pair {
    const ki_kept_list *lists[2];
    const uint32_t *orders[2]; /* of names; NULL: the list is in that order */
    uint32_t next[2];
    const kith_type *type;
    const ki_kept *a; /* of `type` in the first list; NULL: it has none */
    const ki_kept *b;
} ki_kept_pair;

ki_kept_pair ki_kept_pair_resources(const ki_diff *diff);
ki_kept_pair ki_kept_pair_queues(const ki_diff *diff);

/* Goes on to the next type; false: there is none. */
bool ki_kept_pair_next(ki_kept_pair *pair);

/* Whether the events differ. A queue that never had an event is as none. */
bool ki_kept_pair_events_differ(const ki_diff *diff, const ki_kept_pair *pair);

#endif
