/* What was seen of the values of one component: what each was when anyone looked last. value_diff.h
 * compares values with that. */
#ifndef KI_STORE_SEEN_H
#define KI_STORE_SEEN_H

#include <kith/entity.h>

#include "base/bitset.h"
#include "store/column.h"

typedef struct ki_value_diff {
    uint64_t refreshed; /* blocks that were written later have not been looked at */
    ki_column seen;     /* paged by slot: ki_seen, and after it the value, or what the hash of a
                           value with hooks is. Snapshots share its blocks */
    ki_bitset lost;     /* slots of `seen` whose entities lost the component since: what was seen
                           of them counts no more */
} ki_value_diff;

typedef struct ki_seen {
    uint64_t changed;    /* the time of the look that found the value changed; 0: never seen */
    uint32_t generation; /* of the entity that has the value */
    uint32_t unused;
} ki_seen;

/* For values of this size; NULL if memory ran out. */
ki_value_diff *ki_value_diff_new(ki_heap *heap, uint32_t size);
void ki_value_diff_free(ki_column_context *columns, ki_value_diff *value_diff);

/* What was seen of a slot, ready to be written. KITH_ERR_MEMORY. */
kith_result ki_value_diff_reserve(ki_column_context *columns, ki_value_diff *value_diff,
                                  uint32_t index, ki_seen **seen);

/* Entities lose the component: what was seen of them counts no more. */
void ki_value_diff_forget(ki_value_diff *value_diff, const kith_entity *entities, uint32_t count);

/* Has `seen` say so by itself: `lost` is empty then. KITH_ERR_MEMORY: some is left. */
kith_result ki_value_diff_settle(ki_column_context *columns, ki_value_diff *value_diff);

/* Makes room to forget what is in `seen`, which another store's values were put into.
 * KITH_ERR_MEMORY. */
kith_result ki_value_diff_adopt(ki_column_context *columns, ki_value_diff *value_diff);

/* Takes back what ki_value_diff_forget did since: `lost` is empty then. */
void ki_value_diff_recall(ki_value_diff *value_diff);

#endif
