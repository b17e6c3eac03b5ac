/* Kith: the difference of two snapshots as bytes, to be saved or sent. It turns a world that is as the
 * older one was into one that is as the newer one was.
 *
 *     kith_bytes bytes = {0};                            // used again for the next difference
 *     kith_snapshot_diff_bytes(before, after, &bytes);
 *     send(client, bytes.data, bytes.size);
 *     ...
 *     kith_diff_apply(follower, received, size);         // in another world, program or machine
 *
 * The bytes are the fields that differ, not blocks: numbers take as many bytes as they need, and texts
 * travel as texts; one that is not of the world travels as the empty text. They are the same on every
 * machine. docs/snapshots.md describes them. */
#ifndef KITH_DIFF_BYTES_H
#define KITH_DIFF_BYTES_H

#include <kith/bytes.h>
#include <kith/snapshot.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes what differs between two snapshots of one world into `bytes`, over what they held; the room
 * there is used again. Free them with kith_bytes_free before the world ends.
 *
 * In it are entities and components, resources, events, the number of ticks and the state of
 * kith_world_random; and what the world needs for the next entity to get the same handle, for queries to
 * give the same order, and for the sources of relations to be in the same order; of systems, by their
 * names, whether they are enabled, and when they run next. Not in it: transient components, fields that
 * are KITH_OPAQUE, which changes systems have seen, and what snapshots have of observers and attached
 * things.
 *
 * The time follows what differs, as for kith_snapshot_diff. Where sources that stay with their target
 * are in another order, all sources of that are gone through.
 *
 * KITH_ERR_TYPE     a value whose type has hooks changed or came: it has no bytes. kith_error names the
 *                   type. Make it transient, or keep what it owns elsewhere
 * KITH_ERR_LIMIT    4 GiB
 * KITH_ERR_MEMORY   as the others: `bytes->size` is 0
 * Misuse for snapshots of two worlds, and as for kith_snapshot_take. */
KITH_API kith_result kith_snapshot_diff_bytes(const kith_snapshot *before,
                                              const kith_snapshot *after, kith_bytes *bytes);

/* Turns a world that is as the older snapshot was into one that is as the newer one was: the same
 * handles, also those to come, and the same values in the same order. kith_world_hash is then the one of
 * that time, if both have the same systems; what the difference has of others is left out. `bytes` may
 * be any at all: they are checked, and the world is changed as a whole or not at all.
 *
 * The types that the difference names are registered in the world (KITH_TYPES), with the same layouts;
 * Kith's own (ChildOf, EntityName, Disabled) are registered by this call, also if it fails later.
 * Of resources and events that are in the world, the types are known.
 *
 * It is like a restore of a snapshot of that state (kith_snapshot_restore): all pointers to values die,
 * trackers are told the difference, and no entity has transient components then. But queries, also those
 * of systems, that look for changes find what the difference wrote; observers are as if they were made
 * now.
 *
 * What was written since the world's last snapshot decides about the time, and how many blocks hold what
 * differs: these are copied. If entities came or went, each free slot is looked at. Where an acyclic
 * relation has another target, all that are above it are looked at.
 *
 * KITH_ERR_INPUT      the bytes are not a difference, are damaged, or fit no state of this world.
 *                     kith_error names the byte, counted from 0, and what was expected there
 * KITH_ERR_CONFLICT   the world is not what the older snapshot was, as far as the difference replaces
 *                     it; or a type differs, or has another layout; or two entities would have the
 *                     same unique key (<kith/unique.h>): kith_error names them
 * KITH_ERR_UNKNOWN    a type is not registered here
 * KITH_ERR_TYPE       a type has hooks, but no `copy`, as for kith_snapshot_take
 * KITH_ERR_LIMIT, KITH_ERR_MEMORY, and what hooks fail with
 * In all these cases the world is as it was; it may have interned texts. Misuse as for
 * kith_snapshot_take, and NULL with a size. */
KITH_API kith_result kith_diff_apply(kith_world *world, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
