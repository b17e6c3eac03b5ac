/* Indexes as sources: queries find them by themselves. */
#ifndef KI_INDEX_INDEX_SOURCE_H
#define KI_INDEX_INDEX_SOURCE_H

#include "index/frame.h"

/* Lets queries find an index, as soon as it is made; of kinds that serve conditions. */
void ki_index_offer(kith_index *index);

/* The opposite. */
void ki_index_withdraw(kith_index *index);

static inline kith_index *ki_index_of_source(const ki_source *source)
{
    return (kith_index *)(void *)((char *)(uintptr_t)source - offsetof(kith_index, source));
}

/* "hash of Team (number)", see ki_source_calls. */
size_t ki_index_print(const ki_source *source, char *text, size_t size);

/* Brings it up to date, see ki_source_calls. */
kith_result ki_index_refresh_source(ki_source *source);

/* Those of a filter: filter_source.c. */
extern const ki_source_calls ki_filter_source_calls;

/* Those of a spatial index of points: spatial_source.c. */
extern const ki_source_calls ki_spatial_source_calls;

#endif
