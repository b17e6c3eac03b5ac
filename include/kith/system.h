/* Kith: systems: functions that run once a tick, in an order that you choose, and side by side
 * where they cannot get in each other's way.
 *
 * Order. Phases come one after another. Within a phase a system runs after those that it names in
 * `after`, and before those in `before`; else lower priorities come first, and of equal ones those
 * that were added first.
 *
 * Stages. A tick is a row of stages. The systems of a stage run side by side, or one after another
 * if there are no workers (kith_workers_set), with the same outcome to the bit. When all have
 * returned, what each of them sent and queued is done, in the order above. A system stands in the
 * first stage in which it waits for no other. It waits for each system before it in the order
 * - of an earlier phase, or that `before` and `after` put before it
 * - that conflicts with it: one writes a component or a resource that the other reads or writes, or
 *   one sends events that the other reads
 * - of another priority, unless both are `quiet`: what a system queues is there for those of higher
 *   priorities. Systems of one priority that do not conflict do not see what the others queue
 * - if one of the two is a plain system, which may do anything and runs alone. */
#ifndef KITH_SYSTEM_H
#define KITH_SYSTEM_H

#include <kith/commands.h>
#include <kith/query.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The phases that there are, in their order; kith_phase_add makes others. */
#define KITH_PHASE_BEGIN "begin"   /* what comes from outside: input, the network */
#define KITH_PHASE_EARLY "early"   /* decisions */
#define KITH_PHASE_UPDATE "update" /* the simulation; where systems are that name no phase */
#define KITH_PHASE_LATE "late"     /* what follows from it: cameras, transforms */
#define KITH_PHASE_END "end"       /* what goes outside: drawing, sound, sending */

/* A system is either a query with a function that loops over it, or a plain function that may do
 * anything with the world. */
typedef struct kith_system_def {
    const char *name; /* unique in its world; up to 127 bytes. Copied, as all texts here */
    int32_t priority; /* lower runs first; equal ones run in the order of registration */
    bool disabled;    /* starts switched off */

    /* A query system: called once a tick with the open query, also when nothing matches. It need
     * not reach the end. What it queues on `it->commands` is applied at the end of its stage. It
     * fails by setting `it->result`; then nothing of that is applied.
     *
     * It touches the world through `it` alone, and there no more than is declared here. Calls on
     * the world itself are misuse, except those about types, kith_text_get and kith_text_find,
     * kith_print_value, kith_print_value_named and kith_print_field, kith_alive, kith_entity_count,
     * kith_entity_next, kith_component_next, kith_tick and kith_error. */
    void (*run)(kith_iter *it);
    kith_query_def query;

    /* Called for parts of what matches, maybe side by side: each call has an iterator of its own
     * over some of the blocks. How they are cut depends on the world alone, not on the workers.
     * Such a system writes other entities and resources by commands only. */
    bool parallel;
    bool quiet; /* it queues nothing: `it->commands` is NULL */

    /* A plain system, instead of `run`. `dt` is what kith_run was given. It fails by returning
     * another result than KITH_OK. It must end the queries that it opens. */
    kith_result (*update)(kith_world *world, float dt, void *user);

    void *user; /* handed to `update` and `when`; `it->user` in `run`. It outlives the system */

    const char *phase; /* NULL: "update" */
    const char *group; /* for kith_group_enable; NULL: none */
    /* KITH_NAMES("render"): systems that are to run later, or before; or NULL. They need not be
     * there until the next tick. */
    const char *const *before;
    const char *const *after;

    /* What else a query system touches. `others` are components that it reaches by an entity's
     * handle (kith_system_get), on top of those in the query; KITH_WRITE includes reading. Of
     * events KITH_WRITE means sending alone: who also reads them says both. A resource has a
     * value, so it is no tag. All three are lists of KITH_READ(T) and KITH_WRITE(T). */
    const kith_term *others;
    uint32_t other_count;
    const kith_term *resources;
    uint32_t resource_count;
    const kith_term *events;
    uint32_t event_count;

    /* When it runs: in every tick in which it is enabled, and ...
     * With `interval` or `every`, of which one is 0, `dt` is the time since it ran last (or was
     * switched on). */
    float interval; /* ... so many seconds of ticks have passed since it was due last */
    uint32_t every; /* ... so many ticks have begun since it ran last; 0 is 1 */
    /* ... it answers true: asked before each stage, in the order of the systems. */
    bool (*when)(const kith_world *world, void *user);
} kith_system_def;

