/* Kith: a world as bytes: saved games, and worlds that travel whole. What is played after loading is the
 * same to the bit.
 *
 *     kith_world_save_file(world, "game.save");
 *     ...
 *     kith_world_load_file(world, "game.save");          // this world, or one of another program
 *
 * The bytes are for the same program, on any machine: types have to be as they were. What later versions
 * are to read is saved as a scene (<kith/scene.h>), by the names of fields. docs/snapshots.md describes
 * the bytes. */
#ifndef KITH_SAVE_H
#define KITH_SAVE_H

#include <kith/bytes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the whole world into `bytes`, over what they held; the room there is used again. Free them with
 * kith_bytes_free before the world ends.
 *
 * In it is what kith_snapshot_diff_bytes writes (<kith/diff_bytes.h>), of all there is. Not in it:
 * transient components, fields that are KITH_OPAQUE, systems, observers, indexes, attached things, the
 * world's `seed` and what else the program makes. The time follows the size of the world.
 *
 * KITH_ERR_TYPE     there is a value whose type has hooks: it has no bytes. kith_error names the type.
 *                   Make it transient, or keep what it owns elsewhere. Or a type has hooks, but no
 *                   `copy`, as for kith_snapshot_take
 * KITH_ERR_LIMIT    4 GiB
 * KITH_ERR_MEMORY   as the others: `bytes->size` is 0, and the world is as it was
 * Misuse as for kith_snapshot_take, so also for a view (<kith/view.h>), and if `bytes` is NULL. To save
 * in another thread while the world goes on, save a fork there (<kith/fork.h>). */
KITH_API kith_result kith_world_save(kith_world *world, kith_bytes *bytes);

/* Turns a world into the one that was saved: all that is in it goes, and what was saved comes, with the
 * same handles, also those to come, and the same values in the same order. kith_world_hash is then the
 * one of that time, if both have the same systems and were made with the same `seed` (kith_world_def):
 * the random numbers of systems follow from it, and it is not in the bytes. `bytes` may be any at all:
 * they are checked, and the world is changed as a whole or not at all.
 *
 * What the world is otherwise stays: its types, systems, observers, queries, indexes and snapshots. The
 * types that were saved have to be registered (KITH_TYPES), with the same fields and layouts. Systems
 * are found by their names: those that were saved are enabled or not, and run next, as they were then.
 *
 * It is like a restore of a snapshot of that state (kith_snapshot_restore): all pointers to values die,
 * trackers and live queries are told the difference, and no entity has transient components then.
 * Queries that look for changes find what came; observers are as if they were made now.
 *
 * KITH_ERR_INPUT      the bytes are no saved world, or are damaged. kith_error names the byte, counted
 *                     from 0, and what was expected there
 * KITH_ERR_CONFLICT   a type differs, or has another layout; events are kept for another number of runs;
 *                     or two entities would have the same unique key (<kith/unique.h>): kith_error names
 *                     them
 * KITH_ERR_UNKNOWN    a type is not registered here
 * KITH_ERR_TYPE       a type has hooks, but no `copy`, as for kith_snapshot_take
 * KITH_ERR_LIMIT, KITH_ERR_MEMORY, and what hooks fail with
 * In all these cases the world is as it was; it may have interned texts. Misuse as for
 * kith_snapshot_take, and NULL with a size. */
KITH_API kith_result kith_world_load(kith_world *world, const void *bytes, size_t size);

/* The same to a file, and from one. The file is written as `path` with ".new" appended and then replaces
 * one of that name: a failure leaves that one as it was. A symbolic link is replaced, too. A directory
 * or a device is not.
 * KITH_ERR_IO   it cannot be written, or read: kith_error tells why
 * and what kith_world_save and kith_world_load return. Misuse as for these, and if `path` is NULL. */
KITH_API kith_result kith_world_save_file(kith_world *world, const char *path);
KITH_API kith_result kith_world_load_file(kith_world *world, const char *path);

#ifdef __cplusplus
}
#endif
#endif
