/* Kith: observers: functions that are told which entities got a component, lost it, had its value
 * written, or began or ceased to match a query; many entities at a time.
 *
 *     KITH_OBSERVE(world, KITH_ON_ADD, Collider, make_bodies);
 *
 * Nothing is told at once. What happened is told at the next delivery: when kith_run starts, after
 * each of its stages that did not fail, and by kith_observers_flush. At a delivery the observers
 * are called in the order in which they were made, each with what it has not been told yet, oldest
 * first; then what they queued is applied. What they change themselves is told at the next
 * delivery.
 *
 * What observers have been told is not part of the world's state: kith_world_hash ignores it. */
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
    KITH_ON_ADD = 0, /* got the component: told once for each time, even if it is gone again */
    KITH_ON_REMOVE,  /* lost it, by a removal or a despawn: told once for each time */
    KITH_ON_DESPAWN, /* lost it, and is dead at the time of the delivery */
    KITH_ON_CHANGE, /* the value may have been written, or is new: what a KITH_CHANGED term finds, by
                        blocks or exactly. Each entity once, in the order of a query; those that a
                        failed delivery did not tell come first */
    KITH_ON_ENTER,  /* matches the query, and did not at the last delivery (or when the observer
                        was made). Each entity once */
    KITH_ON_LEAVE   /* does not match it, and did at the last delivery. Each entity once */
} kith_observer_kind;

/* What an observer is told. Lives until its function returns. */
typedef struct kith_observed {
    kith_world *world;
    const kith_entity *entities; /* for KITH_ON_REMOVE and KITH_ON_LEAVE, some may be dead */
    uint32_t count;              /* 1 to 1,024 */
    kith_observer_kind kind;
    void *user;
    kith_commands *commands;       /* applied when all observers have been called */
    const kith_type *type;         /* the def's pointer; NULL for KITH_ON_ENTER and KITH_ON_LEAVE */
    const void *values;            /* for a def with `values`: see kith_observed_values */
    const kith_observer *observer; /* the one that is called */
} kith_observed;

typedef struct kith_observer_def {
    const char *name; /* for messages; up to 127 bytes, copied. NULL is fine */
    kith_observer_kind kind;
    const kith_type *type; /* of all kinds except KITH_ON_ENTER and KITH_ON_LEAVE. Must outlive the
                              observer, which passes it on */
    kith_query_def query;  /* of those two: at least one required term, no KITH_CHANGED term, none about
                              kith_disabled, no `order` */
    bool values; /* of KITH_ON_REMOVE and KITH_ON_DESPAWN: also tells the values that were lost */
    /* KITH_TERMS of KITH_READ(T), of KITH_ON_DESPAWN: what else it tells of each entity, of other types
     * than the observer's, each once. See kith_observed_value */
    const kith_term *also;
    /* May do anything with the world, except call kith_run or kith_observers_flush, or make or free
     * observers. */
    void (*run)(const kith_observed *observed);
    void *user; /* passed on; must outlive the observer */
} kith_observer_def;

/* Makes an observer of what happens from now on. `observer` may be NULL; then it is freed with the
 * world.
 *
 * Each change takes 8 bytes until it is told; with `values` a loss takes the size of the value too.
 * Each type in `also` takes as much as an observer of that type with `values`, and while a delivery
 * lasts, 32 to 64 bytes for each value that a despawned entity had. So removing and despawning need
 * memory: see kith_tracker_new. A value with hooks is moved to where it is kept, and destroyed when
 * all observers that want it have been told.
 *
 * KITH_ERR_INPUT    the def is not valid; kith_error says why
 * KITH_ERR_MEMORY, and what kith_query_new returns
 * Types that are not registered are: see kith_register. Misuse while a query is open. */
KITH_API kith_result kith_observer_new(kith_world *world, const kith_observer_def *def,
                                       kith_observer **observer);

#ifndef __cplusplus
/* Makes an observer that is named after its function, and is freed with the world: the kind, the
 * component, the function, and then any fields of the definition. A kith_result, as above.
 *     KITH_OBSERVE(world, KITH_ON_ADD, Collider, make_bodies);
 *     KITH_OBSERVE(world, KITH_ON_REMOVE, Body, free_bodies, .values = true); */
#define KITH_OBSERVE(world, kind_, T, ...) KITH_OBSERVE_(world, T, __VA_ARGS__, .kind = (kind_))
#define KITH_OBSERVE_(world, T, function, ...)                                                     \
    kith_observer_new((world),                                                                     \
                      &(const kith_observer_def){                                                  \
                          .name = #function, .type = &T##_type, .run = (function), __VA_ARGS__},   \
                      NULL)
#endif

/* NULL is fine. Misuse within an observer. */
KITH_API void kith_observer_free(kith_observer *observer);

/* The values that the entities lost: one for each entity, in the same order, as it was when it was
 * lost. They live until the observer's function returns. `type` is the observer's.
 *
 * NULL and misuse if it is another type, or if the observer was made without `values`.
 *
 * The typed form gives a pointer to const T: const Body *bodies = KITH_COLUMN(observed, Body); */
KITH_API const void *kith_observed_values(const kith_observed *observed, const kith_type *type);

/* One value of the entity number `i` of `observed->entities`: of a type in the observer's `also` the
 * one that the entity had when it was despawned; NULL if it had none, or had lost it before. Of a tag
 * that it had, an address without bytes. Of the observer's own type, which needs `values`, as
 * kith_observed_values. Lives until the observer's function returns.
 *
 * NULL and misuse if the observer does not tell values of the type, or if `i` is not below
 * `observed->count`.
 *
 * The typed form gives a pointer to const T: const Name *name = KITH_AT(observed, i, Name); */
KITH_API const void *kith_observed_value(const kith_observed *observed, uint32_t i,
                                         const kith_type *type);

/* Tells observers what happened since the last delivery.
 *
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT   no observer was told; or what they queued could not be applied,
 *                                   and is kept for the next delivery, but not in snapshots:
 *                                   kith_snapshot_restore drops it. The limit is of entities or tables
 * What one of their queue calls failed with, also KITH_ERR_MEMORY: what they queued is dropped
 * Misuse within an observer and while a query is open. An observer that leaves a query open is
 * misuse too; the query is closed. */
KITH_API kith_result kith_observers_flush(kith_world *world);

#ifdef __cplusplus
}
#endif
#endif
