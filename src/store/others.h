/* The components of other layouts than KITH_TABLE that an entity has, all together: its lanes tell which
 * it may have. */
#ifndef KI_STORE_OTHERS_H
#define KI_STORE_OTHERS_H

#include "store/store.h"

/* The first of the entity's components that was registered after the one with this id; NULL if there is
 * none. */
const ki_component *ki_store_next(const ki_store *store, uint32_t index, const ki_record *record,
                                  uint32_t id);

/* ki_others_reserve_removal and ki_others_remove for an entity whose lanes are not 0. */
kith_result ki_others_reserve_removal_slow(ki_store *store, uint32_t index);
void ki_others_remove_slow(ki_store *store, kith_entity entity);

/* ki_others_remove if all that it writes is ready, for an entity whose lanes are at `lanes`; false:
 * nothing was done. */
bool ki_others_remove_at_once(ki_store *store, uint32_t index, uint64_t *lanes);

/* The entity's first component of another layout at or after number `from` of `others`; NULL after the
 * last. */
ki_component *ki_others_next(const ki_store *store, uint32_t index, uint32_t from);

/* The first number of a component of another layout, from `from` on, that these lanes tell of. At least
 * `count`, which is how many there are, if it is none of them. The second is for those that have two
 * lanes. */
uint32_t ki_lanes_next_of_two(uint64_t lanes, uint32_t from, uint32_t count);

static inline uint32_t ki_lanes_next(uint64_t lanes, uint32_t from, uint32_t count)
{
    if (from < KI_LANES && lanes >> from != 0) {
        return from + ki_lowest_bit(lanes >> from);
    }
    return KI_LIKELY(count <= KI_LANES)
               ? count
               : ki_lanes_next_of_two(lanes, from < KI_LANES ? KI_LANES : from, count);
}

/* A walk over the components of other layouts that some lanes tell of, in order. */
typedef struct ki_lanes_walk {
    uint64_t lanes;
    uint32_t next; /* the number to go on with */
} ki_lanes_walk;

static inline ki_lanes_walk ki_lanes_walk_start(uint64_t lanes)
{
    return (ki_lanes_walk){.lanes = lanes};
}

/* NULL after the last. */
static inline ki_component *ki_lanes_walk_next(const ki_store *store, ki_lanes_walk *walk)
{
    uint32_t number = ki_lanes_next(walk->lanes, walk->next, store->other_count);
    walk->next = number + 1;
    return number < store->other_count ? store->others[number] : NULL;
}

/* Makes ki_others_remove certain. KITH_ERR_MEMORY. */
static inline kith_result ki_others_reserve_removal(ki_store *store, uint32_t index)
{
    return KI_LIKELY(ki_lanes_at(&store->entities, index) == 0)
               ? KITH_OK
               : ki_others_reserve_removal_slow(store, index);
}

/* Takes all components of other layouts from an entity. */
static inline void ki_others_remove(ki_store *store, kith_entity entity)
{
    if (KI_UNLIKELY(ki_lanes_at(&store->entities, entity.index1 - 1) != 0)) {
        ki_others_remove_slow(store, entity);
    }
}

/* ---- Many entities */

/* The components in some lanes, in order; returns how many there are, or one more than `few` has room
 * for. */
#define KI_OTHERS_FEW 8u
uint32_t ki_others_few(const ki_store *store, uint64_t lanes, ki_component **few);

/* Takes all components of other layouts from entities. */
void ki_others_remove_many(ki_store *store, const kith_entity *entities, uint32_t count,
                           bool slots_follow);

#endif
