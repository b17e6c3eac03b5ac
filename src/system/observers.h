/* Observers: which there are (observer.c), telling them what happened (delivery.c), and the values that
 * were lost (observed.c). */
#ifndef KI_SYSTEM_OBSERVERS_H
#define KI_SYSTEM_OBSERVERS_H

#include <kith/observer.h>
#include <kith/tracker.h>

#include "base/map.h"
#include "store/change_log.h"
#include "store/column.h"

struct ki_systems;

/* A type in `also`: finds the values that entities had when they were despawned. */
typedef struct ki_observed_type {
    kith_tracker *tracker;
    ki_map values;           /* of this delivery, by entity */
    ki_change_log_scan scan; /* the end of what they are of */
    uint64_t end; /* where the delivery began: as many entries of the log are passed over */
} ki_observed_type;

struct kith_observer {
    struct ki_systems *systems;
    uint64_t number;     /* observers of the world that were made before, and itself */
    kith_observer *next; /* in the order in which they were made */
    kith_observer *previous;
    kith_observer_def def;
    char *name;
    kith_query
        *query; /* KITH_ON_CHANGE: finds what was written; KITH_ON_ENTER and _LEAVE: the def's */
    kith_tracker **trackers; /* of the types that decide whether to tell */
    uint32_t tracker_count;
    ki_observed_type *also; /* the types of the def's `also` */
    uint32_t also_count;
    uint64_t
        end; /* KITH_ON_ADD, _REMOVE and _DESPAWN: where this delivery ends in the tracker's log */
    /* Paged by slot: 1 + the generation of the entity that matched at the last delivery, or 0. For
     * KITH_ON_CHANGE it is scratch and all 0. Snapshots share its blocks. */
    ki_column matched;
    kith_entity *entities; /* KITH_ON_CHANGE, _ENTER and _LEAVE: candidates of this delivery */
    uint32_t count;
    uint32_t leftover; /* of them, those from deliveries that failed */
    uint32_t capacity;
    bool misused; /* in this delivery: it returned with a query open */
};

typedef struct ki_observers {
    kith_observer *first; /* in the order in which they were made */
    kith_observer *last;
    uint64_t made;           /* that were ever made */
    uint64_t tracked;        /* their trackers that were ever made */
    kith_commands *commands; /* that they queue on; NULL: there was never an observer */
} ki_observers;

/* Whether the observer hands on what its tracker says, without asking a query. */
static inline bool ki_observer_only_tracks(const kith_observer *observer)
{
    return observer->def.kind <= KITH_ON_DESPAWN;
}

/* Whether the observer tells that entities began or ceased to match a query. */
static inline bool ki_observer_compares(const kith_observer *observer)
{
    return observer->def.kind >= KITH_ON_ENTER;
}

ki_heap *ki_observer_heap(const kith_observer *observer);

/* Makes ki_observer_mark certain for some entities. KITH_ERR_MEMORY. */
kith_result ki_observer_reserve_marks(kith_observer *observer, const kith_entity *entities,
                                      uint32_t count);

/* The mark of an entity's slot: 1 + a generation, or 0. */
static inline uint64_t *ki_observer_mark_of(const kith_observer *observer, kith_entity entity)
{
    return ki_column_at(&observer->matched, entity.index1 - 1);
}

/* Notes whether an entity matches. */
static inline void ki_observer_mark(const kith_observer *observer, kith_entity entity, bool matches)
{
    *ki_observer_mark_of(observer, entity) = matches ? (uint64_t)entity.generation + 1 : 0;
}

static inline bool ki_observer_is_marked(const kith_observer *observer, kith_entity entity)
{
    return *ki_observer_mark_of(observer, entity) == (uint64_t)entity.generation + 1;
}

/* Finds the values of `also` that a delivery is about. KITH_ERR_MEMORY. */
kith_result ki_observed_collect(kith_observer *observer);

/* Notes that an observer is to be told of values, and that it was, so that they can go. */
void ki_observed_begin(const kith_observer *observer);
void ki_observed_end(const kith_observer *observer);

/* Errors as of kith_observers_flush, reported for `call`. */
kith_result ki_observers_deliver(struct ki_systems *systems, const char *call);
void ki_observers_free(struct ki_systems *systems);

/* What a snapshot holds of observers, besides what they have not been told of change logs. */
typedef struct ki_observers_state {
    const kith_world *world; /* that it was taken of, or is ready for */
    struct ki_observer_state *list;
    uint32_t count;
} ki_observers_state;

/* KITH_ERR_MEMORY: nothing was taken. */
kith_result ki_observers_take(struct ki_systems *systems, ki_observers_state *taken);
void ki_observers_free_taken(struct ki_systems *systems, ki_observers_state *taken);

/* Makes in `ready` all that ki_observers_restore hands to the observers that there are, in their order.
 * NULL `taken`: there were none. `slots`: how many there will be. KITH_ERR_MEMORY: nothing was made. */
kith_result ki_observers_reserve(struct ki_systems *systems, const ki_observers_state *taken,
                                 uint32_t slots, ki_observers_state *ready);

/* Uses up what is ready. */
void ki_observers_restore(struct ki_systems *systems, ki_observers_state *ready);

#endif
