/* Brings an index up to date. */
#ifndef KI_INDEX_REFRESH_H
#define KI_INDEX_REFRESH_H

#include "index/frame.h"

/* KITH_ERR_MEMORY: the index is empty, and has to be filled. */
kith_result ki_index_refresh(kith_index *index);

/* The same in three steps. False: the index is up to date, and there is nothing to do. The second one
 * may run on any thread, while others do so for other indexes, and nobody writes. */
bool ki_index_refresh_begin(kith_index *index);
void ki_index_refresh_work(kith_index *index);
kith_result ki_index_refresh_end(kith_index *index);

/* The key of the entity in a slot, in an index that is up to date; or NULL. */
const uint8_t *ki_index_key_at(const kith_index *index, uint32_t slot);

/* How many rows a refresh would have to look at, about: an entity that was set counts as several. */
uint32_t ki_index_stale_rows(const kith_index *index);

#endif
