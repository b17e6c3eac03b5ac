/* The filter: an index that knows of each block of the component's storages which values are in there,
 * about. It is no use to ask where a value is; but queries need not look where it cannot be. */
#ifndef KI_INDEX_FILTER_INDEX_H
#define KI_INDEX_FILTER_INDEX_H

#include "index/filter_blocks.h"
#include "index/frame.h"

typedef struct ki_filter_index {
    ki_filter_fields fields;
    ki_filter_blocks **storages; /* by their numbers; NULL: not seen */
    uint32_t capacity;
} ki_filter_index;

extern const ki_index_calls ki_filter_index_calls;

/* How many rows a refresh would have to look at, about. */
uint32_t ki_filter_stale_rows(const kith_index *index);

static inline const ki_filter_index *ki_filter_of(const kith_index *index)
{
    return index->data;
}

/* What it knows of a storage; NULL: nothing, so that anything may be there. */
static inline const ki_filter_blocks *ki_filter_blocks_at(const kith_index *index, uint32_t number)
{
    const ki_filter_index *filter = ki_filter_of(index);
    return index->filled && number < filter->capacity ? filter->storages[number] : NULL;
}

#endif
