/* Brings an index up to date. */
#ifndef KI_INDEX_REFRESH_H
#define KI_INDEX_REFRESH_H

#include "index/frame.h"

/* KITH_ERR_MEMORY: the index is empty, and has to be filled. */
kith_result ki_index_refresh(kith_index *index);

/* How many rows a refresh would have to look at, about: an entity that was set counts as several. */
uint32_t ki_index_stale_rows(const kith_index *index);

#endif
