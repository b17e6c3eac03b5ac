/* Kith: systems: functions that run once a tick, in an order that you choose. Systems that cannot
 * disturb each other run side by side.
 *
 * Order. Phases come one after another. Within a phase a system runs after the systems that it
 * names in `after`, and before those in `before`. Apart from that, lower priorities come first, and
 * systems of equal priority run in the order in which they were added.
 *
 * Stages. A tick is a sequence of stages. The systems of a stage run side by side, or one after
 * another if there are no workers (kith_workers_set); the outcome is the same to the bit. When all
 * of them have returned, what each of them sent and queued is applied, in the order above. A system
 * is in the first stage in which it waits for no other. It waits for each system before it in the
 * order
 * - of an earlier phase, or that `before` and `after` put before it
 * - that conflicts with it: one writes a component or a resource that the other reads or writes, or
 *   one sends events that the other reads
 * - of another priority, unless both are `no_commands`: so systems of higher priorities see what it
 *   queued. Systems of one priority that do not conflict do not see what the others queued
 * - if one of the two is a plain system, which may do anything and runs alone. */
#ifndef KITH_SYSTEM_H
#define KITH_SYSTEM_H

#include <kith/commands.h>
#include <kith/condition.h>
#include <kith/index.h>
#include <kith/query.h>
#include <kith/random.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The built-in phases, in their order; kith_phase_add adds others. */
#define KITH_PHASE_BEGIN "begin"   /* input, the network */
#define KITH_PHASE_EARLY "early"   /* decisions */
#define KITH_PHASE_UPDATE "update" /* the simulation; the phase of systems that name none */
#define KITH_PHASE_LATE "late"     /* cameras, transforms */
#define KITH_PHASE_END "end"       /* drawing, sound, sending */

/* Queries of a system besides the first. */
#define KITH_SYSTEM_QUERIES 16

/* A system is either a query with a function that loops over it (`run`), or a plain function that may do
 * anything with the world (`update`). */
