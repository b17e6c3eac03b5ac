/* Kith: observers: functions that are told, some entities at a time, who got a component, who lost
 * it, whose value was written, and who began or ceased to match a query.
 *
 *     kith_observer_new(world, &(kith_observer_def){
 *         .name = "bodies", .kind = KITH_ON_ADD, .type = &Collider_type, .run = make_bodies}, NULL);
 *
 * Nothing is told at once. What happened is told at the next delivery: when kith_run starts, behind
 * each of its stages that did not fail, and by kith_observe. At a delivery the observers are called
 * in the order in which they were made, each with what it has not been told yet, oldest first; then
 * what they queued is applied. What they change themselves is told at the next delivery.
 *
 * What observers have been told is no part of the world's state: it does not count for
 * kith_world_hash. */
#ifndef KITH_OBSERVER_H
#define KITH_OBSERVER_H

#include <kith/commands.h>
#include <kith/query.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_observer kith_observer;

typedef enum kith_observer_kind {
    KITH_ON_ADD = 0, /* got the component: once for each time, even if it is gone again */
    KITH_ON_REMOVE,  /* lost it, by a removal, a clear or a despawn: likewise */
    KITH_ON_DESPAWN, /* of those who lost it, who are dead by now */
    KITH_ON_SET,     /* the value may have been written, or is new: what a KITH_CHANGED term tells,
                        by the block or exactly. Each entity once, in the order of a query;
                        those that a delivery failed to tell come first */
    KITH_ON_ENTER,   /* matches the query, and did not at the last delivery (or when the observer
                        was made). Each entity once */
    KITH_ON_LEAVE    /* the reverse */
} kith_observer_kind;

/* What an observer is told. Lives until its function returns. */
typedef struct kith_observed {
    kith_world *world;
    const kith_entity *entities; /* of KITH_ON_REMOVE and KITH_ON_LEAVE, some may be dead */
    uint32_t count;              /* 1 to 1,024 */
    kith_observer_kind kind;
    void *user;
    kith_commands *commands; /* applied when all observers have been called */
    const kith_type *type;   /* the def's pointer; NULL of KITH_ON_ENTER and KITH_ON_LEAVE */
    const void *values;      /* of a def with `values`: see kith_observed_values */
} kith_observed;

typedef struct kith_observer_def {
    const char *name; /* for messages; up to 127 bytes, copied. NULL is fine */
    kith_observer_kind kind;
    const kith_type *type; /* of all but KITH_ON_ENTER and KITH_ON_LEAVE; lives as long as the
                              observer, which hands it on */
    kith_query_def query; /* of those two: at least one term that must be there, none that must have
                              changed */
    bool values; /* of KITH_ON_REMOVE and KITH_ON_DESPAWN: the values that were lost are told too */
    /* May do what it likes to the world, but run it or deliver, and make or free observers. */
    void (*run)(const kith_observed *observed);
    void *user; /* Not Kith's: outlive the observer */
} kith_observer_def;

/* Makes an observer of what happens from here on. `observer` may be NULL: it is freed with the world.
 * Until it is told, each change costs 8 bytes, and with `values` one of a loss the value's size too;
 * so removing and despawning need memory: see kith_tracker_new. A value with hooks is moved to where it
 * waits, and destroyed when all that want it have been told.
 *
 * KITH_ERR_INPUT    the def makes no sense; kith_error tells why
 * KITH_ERR_MEMORY, and what kith_query_new returns
 * Misuse if a type is not registered, and while a query is open. */
KITH_API kith_result kith_observer_new(kith_world *world, const kith_observer_def *def,
                                       kith_observer **observer);

/* NULL is fine. Misuse from within an observer. */
KITH_API void kith_observer_free(kith_observer *observer);

/* What the entities lost: as many values as there are entities, in their order, as they were when they
 * were lost. They live until the observer's function returns. `type` is that of the observer.
 *
 * NULL and misuse if it is another type, or the observer was made without `values`. */
KITH_API const void *kith_observed_values(const kith_observed *observed, const kith_type *type);

/* The typed form: a pointer to const T.
 *     const Body *bodies = KITH_OBSERVED_VALUES(observed, Body); */
#define KITH_OBSERVED_VALUES(observed, T) ((const T *)kith_observed_values((observed), &T##_type))

/* Tells observers what happened since the last delivery.
 *
 * KITH_ERR_MEMORY    and nobody was told; or what they queued could not be applied, and is kept for
 *                    the next delivery
 * KITH_ERR_LIMIT     likewise, for entities or tables
 * What a queue call of theirs failed with, KITH_ERR_MEMORY too: what they queued is forgotten
 * Misuse from within an observer, and while a query is open; and if an observer leaves one open, which
 * is closed then. */
KITH_API kith_result kith_observe(kith_world *world);

#ifdef __cplusplus
}
#endif
#endif
