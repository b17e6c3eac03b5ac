/* Kith: trackers: which entities got a component, and which lost it.
 *
 *     kith_tracker *bodies;
 *     kith_tracker_new(world, &Collider_type, &bodies);
 *     ...
 *     kith_change change;
 *     while (kith_tracker_next(bodies, &change)) {
 *         change.kind == KITH_ADDED ? make_body(change.entity) : free_body(change.entity);
 *     }
 *
 * Values that changed are found by a query: see KITH_CHANGED in <kith/query.h>. */
#ifndef KITH_TRACKER_H
#define KITH_TRACKER_H

#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_tracker kith_tracker;

typedef enum kith_change_kind {
    KITH_ADDED = 0, /* by a spawn, a clone, an add or a set, or a command */
    KITH_REMOVED    /* by a removal or a despawn */
} kith_change_kind;

/* The entity may have changed again since, or be dead. */
typedef struct kith_change {
    kith_entity entity;
    kith_change_kind kind;
} kith_change;

/* Makes a tracker of one component type. From now on each entity that gets or loses the component is
 * noted, in the order in which it happens. Each tracker reads for itself, at its own pace.
 *
 * Changes are kept until all trackers of the type have read them: 8 bytes each. A tracker that is
 * never read keeps them all; kith_component_memory tells how much that is. While a type is tracked,
 * despawning and removing take memory. If they fail with KITH_ERR_MEMORY, the world is as it was. A
 * component that one call takes away and gives back may be noted as both or not at all.
 *
 * What trackers have read is not part of the world's state: it does not count for kith_world_hash, and
 * kith_snapshot_restore does not take it back, but tells them the difference.
 *
 * A type that is not registered is registered, which may fail: see kith_register.
 * KITH_ERR_MEMORY. Allowed while queries are open. Freed by kith_tracker_free, or with its world. */
KITH_API kith_result kith_tracker_new(kith_world *world, const kith_type *type,
                                      kith_tracker **tracker);

/* NULL is fine. */
KITH_API void kith_tracker_free(kith_tracker *tracker);

/* As kith_query_set_holder: `*holder` becomes NULL when the tracker is freed. */
KITH_API void kith_tracker_set_holder(kith_tracker *tracker, kith_tracker **holder);

/* The next change, oldest first; false if there is none left, and then `*change` is untouched. */
KITH_API bool kith_tracker_next(kith_tracker *tracker, kith_change *change);

/* How many changes there are to read. */
KITH_API uint64_t kith_tracker_pending(const kith_tracker *tracker);

/* Skips all of them. */
KITH_API void kith_tracker_skip_changes(kith_tracker *tracker);

#ifdef __cplusplus
}
#endif
#endif
