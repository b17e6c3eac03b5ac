/* Readers: an index as threads ask it side by side, each by a copy with room of its own for answers. */
#ifndef KI_INDEX_READER_H
#define KI_INDEX_READER_H

#include "index/frame.h"

/* The first lines of each call that asks: whether the caller may, and the index is up to date then. In a
 * system `*index` becomes the thread's reader. KITH_ERR_MISUSE, KITH_ERR_MEMORY. */
kith_result ki_index_ask(kith_index **index, const char *call);

/* Makes an index ready to be declared by systems. */
void ki_index_make_askable(kith_index *index);

void ki_index_free_readers(kith_index *index);

/* Bytes of their answers. */
size_t ki_index_readers_bytes(const kith_index *index);

#endif
