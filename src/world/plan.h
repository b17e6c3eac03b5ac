/* Plans: what it takes to give an entity a list of components at once. */
#ifndef KI_WORLD_PLAN_H
#define KI_WORLD_PLAN_H

#include "world/world.h"

/* The plan for spawning with these types: a cached one, or `own` where the cache has no room for
 * it. KITH_ERR_CONFLICT if a type stands there twice, KITH_ERR_MISUSE if one is not registered,
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT. `stride` is the distance of one type pointer to the next in
 * bytes: the lists of kith_value and kith_values serve alike.
 *
 * `*own` starts as zeros, and is freed by ki_plan_free whatever happens. */
kith_result ki_plan_find(kith_world *world, const char *call, const kith_type *const *types,
                         size_t stride, uint32_t count, ki_plan *own, const ki_plan **plan);
void ki_plan_free(kith_world *world, ki_plan *own);

/* Fills `entries` with the components of the types; `*hooked` tells whether values of one have hooks.
 * KITH_ERR_CONFLICT, KITH_ERR_MISUSE. */
kith_result ki_plan_resolve(kith_world *world, const char *call, const kith_type *const *types,
                            size_t stride, uint32_t count, ki_plan_entry *entries, bool *hooked);

/* The table of a table's components and those of the entries: itself if all are there. */
kith_result ki_plan_target(ki_store *store, const ki_table *from, const ki_plan_entry *entries,
                           uint32_t count, ki_table **to);

#endif
