/* Kith: events: a queue for each type and world. Any number of readers read it, in the order in which
 * the events were sent.
 *
 * How long an event lives: it belongs to the kith_run in which it is sent or, sent between two
 * runs, to the next one. It is dropped when the run after that starts, or `keep` runs later. A
 * world that never calls kith_run keeps its events until they are cleared. The only limits are
 * memory, and 2^32 - 2 events in a queue (KITH_ERR_LIMIT). */
#ifndef KITH_EVENT_H
#define KITH_EVENT_H

#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_event_def {
    uint32_t keep; /* runs that an event outlives beyond its own; up to 1,024 */
} kith_event_def;

/* Makes a queue for `type`. NULL `def` is a def of zeros. Needed only for a def other than that:
 * the first event of a type makes its queue.
 *
 * KITH_ERR_INPUT      the type or the def makes no sense
 * KITH_ERR_CONFLICT   a queue of that name is there with another struct or def
 * KITH_ERR_TYPE       a field is KITH_OPAQUE, and the type is not registered with hooks
 * KITH_ERR_MEMORY */
KITH_API kith_result kith_event_register(kith_world *world, const kith_type *type,
                                         const kith_event_def *def);

/* Appends a copy of `*value` (NULL: all zero bytes; tags take NULL). Allowed while queries are
 * open. Errors as for kith_event_register, and what a hook returns.
 *
 * If the type is registered with hooks (see kith_hooks), `copy` or `init` makes the event's value,
 * and `destroy` ends it when the event is dropped. */
KITH_API kith_result kith_event_send(kith_world *world, const kith_type *type, const void *value);

/* Appends copies of `count` values in a row (NULL: all zero bytes; tags take NULL): all of
 * them, or none. Errors as for kith_event_register, and KITH_ERR_LIMIT. */
KITH_API kith_result kith_event_send_many(kith_world *world, const kith_type *type,
                                          const void *values, uint32_t count);

/* Makes room for `count` events, so that the next so many can be sent without memory (except what
 * hooks need): for code that makes several changes, all or none. The room lasts until other events
 * of the type are sent, or kith_world_trim. 0 makes no queue, and only tells whether such events
 * can be sent. Errors as for kith_event_send_many. */
KITH_API kith_result kith_event_reserve(kith_world *world, const kith_type *type, uint32_t count);

/* How many events of the type are in the queue. */
KITH_API uint32_t kith_event_count(const kith_world *world, const kith_type *type);

/* Event number `index` of those in the queue, oldest first; NULL if there are not so many. For a
 * tag the pointer is not to be followed. It dies when an event of this type is sent, dropped or
 * cleared.
 *     for (uint32_t i = 0; (hit = KITH_EVENT(world, i, Collision)) != NULL; i++) */
KITH_API const void *kith_event_at(const kith_world *world, const kith_type *type, uint32_t index);

/* Reads on from where this reader was: each event once, however seldom it reads. `*reader` starts at
 * 0. Returns NULL when there are no more. Events that were dropped before they were read are skipped,
 * and `*missed` grows by their number; `missed` may be NULL. */
KITH_API const void *kith_event_next(const kith_world *world, const kith_type *type,
                                     uint64_t *reader, uint64_t *missed);

/* Drops all events of the type. A queue that is not there has none. */
KITH_API void kith_event_clear(kith_world *world, const kith_type *type);

#ifdef __cplusplus
}
#endif
#endif
