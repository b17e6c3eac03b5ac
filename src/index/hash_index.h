/* The kind of index that finds equal values. */
#ifndef KI_INDEX_HASH_INDEX_H
#define KI_INDEX_HASH_INDEX_H

#include "index/frame.h"

extern const ki_index_calls ki_hash_index;

/* Finds the entities with the same value in a hash that is up to date, in no order. KITH_ERR_MEMORY. */
kith_result ki_hash_index_find(kith_index *index, const void *value, uint32_t *count);

/* Counts the entities with the same key as a value's, up to `enough`, also in a hash that is not up to
 * date; and appends their slots to `list`, unless that is NULL. KITH_ERR_MEMORY. */
kith_result ki_hash_index_slots(const kith_index *index, const void *value, uint32_t enough,
                                ki_slot_list *list, uint32_t *count);

#endif
