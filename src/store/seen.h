/* What was seen of the values of one component: what each was when anyone looked last. exact.h compares
 * values with that. */
#ifndef KI_STORE_SEEN_H
#define KI_STORE_SEEN_H

#include <kith/entity.h>

#include "store/column.h"

typedef struct ki_value_diff {
    uint64_t refreshed; /* blocks that were written later have not been looked at */
    ki_column seen;     /* paged by slot: ki_seen, and after it the value, or what the hash of a
                           value with hooks is */
} ki_value_diff;

typedef struct ki_seen {
    uint64_t changed;    /* the time of the look that found the value changed; 0: never seen */
    uint32_t generation; /* of the entity that has the value */
    uint32_t unused;
} ki_seen;

/* For values of this size; NULL if memory ran out. */
ki_value_diff *ki_value_diff_new(ki_heap *heap, uint32_t size);
void ki_value_diff_free(ki_column_context *columns, ki_value_diff *value_diff);

/* A copy; NULL if memory ran out. */
ki_value_diff *ki_value_diff_clone(ki_column_context *columns, const ki_value_diff *from);

/* Entities lose the component: what was seen of them counts no more. */
void ki_value_diff_forget(ki_value_diff *value_diff, const kith_entity *entities, uint32_t count);

#endif
