/* The components of other layouts than KITH_TABLE that an entity has, all together: its summary
 * tells which it may have. */
#ifndef KI_STORE_STORAGES_H
#define KI_STORE_STORAGES_H

#include "store/store.h"

/* The type of the entity's first component after `previous` in order of names, or with NULL of its first
 * one; NULL if there is none. */
const kith_type *ki_store_next(const ki_store *store, uint32_t index, const ki_record *record,
                               const ki_component *previous);

/* The entity's first component of another layout at or after number `from` of `storages`; NULL after the
 * last. */
ki_component *ki_storages_next(const ki_store *store, uint32_t index, uint32_t from);

/* The first number of a component of another layout, from `from` on, that a summary tells of;
 * UINT32_MAX if there is none. The second is for those that have two bits in a summary. */
uint32_t ki_summary_next_of_two(const ki_store *store, uint64_t summary, uint32_t from);

static inline uint32_t ki_summary_next(const ki_store *store, uint64_t summary, uint32_t from)
{
    uint64_t rest = from < KI_LANES ? summary >> from : 0;
    if (rest != 0) {
        return from + ki_lowest_bit(rest);
    }
    return store->storage_count <= KI_LANES ? UINT32_MAX
                                            : ki_summary_next_of_two(store, summary, from);
}

/* Takes all components of other layouts from an entity. KITH_ERR_MEMORY: it has them all still. */
kith_result ki_storages_take_all(ki_store *store, kith_entity entity);

/* ---- Many entities */

/* The components in a summary, in order; returns how many there are, or one more than `few` has room
 * for. */
#define KI_STORAGES_FEW 8u
uint32_t ki_storages_few(const ki_store *store, uint64_t summary, ki_component **few);

/* Takes all components of other layouts from entities. */
void ki_storages_remove_many(ki_store *store, const kith_entity *entities, uint32_t count,
                             bool consecutive_slots);

#endif