/* KITH_OTHERS(KITH_READ(Health)), KITH_RESOURCES(KITH_WRITE(Score)),
 * KITH_EVENTS(KITH_WRITE(Collision)): what a system touches besides its query. They live as
 * KITH_TERMS does. */
#define KITH_OTHERS(...) KITH_LIST_(other, __VA_ARGS__)
#define KITH_RESOURCES(...) KITH_LIST_(resource, __VA_ARGS__)
#define KITH_EVENTS(...) KITH_LIST_(event, __VA_ARGS__)
#define KITH_LIST_(list, ...)                                                                      \
    .list##s = (const kith_term[]){__VA_ARGS__},                                                   \
    .list##_count = (uint32_t)(sizeof((const kith_term[]){__VA_ARGS__}) / sizeof(kith_term))

/* .after = KITH_NAMES("gravity", "input") */
#define KITH_NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Adds a system.
 *
 * KITH_ERR_CONFLICT   the name is taken
 * KITH_ERR_UNKNOWN    there is no such phase
 * KITH_ERR_INPUT      the def makes no sense; kith_error tells why: no name, or not just one of
 *                     `run` and `update`; `update` with what is for query systems; a parallel
 *                     system that declares to write what its calls would write side by side
 * KITH_ERR_MEMORY, and what kith_query_new returns
 * Misuse from within kith_run and while a query is open, and if a component's type is not
 * registered. */
KITH_API kith_result kith_system_add(kith_world *world, const kith_system_def *def);

/* Puts another definition in the place of a system: a function that was loaded anew, say. Its name
 * is that of the def. It keeps its place among systems of equal priority, whether it is enabled,
 * and its clocks. On failure the system is as it was.
 * KITH_ERR_UNKNOWN   there is no system of that name, or no such phase. Otherwise as
 *                    kith_system_add. */
KITH_API kith_result kith_system_replace(kith_world *world, const kith_system_def *def);

/* KITH_ERR_UNKNOWN   there is no system of that name. Misuse from within kith_run. */
KITH_API kith_result kith_system_remove(kith_world *world, const char *name);

/* Switches a system on or off: from the next stage on, from within a plain system too.
 * KITH_ERR_UNKNOWN   there is no system of that name; kith_error lists those that are */
KITH_API kith_result kith_system_enable(kith_world *world, const char *name, bool enabled);

/* Switches all systems of a group on or off, likewise. KITH_ERR_UNKNOWN   the group has none. */
KITH_API kith_result kith_group_enable(kith_world *world, const char *group, bool enabled);

/* The systems in their order: NULL behind the last. `priority` and `enabled` may be NULL. The name
 * lives until the system is removed. */
KITH_API const char *kith_system_at(const kith_world *world, uint32_t index, int32_t *priority,
                                    bool *enabled);

/* One tick: drops events whose time has come, runs every enabled system, counts the tick. `dt` is
 * the time to simulate in seconds: 0 or more, and finite.
 *
 * A system fails when it says so, when a queue call of it failed, and when what it queued or sent
 * cannot be done. All systems of its stage still run to their end, and what the others of them
 * queued and sent is done; what they themselves wrote stays; what the failed one queued is
 * forgotten. Then the tick ends: later stages do not run. kith_error names the system, the first
 * one in the order if there are several, and its result is returned. The tick counts, and the next
 * one is possible.
 *
 * Observers are told before the first stage and behind each (<kith/observer.h>); where that fails,
 * the tick ends likewise.
 * KITH_ERR_INPUT   `dt` is negative, infinite or not a number: nothing runs
 * What kith_schedule_build returns: nothing runs either
 * Misuse from within itself and while a query is open. */
