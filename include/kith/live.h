/* Kith: live queries: which entities a query matches, and what became of them since you asked last.
 *
 *     kith_live *weak;
 *     kith_live_new(world, KITH_QUERY(world, KITH_WITH(Enemy), KITH_IF(Health, current, <, 20)), &weak);
 *     ...
 *     kith_live_changes changes;
 *     if (kith_live_next(weak, &changes) == KITH_OK) {
 *         for (uint32_t i = 0; i < changes.entered_count; i++) {
 *             show_bar(changes.entered[i]);
 *         }
 *         for (uint32_t i = 0; i < changes.left_count; i++) {
 *             hide_bar(changes.left[i]);
 *         }
 *     }
 *
 * You need not report writes. Those through pointers and arrays are found too, at a cost that follows
 * what was written, not how many entities there are. */
#ifndef KITH_LIVE_H
#define KITH_LIVE_H

#include <kith/query.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_live kith_live;

/* Makes a live query of a query, which belongs to it from then on and is freed with it. Until then the
 * query can be used and bound as before. To free it is misuse, and so is a second live query of it.
 *
 * Its set is empty until it is asked: the first kith_live_next tells all that match as entered. It may
 * be made and freed at any time, also while queries are open; it changes nothing that a program can see
 * of the world, and does not count for kith_world_hash. While it is there, despawning, adding and
 * removing may take memory, as with trackers; what is noted for it is kept until it is asked.
 *
 * KITH_ERR_INPUT   there is no component that an entity must have to match, in a term of its own or as
 *                  one of a group that asks no others; or a term is about what changed; or a condition
 *                  is about a path, or about another entity within one about another entity; or the
 *                  query has an `order`, or pairs
 * KITH_ERR_MEMORY
 * After an error the query is the caller's, as before. Freed by kith_live_free, or with its world. */
KITH_API kith_result kith_live_new(kith_world *world, kith_query *query, kith_live **live);

/* Frees it and its query, which must not be open. NULL is fine. */
KITH_API void kith_live_free(kith_live *live);

/* What became of a set since it was asked before. Each list is in the order of slots, and an entity is
 * in one list at most. They are good until the next call, or until the live query is freed. */
typedef struct kith_live_changes {
    const kith_entity *entered; /* they match, and did not */
    const kith_entity *left;    /* they matched, and do not, or are dead */
    const kith_entity *changed; /* they match as before, with other values */
    uint32_t entered_count;
    uint32_t left_count;
    uint32_t changed_count;
} kith_live_changes;

/* Tells what became of the set since the call before, and makes the set what the query matches now.
 *
 * Only the difference is told: an entity that left and came back meanwhile with the same values is in no
 * list. One that died, and another one in its slot that matches, are both told. Values are those of all
 * components that the query reads or writes, or has conditions on; they have changed if one of their
 * bytes has, other than padding, or if a component that is not required came or went. Where the query
 * is about other entities (<kith/via.h>), their values count too, and so do the links on the way. When
 * one of these was written, every entity is checked for what it reaches.
 * After kith_snapshot_restore the difference is told, too, and after kith_query_bind.
 *
 * Brings itself up to date first, as an index does: pointers from kith_get_mut into these components'
 * values die. The arrays and rows of a loop that is open stay good, and what is written there later is
 * told later.
 * KITH_ERR_INPUT   a name in the query has no value yet, see kith_query_bind
 * KITH_ERR_MEMORY
 * After an error the set is as it was, and a later call tells all. It may then tell an entity as changed
 * although its value has changed back meanwhile. */
KITH_API kith_result kith_live_next(kith_live *live, kith_live_changes *changes);

/* The set, as kith_live_next told it last: what entered, without what left. */
KITH_API uint32_t kith_live_count(const kith_live *live);
KITH_API bool kith_live_has(const kith_live *live, kith_entity entity);

/* The entity of the set in the lowest slot after that of `previous`; KITH_NONE if there is none. The
 * first one for KITH_NONE.
 *     for (kith_entity e = kith_live_after(weak, KITH_NONE); !kith_is_none(e);
 *          e = kith_live_after(weak, e)) */
KITH_API kith_entity kith_live_after(const kith_live *live, kith_entity previous);

/* What a live query holds, and what it did since it was made. */
typedef struct kith_live_counts {
    uint64_t bytes;         /* memory that it holds, without its query */
    uint64_t rows_compared; /* rows in blocks that were written, and values that were set */
    uint64_t tested;        /* entities that were looked at, since something of them had changed */
} kith_live_counts;

KITH_API kith_live_counts kith_live_stats(const kith_live *live);

#ifdef __cplusplus
}
#endif
#endif