typedef struct kith_system_def {
    const char
        *name; /* unique in its world; up to 127 bytes, without commas, and without spaces at its
                         ends. Copied, as all texts here */
    int32_t priority; /* lower runs first; equal ones run in the order of registration */
    bool disabled;    /* starts switched off */

    /* A query system: called once a tick with the open query, also when nothing matches. It need
     * not reach the end of the query. What it queues on `it->commands` is applied at the end of its
     * stage. It fails by setting `it->result`; then nothing of what it queued is applied.
     *
     * It may use the world only through `it`, and only what is declared here. Calls on the world
     * itself are misuse, except those about types, kith_text_get and kith_text_find,
     * kith_print_value, kith_print_value_named and kith_print_field, kith_alive, kith_entity_count,
     * kith_entity_next, kith_component_next, kith_unique_find, kith_tick_count and kith_error; and
     * those that ask the indexes in `indexes`. */
    void (*run)(kith_iter *it);
    kith_query_def query;

    /* Further queries, which `run` opens by kith_system_query any number of times, up to the first of
     * zeros: so one that matches every entity needs a name, { .name = "all" }. In a parallel system
     * they write nothing, and read no values that `query` writes. None of them looks for changes of
     * what another query of the system writes. A plain system has all of its queries here, and any
     * that it likes.
     *     .queries = {{ .terms = KITH_TERMS(KITH_READ(Enemy)) }} */
    kith_query_def queries[KITH_SYSTEM_QUERIES];

    /* Calls `run` for parts of what matches, maybe side by side. Each call has an iterator of its
     * own over some of the blocks. How they are divided depends only on the world, not on the
     * workers. Such a system writes other entities and resources only by commands.
     *
     * If `query` has an `order`, the levels come one after the other: calls for entities of one
     * depth begin when all calls for the depth before have returned. So its terms of ancestors
     * (KITH_UP, and KITH_VIA(kith_child_of, ...)) may read what the query writes: with
     * KITH_PARENTS_FIRST they find the new values, with KITH_CHILDREN_FIRST those of before. */
    bool parallel;
    bool no_commands; /* it queues nothing: `it->commands` is NULL */

    /* A plain system, instead of `run`: called once a tick, by the owner thread. It may do anything
     * with the world, now or by `it->commands`, which is applied at the end of its stage, after it
     * returned. It fails by returning a result other than KITH_OK, or by setting `it->result`; then
     * nothing of what it queued is applied. It must end the queries that it opens.
     *
     * `it` has `dt`, `user`, `commands` and random numbers. All other calls that take it do what
     * those on the world do. It has no query: kith_next is misuse, since a loop that never runs
     * would be hard to notice. Open a query by kith_query_iter, or by kith_system_query if it is in
     * `queries`. */
    kith_result (*update)(kith_world *world, kith_iter *it);

    void *user; /* `it->user`, and passed to `run_if`. Must outlive the system */

    const char *phase; /* NULL: "update" */
    const char *group; /* for kith_system_group_enable; NULL: none */
    /* Names of systems, such as "gravity, input": this one runs before those in `before`, and after
     * those in `after`. They need not exist until the next tick. NULL: none. */
    const char *before;
    const char *after;

    /* What a query system uses besides its query: KITH_TERMS of KITH_READ(T) and KITH_WRITE(T).
     * `lookups` are components that it looks up by an entity's handle (kith_system_get), also by
     * KITH_BEFORE(T). KITH_WRITE includes reading, except for events, where it means sending: a
     * system that also reads them declares both. A tag cannot be a resource, since it has no
     * value. */
    const kith_term *lookups;
    const kith_term *resources;
    const kith_term *events;

    /* Indexes that it asks: KITH_INDEXES(places, teams). It may call what finds with them, also in a
     * parallel system, and is answered as of before its stage, whatever it writes. An answer lives
     * until the same index is asked again, or the system returns. Queries that filter have no
     * conditions about values. Declaring an index counts as reading its component. */
    kith_index *const *indexes;

    /* When it runs: in each tick in which it is enabled and the following hold. At least one of
     * `interval` and `every_ticks` is 0. If the other is not, `dt` is the time since the system ran
     * last, or was enabled. */
    float interval;       /* so many seconds were simulated since it was due last */
    uint32_t every_ticks; /* so many ticks have begun since it ran last; 0 is 1 */
    /* Returns true, or is NULL. Called before each stage, in the order of the systems. */
    bool (*run_if)(const kith_world *world, void *user);

    /* What KITH_SYSTEM is given, from number 1 on: up to 16 terms. More of them, and other definitions,
     * are in `query`. Private. */
    kith_term terms[18];
    char end_of_terms;
} kith_system_def;

/* In `lookups`: to read values of any entity as they were before the system's stage, whatever the
 * system writes meanwhile, its own entities' as well. So parallel systems may read what they write: a
 * flock in which each looks at its neighbours. If the system writes the component, each block is copied
 * when it is written, and the system fails if there is no memory for that. */
#define KITH_BEFORE(T)                                                                             \
    {                                                                                              \
        &T##_type, KITH_ACCESS_READ, KITH_AS_BEFORE, 0, NULL                                       \
    }

/* A list of indexes, for `indexes`. It lives as long as one of KITH_TERMS. */
#define KITH_INDEXES(...) ((kith_index *const[]){__VA_ARGS__, NULL})

/* Adds a system.
 *
 * KITH_ERR_CONFLICT   the name is taken
 * KITH_ERR_UNKNOWN    there is no such phase
 * KITH_ERR_INPUT      the def is not valid; kith_error says why: no name; a list of names with an
 *                     empty one; not exactly one of `run`
 *                     and `update`; `update` with a query, lists or `parallel`; a parallel system that
 *                     declares to write what its calls would write side by side; `queries` that must
 *                     not be together; KITH_BEFORE of a tag, or beside another lookup of the type;
 *                     a hash by texts or several fields of a component that the system writes
 * KITH_ERR_TYPE       KITH_BEFORE of a type that has hooks, but no `copy`
 * KITH_ERR_MEMORY, and what kith_query_new returns
 * Components that are not registered are: see kith_register. Misuse within kith_run, and while a query
 * is open. */
