/* Kith: snapshots: what a world was, to go back to.
 *
 *     kith_snapshot *before;
 *     kith_snapshot_take(world, &before);
 *     play_on(world);
 *     kith_snapshot_restore(world, before);
 *     kith_snapshot_free(before);
 *
 * A snapshot shares memory with its world: a block of values is copied when it is written while a
 * snapshot has it too. So a snapshot takes as much memory as was written since it was taken.
 *
 * It holds entities with their components, resources, events, the number of ticks and the state of
 * kith_world_random; of systems, whether they are enabled, their times, and which changes they have
 * seen; and what observers have been told.
 *
 * It does not hold what is the program's own: queries, trackers, command buffers, pools, clocks
 * (kith_clock), readers of kith_event_next, what `user` points to. Keep numbers that belong to the
 * simulation in a resource; or attach them, with functions that copy them (kith_attach_state). */
#ifndef KITH_SNAPSHOT_H
#define KITH_SNAPSHOT_H

#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_snapshot kith_snapshot;

/* Takes a snapshot of the world's state. There may be any number of them. Pointers to write through die;
 * pointers to read from stay good until the value is written.
 *
 * The time it takes follows what was written since the last snapshot was taken or restored; of tables
 * without changes it looks at one word for 64. If that snapshot was freed, it follows how much there is.
 * Resources and events are copied as a whole.
 *
 * While there are snapshots, writing a value may take memory, for the copy of its block, and tables are
 * not given back by kith_world_trim. Freed by kith_snapshot_free, or with its world. `*snapshot` is
 * untouched on failure.
 *
 * KITH_ERR_TYPE    a type has hooks, but no `copy`, and is not a transient component alone
 * KITH_ERR_MEMORY, and what the hook `copy` fails with
 * Misuse while a query is open, or a call is under way that calls the program back, as kith_run does. */
KITH_API kith_result kith_snapshot_take(kith_world *world, kith_snapshot **snapshot);

/* Makes the world what it was when the snapshot was taken, which may be any of its snapshots, in any
 * order, any number of times. The same calls then give the same handles, order and bits as they did the
 * first time: a handle that came since may be given out again, for another entity.
 *
 * All pointers to values die. A query of the program that looks for changes (KITH_CHANGED) finds all
 * that match as changed, once. A tracker is told the difference, after what it had still to read: which
 * entities lost the component by the restore, and which got it, by slot. The same handle is the same
 * entity. A reader of kith_event_next that is not set back finds no events until as many were sent as it
 * had read.
 *
 * What came since the snapshot was taken:
 *   types, queues   stay known; no entity has the types, and the queues are empty
 *   systems         start anew: their times are 0, and they have seen no change. They stay enabled, or
 *                   disabled. Systems are known by their names: one that was replaced, or removed and
 *                   added again, goes on from the snapshot
 *   observers       are as if they were made now
 * No entity has transient components then (kith_component_def); observers of such, and of queries that
 * ask for such, are as if they were made now.
 * Systems and observers that went since do not come back.
 *
 * What hooks fail with, and KITH_ERR_MEMORY: the world is as it was. Misuse as above, and for a snapshot
 * of another world. */
KITH_API kith_result kith_snapshot_restore(kith_world *world, const kith_snapshot *snapshot);

/* Ends a snapshot. NULL is fine. Its world is not changed. Misuse as above. */
KITH_API void kith_snapshot_free(kith_snapshot *snapshot);

#ifdef __cplusplus
}
#endif
#endif
