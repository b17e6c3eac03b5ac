/* Kith: views: a snapshot as a world that another thread reads, while its own world goes on.
 *
 *     kith_world *view;
 *     kith_view_new(snapshot, NULL, &view);
 *     kith_world_release(view);
 *     ...                                     // in the other thread:
 *     kith_world_claim(view);
 *     KITH_GET(view, player, Position)        // as it was when the snapshot was taken
 *     kith_world_free(view);
 *
 * A view has all that the snapshot has, and reads it where it is, in blocks that the snapshot shares
 * with its world. The world goes on: what it writes, it copies first, and a view never shows it.
 *
 * A view is a world of its own, for one thread at a time, with its own queries, indexes, selects,
 * texts that are interned in it, error messages and allocator. Calls that read work, kith_world_hash
 * and kith_world_check included. Those that would change it are misuse, and so is a query that writes.
 * It has no systems and observers, and no namers and attached things except those that are added to it.
 * A query that looks for changes finds all that match as changed, once.
 *
 * Types and texts are those that the world knows when the view is made. Of a type with hooks only `hash`
 * is called, in the thread of the view. */
#ifndef KITH_VIEW_H
#define KITH_VIEW_H

#include <kith/snapshot.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a view of a snapshot, in the thread of the snapshot's world. The calling thread owns it: hand it
 * over by kith_world_release and kith_world_claim. There may be any number of views of a snapshot.
 *
 * `def` is as for kith_world_new, and NULL a def of zeros. Its allocator serves the view alone, in the
 * view's thread, so it must not be one that the world uses too, unless any thread may call it. `seed`,
 * `expected_entities` and `expected_types` do nothing.
 *
 * The time it takes follows the number of types, tables, resources and queues, of blocks, whose
 * addresses are copied, and of interned texts.
 *
 * A view ends by kith_world_free, in the thread that owns it. The snapshot may be freed before: its
 * memory stays until its last view has ended, and the world takes it back in its next call on a
 * snapshot or in kith_world_trim. The world itself may not be freed while there are views: that is
 * misuse, and it is not freed.
 *
 * KITH_ERR_MEMORY: `*view` is untouched. Misuse as for kith_snapshot_take. */
KITH_API kith_result kith_view_new(const kith_snapshot *snapshot, const kith_world_def *def,
                                   kith_world **view);

#ifdef __cplusplus
}
#endif
#endif
