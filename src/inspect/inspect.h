/* Looking at a world as a whole: its invariants, its hashes, what its memory is used for. Nothing in
 * the rooms below calls any of it.
 *
 * Each check tells the first thing that is wrong, or NULL. */
#ifndef KI_INSPECT_INSPECT_H
#define KI_INSPECT_INSPECT_H

#include "world/world.h"

/* Parts of a store, each for itself. */
const char *ki_entities_check(const ki_space *space, const ki_entities *entities);
const char *ki_sparse_check(const ki_space *space, const ki_sparse *set);
const char *ki_slots_check(const ki_space *space, const ki_slots *slots);
const char *ki_table_check(const ki_space *space, const ki_table *table);
const char *ki_track_check(const ki_track *track);

/* ki_hash_bytes of values with these fields, which follow one another without a gap, as it is where the
 * numbers in them have their bytes the other way round. (swapped_hash.c) */
uint64_t ki_hash_swapped(uint64_t hash, const kith_field *fields, uint32_t count,
                         const void *values, size_t bytes);

/* All of a store but for its queries, and those. */
const char *ki_store_check(const ki_store *store);
const char *ki_queries_check(const ki_store *store);

#endif