KITH_API kith_result kith_system_add(kith_world *world, const kith_system_def *def);

/* Adds a query system that is named after its function: the function, the terms of its query, and then
 * any fields of the definition.
 *     KITH_SYSTEM(world, movement, KITH_WRITE(Position), KITH_READ(Velocity), KITH_WITHOUT(Frozen));
 *     KITH_SYSTEM(world, shoot, KITH_WRITE(Gun), .parallel = true, .after = "aim"); */
#define KITH_SYSTEM(world, ...) KITH_SYSTEM_(world, __VA_ARGS__, .end_of_terms = 0)
#define KITH_SYSTEM_(world, function, ...)                                                         \
    kith_system_add((world),                                                                       \
                    &(const kith_system_def){                                                      \
                        .name = #function, .run = (function), .terms[0] = {0}, __VA_ARGS__})

/* Replaces the system that has the def's name: by a function that was loaded again, for example.
 * The new one keeps the place among systems of equal priority, the times, and whether it is
 * enabled. If the call fails, the system is as it was.
 *
 * KITH_ERR_UNKNOWN   there is no system of that name, or no such phase
 * Otherwise as kith_system_add. */
KITH_API kith_result kith_system_replace(kith_world *world, const kith_system_def *def);

/* KITH_ERR_UNKNOWN   there is no system of that name. Misuse within kith_run. */
KITH_API kith_result kith_system_remove(kith_world *world, const char *name);

/* Enables or disables a system, from the next stage on. A plain system may call this.
 * KITH_ERR_UNKNOWN   there is no system of that name; kith_error lists those that exist */
KITH_API kith_result kith_system_enable(kith_world *world, const char *name, bool enabled);

/* Enables or disables all systems of a group in the same way.
 * KITH_ERR_UNKNOWN   no system is in the group */
KITH_API kith_result kith_system_group_enable(kith_world *world, const char *group, bool enabled);

/* Gives what is kith_bound to `name` in the queries of a system this value, until the next call: in the
 * first query and in all of `queries` that have the name.
 *     KITH_SYSTEM(world, heal, KITH_WRITE(Health), KITH_IF(Health, current, <, kith_bound("limit")));
 *     kith_system_bind(world, "heal", "limit", 20);
 *
 * A query system that is to run must have values for all names, or kith_run fails with KITH_ERR_INPUT
 * before its stage. Plain systems, observers and `run_if` may bind for systems of later stages. A value
 * belongs to the system, not to the state of the world: snapshots have none of it, and a system that
 * was replaced needs it anew.
 *
 * KITH_ERR_UNKNOWN   there is no system of that name, or none of its queries has `name`; kith_error
 *                    tells the nearest
 * KITH_ERR_INPUT     the value does not fit a field that it is compared with; kith_error tells both
 * KITH_ERR_MEMORY    for the copies of a text
 * After an error the former values are kept. Misuse in a query system, and while a plain system has one
 * of these queries open. */
KITH_API kith_result kith_system_bind_operand(kith_world *world, const char *system,
                                              const char *name, kith_operand operand);
#ifndef __cplusplus
#define kith_system_bind(world, system, name, value)                                               \
    kith_system_bind_operand((world), (system), (name), KITH_OPERAND_(value))
#endif

/* Writes how a query of a system would find its entities if it were to run now, and why, as
 * kith_query_explain does (<kith/query_text.h>). Number 0 is `query`, 1 the first of `queries`.
 * KITH_ERR_UNKNOWN   there is no such system, or no such query; kith_error tells which there are
 * KITH_ERR_INPUT     a name has no value */
KITH_API kith_result kith_system_explain(kith_world *world, const char *system, uint32_t number,
                                         char *text, size_t size, size_t *length);

/* The systems in their order: NULL after the last. `priority` and `enabled` may be NULL. The name
 * lives until the system is removed. */
KITH_API const char *kith_system_at(const kith_world *world, uint32_t index, int32_t *priority,
                                    bool *enabled);

/* One tick: drops events that are old enough, runs every enabled system, counts the tick. `dt` is
 * the time to simulate in seconds: 0 or more, and finite.
 *
 * A system fails if it reports a failure, if one of its queue calls failed, or if what it queued or
 * sent cannot be applied. Then nothing of what it queued and sent is applied; values that it wrote
 * stay. The other systems of its stage still run to their end, and their output is applied. Then
 * the tick ends: later stages do not run. kith_error names the system, or the first one in the
 * order of several, and its result is returned. The tick counts, and the next one is possible.
 *
 * Observers are told before the first stage and after each stage (<kith/observer.h>). If that
 * fails, the tick ends in the same way.
 *
 * KITH_ERR_INPUT   `dt` is negative, infinite or not a number: nothing runs. Or a name in a query of a
 *                  system has no value: its stage does not run, and the tick ends (kith_system_bind)
 * What kith_schedule_build returns: nothing runs
 * Misuse within kith_run and while a query is open. */
KITH_API kith_result kith_run(kith_world *world, float dt);

/* How many ticks have begun. */
KITH_API uint64_t kith_tick_count(const kith_world *world);

/* ---- Within a system --------------------------------------------------------------------------
 *
 * These calls take the iterator that the system was given. Misuse in a query system: a type that it
 * does not declare; writing what it declares as read; in a parallel system, reading by handle a
 * component that the system writes, unless it declares KITH_BEFORE.
 *
 * With the iterator of a plain system, or one that the program opened itself, the calls do what those
 * on the world do: an event is sent at once, for example. Only kith_system_query and
 * kith_system_parallel need the iterator of a system that is running, and so do the random numbers of a
 * plain system. */

/* Opens one of the system's further queries: number 1 is the first of `queries`. It visits all that
 * matches, whichever part of the first query this call is for. Like other iterations, it ends when
 * kith_next returns false, or by kith_iter_close; what is still open when the system returns is closed.
 *
 *     for (kith_iter foes = kith_system_query(it, 1); kith_next(&foes);) { ... }
 *
 * `dt`, `user` and `commands` are those of `it`, and the calls below take the new iterator as well.
 * If it looks for changes, it sees those since the last tick in which the calls of the system came
 * to the end of the first query. If memory runs out, the first kith_next returns false, and the
 * system fails.
 *
 * In a plain system the query is open as if by kith_query_iter: changes of structure are misuse
 * meanwhile, it must end before the system returns, and each iteration that comes to its end counts
 * as a look.
 *
 * Misuse, besides that of all these calls: a number that is 0 or too high; in a query system, more
 * than 16 iterators of one query at a time. */
#define kith_system_query(it, number) kith_system_query_at((it), (number), __FILE__, __LINE__)
KITH_API kith_iter kith_system_query_at(const kith_iter *it, uint32_t number, const char *file,
                                        int line);

/* In a plain system: goes through a query as a parallel system does. Calls `run` for parts of what
 * matches, maybe side by side, and returns when all calls have returned. How the query is divided
 * depends only on the world, so the outcome is the same for any number of workers. If the query has
 * an `order`, level comes after level.
 *
 * Each call of `run` has an iterator of its own: it writes the values of its own batches, and
 * queues nothing. Of other entities it may read the components of the query that the query does not
 * write (kith_system_get), and with an `order` the terms of ancestors find what the query writes,
 * as in a parallel system. It fails by setting the iterator's `result`. `it->user` is `user`, and
 * `it->dt` that of the system; each call has random numbers of its own. If all calls come to the
 * end of their iterators, that counts as a look. In the profile the loop is a part of the time of
 * the plain system.
 *
 * KITH_ERR_INPUT    calls would read what others write, or a value is not bound: kith_error says which
 * KITH_ERR_MEMORY   values may have been written in part
 * What the first of the calls that failed, in their order, has set.
 * Misuse: in a query system, or within such a loop; a query of another world; while a query is open. */
KITH_API kith_result kith_system_parallel(const kith_iter *it, kith_query *query,
                                          void (*run)(kith_iter *it), void *user);

/* Whether a type is registered with hooks, as kith_has_hooks says. It need not be declared. */
KITH_API bool kith_system_has_hooks(const kith_iter *it, const kith_type *type);

/* Whether an entity is alive. */
KITH_API bool kith_system_alive(const kith_iter *it, kith_entity entity);

/* Whether an entity is alive and has a component. Any declaration of the component will do. */
KITH_API bool kith_system_has(const kith_iter *it, kith_entity entity, const kith_type *type);

/* A component of any entity, to read; NULL for a tag, and if the entity is dead or has no such
 * component. The pointer lives until the system returns. */
KITH_API const void *kith_system_get(const kith_iter *it, kith_entity entity,
                                     const kith_type *type);

/* A component of any entity, to write; not in a parallel system.
 * KITH_ERR_DEAD
 * KITH_ERR_ABSENT   the entity has no such component, or it is a tag
 * KITH_ERR_MEMORY */
KITH_API kith_result kith_system_get_mut(const kith_iter *it, kith_entity entity,
                                         const kith_type *type, void **value);

/* The same as a pointer; NULL on failure. */
KITH_API void *kith_system_get_mut_or_null(const kith_iter *it, kith_entity entity,
                                           const kith_type *type);

/* A resource, to read; NULL if there is none. */
KITH_API const void *kith_system_resource(const kith_iter *it, const kith_type *type);

/* A resource, to write; not in a parallel system.
 * KITH_ERR_ABSENT, KITH_ERR_MEMORY */
KITH_API kith_result kith_system_resource_mut(const kith_iter *it, const kith_type *type,
                                              void **value);

/* The same as a pointer; NULL on failure. */
KITH_API void *kith_system_resource_mut_or_null(const kith_iter *it, const kith_type *type);

/* Sends a copy of `*value` (NULL: all bytes zero; for tags NULL). It is in the queue after the
 * stage, after what systems earlier in the order sent, and after what calls of this system for
 * earlier entities sent. If the type has hooks, the copy is made at once, in the thread that runs
 * the system, and destroyed if the event does not arrive.
 *
 * KITH_ERR_MEMORY, and what a hook returns: the system fails, whatever it does with the result. */
KITH_API kith_result kith_system_send(kith_iter *it, const kith_type *type, const void *value);

/* Event number `index` of those in the queue, oldest first, without those that are sent in this
 * stage; NULL if there are not so many. Do not follow the pointer for a tag. */
KITH_API const void *kith_system_event(const kith_iter *it, const kith_type *type, uint32_t index);

/* How many there are: kith_system_event returns NULL from this index on. */
KITH_API uint32_t kith_system_event_count(const kith_iter *it, const kith_type *type);

/* The next number of a random stream. Each call of a system's function has a stream of its own,
 * made from the world's seed (kith_world_def), the system's name, the tick, and the number of the
 * call in the tick. So the numbers are the same for any number of workers. See kith_random_next.
 * An iterator that the program opened itself has the world's stream: kith_world_random. */
KITH_API uint64_t kith_system_random(kith_iter *it);

/* The next number of the same stream as a float from 0 up to, but not including, 1. */
static inline float kith_system_random_float(kith_iter *it)
{
    return (float)(kith_system_random(it) >> 40) * (1.0f / 16777216.0f);
}

/* The same stream, for the calls of <kith/random.h>: KITH_RANDOM(it). The pointer lives until the
 * system returns. NULL after misuse. */
KITH_API kith_random *kith_system_random_stream(kith_iter *it);

#ifdef __cplusplus
}
#endif
#endif
