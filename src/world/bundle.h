/* Plans: the table and columns for entities with a certain list of components. */
#ifndef KI_WORLD_BUNDLE_H
#define KI_WORLD_BUNDLE_H

#include "world/world.h"

/* Reads a type from a list of kith_value or of kith_values. `stride` is the distance from one
 * type pointer to the next, in bytes. */
static inline const kith_type *ki_bundle_type(const kith_type *const *types, size_t stride,
                                              uint32_t number)
{
    const void *at = (const char *)types + number * stride;
    return *(const kith_type *const *)at;
}

/* The number of the type at `i`; 0 if it is NULL. */
static inline uint32_t ki_bundle_number(const kith_type *const *types, size_t stride, uint32_t i)
{
    const kith_type *type = ki_bundle_type(types, stride, i);
    return type == NULL ? 0 : ki_type_number(type);
}

/* A bundle that fits no list. */
extern const ki_bundle ki_no_bundle;

/* Whether a bundle is for this list. */
static inline bool ki_bundle_fits(const kith_world *world, const ki_bundle *bundle,
                                  const kith_type *const *types, size_t stride, uint32_t count)
{
    if (bundle->count != count || bundle->epoch != world->store.table_epoch) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (ki_bundle_number(types, stride, i) != bundle->entries[i].number) {
            return false;
        }
    }
    return true;
}

/* The part of ki_bundle_cached for a bundle that was not the last one used. */
const ki_bundle *ki_bundle_search(kith_world *world, const kith_type *const *types, size_t stride,
                                  uint32_t count);

/* The cached bundle for spawning with these types; NULL if there is none. */
static inline const ki_bundle *ki_bundle_cached(kith_world *world, const kith_type *const *types,
                                                size_t stride, uint32_t count)
{
    const ki_bundle *last = world->last_bundle;
    return ki_bundle_fits(world, last, types, stride, count)
               ? last
               : ki_bundle_search(world, types, stride, count);
}

/* Makes that bundle: in the cache, or in `own` if the list is too long for the cache.
 * KITH_ERR_CONFLICT if a type is in the list twice, KITH_ERR_MISUSE if one is not registered,
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT.
 *
 * `*own` starts as zeros. The caller frees it with ki_bundle_free, also after an error. */
kith_result ki_bundle_make(kith_world *world, const char *call, const kith_type *const *types,
                           size_t stride, uint32_t count, ki_bundle *own, const ki_bundle **bundle);
void ki_bundle_free(kith_world *world, ki_bundle *own);

/* Forgets all bundles that the world keeps. */
void ki_bundles_forget(kith_world *world);

/* Fills `entries` with the components of the types; `*hooked`: one of them has hooks.
 * KITH_ERR_CONFLICT, KITH_ERR_MISUSE. */
kith_result ki_bundle_resolve(kith_world *world, const char *call, const kith_type *const *types,
                              size_t stride, uint32_t count, ki_bundle_entry *entries,
                              bool *hooked);

/* Finds the columns of a bundle's entries in its table, and counts those of other layouts. */
void ki_bundle_place(ki_bundle *bundle);

/* The table with the components of `from` and those of the entries. It is `from` if it has them all. */
kith_result ki_bundle_target(ki_store *store, const ki_table *from, const ki_bundle_entry *entries,
                             uint32_t count, ki_table **to);

#endif
