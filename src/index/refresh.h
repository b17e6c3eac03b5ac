/* Brings an index up to date. */
#ifndef KI_INDEX_REFRESH_H
#define KI_INDEX_REFRESH_H

#include "index/frame.h"

/* KITH_ERR_MEMORY: the index is empty, and has to be filled. */
kith_result ki_index_refresh(kith_index *index);

/* The key of the entity in a slot, in an index that is up to date; or NULL. */
const uint8_t *ki_index_key_at(const kith_index *index, uint32_t slot);

/* How many rows a refresh would have to look at, about: an entity that was set counts as several. */
uint32_t ki_index_stale_rows(const kith_index *index);

#endif
