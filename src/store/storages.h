/* The components of other layouts than KITH_TABLE that an entity has, all together: its summary
 * tells which it may have. */
#ifndef KI_STORE_STORAGES_H
#define KI_STORE_STORAGES_H

#include "store/store.h"

/* The first of the entity's components that was registered after the one with this id; NULL if there is
 * none. */
const ki_component *ki_store_next(const ki_store *store, uint32_t index, const ki_record *record,
                                  uint32_t id);

/* ki_storages_reserve_removal and ki_storages_remove for an entity whose summary is not 0. */
kith_result ki_storages_reserve_removal_slow(ki_store *store, uint32_t index);
void ki_storages_remove_slow(ki_store *store, kith_entity entity);

/* ki_storages_remove if all that it writes is ready, for an entity whose summary is at `summary`; false:
 * nothing was done. */
bool ki_storages_remove_at_once(ki_store *store, uint32_t index, uint64_t *summary);

/* The entity's first component of another layout at or after number `from` of `lookups`; NULL after the
 * last. */
ki_component *ki_storages_next(const ki_store *store, uint32_t index, uint32_t from);

/* The first number of a component of another layout, from `from` on, that this summary tells of.
 * At least `count`, which is how many there are, if it is none of them. The second is for those
 * that have two summary. */
uint32_t ki_summary_next_of_two(uint64_t summary, uint32_t from, uint32_t count);

static inline uint32_t ki_summary_next(uint64_t summary, uint32_t from, uint32_t count)
{
    if (from < KI_LANES && summary >> from != 0) {
        return from + ki_lowest_bit(summary >> from);
    }
    return KI_LIKELY(count <= KI_LANES)
               ? count
               : ki_summary_next_of_two(summary, from < KI_LANES ? KI_LANES : from, count);
}

/* A walk over the components of other layouts that a summary tells of, in order. */
typedef struct ki_summary_walk {
    uint64_t summary;
    uint32_t next; /* the number to go on with */
} ki_summary_walk;

static inline ki_summary_walk ki_summary_walk_start(uint64_t summary)
{
    return (ki_summary_walk){.summary = summary};
}

/* NULL after the last. */
static inline ki_component *ki_summary_walk_next(const ki_store *store, ki_summary_walk *walk)
{
    uint32_t number = ki_summary_next(walk->summary, walk->next, store->storage_count);
    walk->next = number + 1;
    return number < store->storage_count ? store->storages[number] : NULL;
}

/* Makes ki_storages_remove certain. KITH_ERR_MEMORY. */
static inline kith_result ki_storages_reserve_removal(ki_store *store, uint32_t index)
{
    return KI_LIKELY(ki_summary_at(&store->entities, index) == 0)
               ? KITH_OK
               : ki_storages_reserve_removal_slow(store, index);
}

/* Takes all components of other layouts from an entity. */
static inline void ki_storages_remove(ki_store *store, kith_entity entity)
{
    if (KI_UNLIKELY(ki_summary_at(&store->entities, entity.index1 - 1) != 0)) {
        ki_storages_remove_slow(store, entity);
    }
}

/* ---- Many entities */

/* The components in a summary, in order; returns how many there are, or one more than `few` has room
 * for. */
#define KI_STORAGES_FEW 8u
uint32_t ki_storages_few(const ki_store *store, uint64_t summary, ki_component **few);

/* Takes all components of other layouts from entities. */
void ki_storages_remove_many(ki_store *store, const kith_entity *entities, uint32_t count,
                             bool consecutive_slots);

#endif