KITH_API kith_result kith_run(kith_world *world, float dt);

/* How many ticks were begun. */
KITH_API uint64_t kith_tick(const kith_world *world);

/* ---- Within a query system
 * ------------------------------------------------------------------------
 *
 * Calls that take the iterator which the system was given. Misuse: another iterator; a type that
 * the system does not declare, writing what it declares as read; in a parallel system, reading a
 * component of other entities that the system writes. */

/* Whether this very type is registered with hooks, as kith_has_hooks tells of a world. Any type. */
KITH_API bool kith_system_has_hooks(const kith_iter *it, const kith_type *type);

/* Whether an entity is alive. */
KITH_API bool kith_system_alive(const kith_iter *it, kith_entity entity);

/* Whether an entity is alive and has a component, which is declared in any way. */
KITH_API bool kith_system_has(const kith_iter *it, kith_entity entity, const kith_type *type);
#define KITH_SYSTEM_HAS(it, entity, T) kith_system_has((it), (entity), &T##_type)

/* A component of any entity, to read: NULL if it is dead or has none, and for a tag. The pointer is
 * good until the system returns. */
KITH_API const void *kith_system_get(const kith_iter *it, kith_entity entity,
                                     const kith_type *type);
#define KITH_SYSTEM_GET(it, entity, T) ((const T *)kith_system_get((it), (entity), &T##_type))

/* The same, to write; not in a parallel system.
 * KITH_ERR_DEAD, KITH_ERR_ABSENT (a tag has no value)
 * KITH_ERR_MEMORY   only while blocks are shared with a snapshot */
KITH_API kith_result kith_system_get_mut(const kith_iter *it, kith_entity entity,
                                         const kith_type *type, void **value);

/* A resource, to read; NULL if there is none. */
KITH_API const void *kith_system_resource(const kith_iter *it, const kith_type *type);
#define KITH_SYSTEM_RESOURCE(it, T) ((const T *)kith_system_resource((it), &T##_type))

/* The same, to write; not in a parallel system.
 * KITH_ERR_ABSENT; KITH_ERR_MEMORY   only while it is shared with a snapshot */
KITH_API kith_result kith_system_resource_mut(const kith_iter *it, const kith_type *type,
                                              void **value);

/* Sends a copy of `*value` (NULL: all zero bytes; tags take NULL): it is in the queue when the
 * stage has ended, behind what systems before this one in the order sent, and calls of this one for
 * entities before. Of a type with hooks the value is made here, in the thread that runs the system, and
 * destroyed if the event does not arrive.
 * KITH_ERR_MEMORY, and what a hook returns: the system fails, whatever it does with this result. */
KITH_API kith_result kith_system_send(kith_iter *it, const kith_type *type, const void *value);
#define KITH_SYSTEM_SEND(it, T, ...) kith_system_send((it), &T##_type, &(const T)__VA_ARGS__)

/* Event number `index` of those in the queue, oldest first, without those that are sent in this
 * stage; NULL if there are not so many. For a tag the pointer is not to be followed. */
KITH_API const void *kith_system_event(const kith_iter *it, const kith_type *type, uint32_t index);
#define KITH_SYSTEM_EVENT(it, index, T) ((const T *)kith_system_event((it), &T##_type, (index)))

/* The next number of a random stream. Each call of a system's function has a stream of its own,
 * made from the world's seed (kith_world_def), the system's name, the tick, and the call's number
 * in the tick: the numbers are the same for any number of workers. The method is SplitMix64, from
 * Guy L. Steele Jr., Doug Lea and Christine H. Flood, "Fast Splittable Pseudorandom Number
 * Generators" (2014). */
KITH_API uint64_t kith_system_random(kith_iter *it);

/* The same as a number from 0 up to, but not including, 1. */
static inline float kith_system_random_float(kith_iter *it)
{
    return (float)(kith_system_random(it) >> 40) * (1.0f / 16777216.0f);
}

#ifdef __cplusplus
}
#endif
#endif
