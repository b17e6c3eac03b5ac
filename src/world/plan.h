/* Plans: the table and columns for entities with a certain list of components. */
#ifndef KI_WORLD_PLAN_H
#define KI_WORLD_PLAN_H

#include "world/world.h"

/* Reads a type from a list of kith_value or of kith_values. `stride` is the distance from one
 * type pointer to the next, in bytes. */
static inline const kith_type *ki_plan_type(const kith_type *const *types, size_t stride,
                                            uint32_t number)
{
    const void *at = (const char *)types + number * stride;
    return *(const kith_type *const *)at;
}

/* The number of the type at `i`; 0 if it is NULL. */
static inline uint32_t ki_plan_number(const kith_type *const *types, size_t stride, uint32_t i)
{
    const kith_type *type = ki_plan_type(types, stride, i);
    return KI_UNLIKELY(type == NULL) ? 0 : ki_type_number(type);
}

/* A plan that fits no list. */
extern const ki_plan ki_no_plan;

/* Whether a plan is for this list. */
static inline bool ki_plan_fits(const kith_world *world, const ki_plan *plan,
                                const kith_type *const *types, size_t stride, uint32_t count)
{
    if (plan->count != count || plan->epoch != world->store.table_epoch) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (ki_plan_number(types, stride, i) != plan->entries[i].number) {
            return false;
        }
    }
    return true;
}

/* The part of ki_plan_cached for a plan that was not the last one used. */
const ki_plan *ki_plan_search(kith_world *world, const kith_type *const *types, size_t stride,
                              uint32_t count);

/* The cached plan for spawning with these types; NULL if there is none. */
static inline const ki_plan *ki_plan_cached(kith_world *world, const kith_type *const *types,
                                            size_t stride, uint32_t count)
{
    const ki_plan *last = world->last_plan;
    return KI_LIKELY(ki_plan_fits(world, last, types, stride, count))
               ? last
               : ki_plan_search(world, types, stride, count);
}

/* Makes that plan: in the cache, or in `own` if the list is too long for the cache.
 * KITH_ERR_CONFLICT if a type is in the list twice, KITH_ERR_MISUSE if one is not registered,
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT.
 *
 * `*own` starts as zeros. The caller frees it with ki_plan_free, also after an error. */
kith_result ki_plan_make(kith_world *world, const char *call, const kith_type *const *types,
                         size_t stride, uint32_t count, ki_plan *own, const ki_plan **plan);
void ki_plan_free(kith_world *world, ki_plan *own);

/* Fills `entries` with the components of the types; `*hooked`: one of them has hooks.
 * KITH_ERR_CONFLICT, KITH_ERR_MISUSE. */
kith_result ki_plan_resolve(kith_world *world, const char *call, const kith_type *const *types,
                            size_t stride, uint32_t count, ki_plan_entry *entries, bool *hooked);

/* Finds the columns of a plan's entries in its table, and counts those of other layouts. */
void ki_plan_place(ki_plan *plan);

/* The table with the components of `from` and those of the entries. It is `from` if it has them all. */
kith_result ki_plan_target(ki_store *store, const ki_table *from, const ki_plan_entry *entries,
                           uint32_t count, ki_table **to);

#endif
