/* Kith: forks: a world that goes on from a snapshot, beside the world that it was taken of.
 *
 *     kith_world *fork;
 *     kith_fork_def def = {.set_up = add_systems};     // as the world's own systems were added
 *     kith_fork_new(snapshot, &def, &fork);
 *     for (int i = 0; i < 10; i++) {
 *         KITH_RESOURCE_SET(fork, Input, {guess});
 *         kith_run(fork, dt);
 *     }
 *     int score = KITH_RESOURCE(fork, Game)->score;
 *     kith_world_free(fork);
 *
 * A fork is a view that may be written: see <kith/view.h>. It reads the blocks of the snapshot where
 * they are, and copies a block when it is written for the first time. So looking some ticks ahead costs
 * what those ticks write, whatever the size of the world.
 *
 * It is a world of its own in all else: for one thread at a time, with its own allocator, queries,
 * systems, observers, indexes, snapshots and workers. Several forks of one snapshot may run in several
 * threads while their world goes on. */
#ifndef KITH_FORK_H
#define KITH_FORK_H

#include <kith/view.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_fork_def {
    /* Adds the systems and the observers of the world to the fork, by the same calls in the same
     * order; NULL: it has none. Systems that have the name of one in the snapshot go on from where
     * it was: times, switches, which changes they have seen. Observers go on by the order in which
     * they were made. It may make queries, indexes and phases, too, but neither spawn nor despawn.
     * Types, texts and unique keys are there already.
     * What it sets of resources and sends is replaced by what the snapshot has. Called in
     * kith_fork_new; anything but KITH_OK ends the fork. */
    kith_result (*set_up)(kith_world *fork, void *context);
    void *context;        /* passed on to it */
    kith_world_def world; /* as for kith_view_new */
} kith_fork_def;

/* Makes a fork of a snapshot, in the thread of the snapshot's world. The calling thread owns it: hand it
 * over by kith_world_release and kith_world_claim. `def` may be NULL. There may be any number of forks
 * and views of a snapshot, and a fork may have snapshots, views and forks of its own.
 *
 * The same calls then give the same handles, order and bits in the fork as in the world after
 * kith_snapshot_restore, if it was set up alike; kith_world_hash is the same if the program attached
 * nothing that adds to it (kith_attach_state). What `user` of systems points to is shared with the
 * world, unless `set_up` gives them something else.
 *
 * The time it takes follows the number of types, tables and blocks, whose addresses are copied, and
 * of interned texts, and the values of resources and events, which are copied. Names are such texts.
 * No entity has a transient component (kith_component_def). Of types with hooks `copy` is called for
 * values of the snapshot, in the fork's thread: it must be one that several threads may call for the
 * same value.
 *
 * A fork ends by kith_world_free, as a view does, which says when memory goes home.
 *
 * KITH_ERR_MEMORY, what `set_up` returns, and what hooks fail with: `*fork` is untouched. Misuse as for
 * kith_snapshot_take, and if `set_up` leaves a query open, or spawns or despawns. */
KITH_API kith_result kith_fork_new(const kith_snapshot *snapshot, const kith_fork_def *def,
                                   kith_world **fork);

#ifdef __cplusplus
}
#endif
#endif
