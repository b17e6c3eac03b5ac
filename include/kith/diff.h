/* Kith: differences between two snapshots of a world: what became of entities, components, fields and
 * resources. For consoles, editors and tests.
 *
 *     static bool show(void *context, const kith_difference *difference)
 *     {
 *         char line[256];
 *         kith_print_difference(context, difference, line, sizeof line);
 *         puts(line);                           // Entity(12v3): Position.x 1 -> 2
 *         return true;
 *     }
 *     ...
 *     kith_snapshot_diff(before, after, show, world);
 *
 * To compare with what the world is now, take a snapshot of that, and free it afterwards. */
#ifndef KITH_DIFF_H
#define KITH_DIFF_H

#include <kith/snapshot.h>
#include <kith/type.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kith_difference_kind {
    KITH_DIFF_DESPAWNED, /* an entity that only the first snapshot has */
    KITH_DIFF_SPAWNED,   /* one that only the second has */
    KITH_DIFF_REMOVED,   /* a component that an entity had */
    KITH_DIFF_ADDED,     /* one that it has now */
    KITH_DIFF_CHANGED,   /* a field of a component; or the value, if that has a hook `hash` */
    KITH_DIFF_RESOURCE_REMOVED, /* resources, in the same way */
    KITH_DIFF_RESOURCE_ADDED,
    KITH_DIFF_RESOURCE_CHANGED,
    KITH_DIFF_EVENTS, /* the events of a type: which there are, or for how many runs more */
    KITH_DIFF_TICKS,  /* kith_tick_count, as a field */
    KITH_DIFF_RANDOM  /* the state of kith_world_random, as a field */
} kith_difference_kind;

/* One difference. The pointers are good until the visit of it ends. */
typedef struct kith_difference {
    kith_difference_kind kind;
    kith_entity entity;      /* KITH_NONE where it is about no entity */
    const kith_type *type;   /* of the component, resource or events; NULL: none */
    const kith_field *field; /* the one that differs; NULL if it is about no field */
    const void *before; /* the whole value in each of them, as the type has it; NULL where there */
    const void *after;  /* is none, for tags, for entities and for events */
} kith_difference;

/* Looks at one difference. False: no more of them. The world may be changed there, which changes nothing
 * of what is visited. It is misuse to take, restore, free or compare snapshots there. */
typedef bool (*kith_diff_fn)(void *context, const kith_difference *difference);

/* Visits what differs between two snapshots of one world, in this order:
 *
 *   entities    by slot. Where another one has the slot, first the one that is gone:
 *               KITH_DIFF_DESPAWNED, and each component that it had as removed; then
 *               KITH_DIFF_SPAWNED, and each that the new one has as added. Components are in order of
 *               the names of their types, and fields in the order of the type
 *   resources   in order of the names of their types
 *   events      in order of the names of their types
 *   KITH_DIFF_TICKS, KITH_DIFF_RANDOM
 *
 * Values are compared as kith_world_hash does: fields bit by bit, without padding and KITH_OPAQUE; those
 * with a hook `hash` by that. Where an entity has its row does not count, nor in which order a target
 * has its sources (<kith/relation.h>). What snapshots have of systems and observers, and transient
 * components, are not compared.
 *
 * The time follows what differs: what the two share is passed over by blocks of up to 1,024 values. Each
 * table is looked at, and each resource and event.
 *
 * KITH_ERR_MEMORY   nothing was visited
 * Misuse for snapshots of two worlds, and as for kith_snapshot_take. */
KITH_API kith_result kith_snapshot_diff(const kith_snapshot *before, const kith_snapshot *after,
                                        kith_diff_fn visit, void *context);

/* Writes a difference as a line without an end, like snprintf. Names of entities are those of namers
 * (<kith/namer.h>), values those of kith_print_field:
 *
 *     "ship" (Entity(12v3)) despawned
 *     "ship" (Entity(12v3)): - Position { x = 1, y = 2 }
 *     "ship" (Entity(12v4)) spawned
 *     "ship" (Entity(12v4)): + Position { x = 0, y = 0 }
 *     Entity(13v0): Position.x 1 -> 2
 *     Entity(13v0): Owned changed            # by its hook
 *     resource Gravity.y 9.8 -> 1.6          # or + resource, or - resource
 *     events Hit
 *     ticks 10 -> 11
 *     random 81985529216486895 -> 3 */
KITH_API size_t kith_print_difference(const kith_world *world, const kith_difference *difference,
                                      char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
