/* A world as a whole: its invariants, its hashes, the use of its memory. Rooms below do not call
 * any of it.
 *
 * Each check returns a description of the first violation, or NULL. */
#ifndef KI_INSPECT_INSPECT_H
#define KI_INSPECT_INSPECT_H

#include "world/world.h"

/* Single parts of a store. */
const char *ki_entities_check(const ki_column_context *columns, const ki_entities *entities);
const char *ki_sparse_check(const ki_column_context *columns, const ki_sparse *set);
const char *ki_slots_check(const ki_column_context *columns, const ki_slots *slots);
const char *ki_table_check(const ki_column_context *columns, const ki_table *table);
const char *ki_change_log_check(const ki_change_log *change_log);

/* ki_hash_bytes of values with these fields, without gaps between them, as a machine with the other
 * byte order computes it. (swapped_hash.c) */
uint64_t ki_hash_swapped(uint64_t hash, const kith_field *fields, uint32_t count,
                         const void *values, size_t bytes);

/* Hashes of blocks that are kept. */
const char *ki_kept_hashes_check(const kith_world *world);

/* Adds the resources to a hash. */
uint64_t ki_hash_resources(uint64_t hash, const kith_world *world);

/* Checks the views of a store: that what they share counts all of its holders. */
const char *ki_store_views_check(ki_store *store);

/* A store without its queries; and its queries. */
const char *ki_store_check(const ki_store *store);
const char *ki_queries_check(const ki_store *store);

#endif
