/* Kith: worlds, component types, and everything that changes which entity has what.
 *
 * A world belongs to one thread at a time (kith_world_release, kith_world_claim); several worlds live
 * side by side, each in a thread of its own if you like. Only the owner thread makes the calls here.
 * A call from another thread or from a hook is misuse, and so is one from a query system, with the
 * exceptions in <kith/system.h>.
 *
 * Pointers into a world: what kith_get and kith_get_mut return is good until the next change of
 * structure that concerns its component (spawn, clone, add, remove, remove all, despawn), whether it
 * succeeds or fails, and a read pointer also until the next write to a value of the same component.
 * Values that a call takes may be in the world itself, and need no alignment unless they have
 * hooks.
 *
 * KITH_ERR_LIMIT: 2^24 tables (sets of KITH_TABLE components) are the most that a world has. */
#ifndef KITH_WORLD_H
#define KITH_WORLD_H

#include <kith/base.h>
#include <kith/entity.h>
#include <kith/random.h>
#include <kith/type.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_world kith_world;

/* ---- Worlds ------------------------------------------------------------------------------- */

/* What to do about two systems that conflict, if nothing but the order in which they were added
 * tells which comes first: see <kith/schedule.h>. */
typedef enum kith_conflicts {
    KITH_CONFLICTS_OFF = 0,
    KITH_CONFLICTS_WARN, /* log a warning, once each time that the schedule is built */
    KITH_CONFLICTS_ERROR /* kith_run and kith_schedule_build return KITH_ERR_CONFLICT */
} kith_conflicts;

/* How to make a world. All zero is a good default. */
typedef struct kith_world_def {
    kith_allocator allocator;   /* where all memory comes from; without functions: the C library */
    size_t memory_limit;        /* bytes that the world may hold at once; 0: no limit */
    uint32_t expected_entities; /* room made for so many entities at once, and kept; no limit */
    uint32_t expected_types;    /* the same for component types */
    kith_misuse_fn on_misuse;   /* NULL: log the message and abort */
    void *misuse_context;       /* handed to on_misuse */
    kith_log_fn on_log;         /* NULL: print what is logged to stderr; of misuse, only what
                                   on_misuse does not get */
    void *log_context;          /* handed to on_log */
    kith_log_level log_level;   /* the least urgent level that is logged; 0: KITH_LOG_WARNING */
    uint64_t seed;              /* of kith_world_random, and of the random numbers of systems */
    kith_conflicts conflicts;   /* of systems that have no order between them */
} kith_world_def;

/* A new, empty world, owned by the calling thread. NULL `def` is a def of zeros.
 * NULL if memory ran out, for what is expected too, or if the allocator has just one of its two
 * functions. */
KITH_API kith_world *kith_world_new(const kith_world_def *def);

/* Frees the world with all that it holds, its queries and systems too. NULL is fine. A query that
 * is still open is misuse; it is reported, closed and freed with the rest. From within kith_run, an
 * observer or a function that a call writes with, it is misuse, and nothing is freed. */
KITH_API void kith_world_free(kith_world *world);

/* Lets go of the world, so that another thread may claim it. Misuse while a query is open. */
KITH_API void kith_world_release(kith_world *world);

/* Makes the calling thread the owner of a world that its owner has released. Whatever hands the
 * pointer over must order the two calls (a mutex, a join). Misuse if another thread owns it. */
KITH_API void kith_world_claim(kith_world *world);

/* What went wrong in the last call on this world that failed: "kith_register: 'Position' is ...";
 * "" if it has no more to say than its result, and if no call has failed. Lives until the next call
 * fails. */
KITH_API const char *kith_error(const kith_world *world);

/* Logs a message, formatted as by printf, if the world logs this level. One of more than 1,023 bytes
 * ends in "...". Any thread, also within systems and hooks. Misuse: a level that there is not. */
KITH_API void kith_log(const kith_world *world, kith_log_level level, const char *format, ...)
    KITH_FORMAT_(3, 4);

/* For code that is built on Kith: leaves a message for kith_error, "" for NULL, and returns
 * `result`. */
KITH_API kith_result kith_fail(kith_world *world, kith_result result, const char *message);

/* For such code too: reports a misuse of one of its own calls to the world's handler, and returns
 * KITH_ERR_MISUSE if the handler returns. `message` names the call and the remedy. With NULL `world`
 * it prints the message and aborts. Any thread. */
KITH_API kith_result kith_misuse(const kith_world *world, const char *message);

/* For such code too: KITH_OK if this thread owns the world, and is not in the middle of a hook or a
 * query system of the world. Otherwise it is misuse, reported as that of `call`, the name of one of
 * that code's calls. */
KITH_API kith_result kith_require_owner(const kith_world *world, const char *call);

/* The same for changes of structure: no query is open either. */
KITH_API kith_result kith_require_change(kith_world *world, const char *call);

/* The world's memory, for code that keeps things of its own beside it, such as a kit. What is taken
 * counts for the world's limit and statistics. It is taken while the world lives, and may be given
 * back after the world was freed. Both functions are the owner's to call. */
KITH_API kith_allocator kith_world_allocator(const kith_world *world);

/* For such code too: keeps `thing` with the world, to be found again by `key`, which is an address of
 * that code's own, such as that of a static variable. It replaces what had this key; NULL `thing` only
 * takes that away. `end`, if it is not NULL, is called with the thing when it is replaced, taken away,
 * or the world is freed: then first of all, the last one that was attached before the others. What is
 * attached is not part of the world's state, except for kith_attach_state. Allowed while queries are
 * open.
 * KITH_ERR_MEMORY */
KITH_API kith_result kith_attach(kith_world *world, const void *key, void *thing,
                                 void (*end)(void *thing));

/* What of an attached thing goes back with the world: numbers of that code's own which belong to what
 * the world is. The functions must not call into the world. */
typedef struct kith_attached_state {
    /* Called by kith_snapshot_take: makes `*state`, a copy of what is to be kept. What it fails with
     * kith_snapshot_take fails with. */
    kith_result (*take)(void *thing, void **state);
    /* Called by kith_snapshot_restore, once entities and components are those of the snapshot: makes
     * the thing what it was. `state` is of this `take`; NULL: the thing was not attached then, or
     * had no functions, or others. */
    void (*restore)(void *thing, const void *state);
    void (*free)(void *state); /* when the snapshot is freed; the thing may be gone */
} kith_attached_state;

/* Has snapshots (<kith/snapshot.h>) keep what `*state` says of what is attached by `key`, until that
 * is replaced or taken away. NULL: nothing any more. All functions are needed. `*state` is copied.
 * Allowed while queries are open.
 * KITH_ERR_ABSENT   nothing is attached by that key */
KITH_API kith_result kith_attach_state(kith_world *world, const void *key,
                                       const kith_attached_state *state);

/* What is attached to the world by `key`; NULL if there is nothing. */
KITH_API void *kith_attached(const kith_world *world, const void *key);

/* Walks every invariant of the world, in time proportional to its size.
 * KITH_ERR_CORRUPT   one does not hold: kith_error names it. Please report it */
KITH_API kith_result kith_world_check(kith_world *world);

/* A number that changes with anything that a later step can depend on: which entities live, what they
 * have and on which layouts, in which order they are visited, and sources of relations are, which slots
 * come next, resources,
 * events, the tick, the world's random stream, the names, order, switches and clocks of systems.
 * Equal worlds give equal numbers on every machine, if the compiler lays their structs out alike.
 * Addresses, capacities, empty tables and padding do not count, nor do the order in which types were
 * registered and types that nothing has. Floats count by their bits.
 *
 * Takes time in proportion to the world. But what a snapshot shares with the world is hashed once, by
 * blocks: in a game that takes a snapshot each frame, hashing after that costs what was written
 * since. */
KITH_API uint64_t kith_world_hash(const kith_world *world);

/* A number for the content alone: the handles alive and the values they have, by name of type, and
 * the resources; and the order of the sources of relations (<kith/relation.h>), as values tell only
 * their targets. Layouts, the order of rows, of registration and of free slots do not count. */
KITH_API uint64_t kith_content_hash(const kith_world *world);

/* The world's own random stream, for draws outside of systems: KITH_RANDOM(world). At first its state
 * follows from the seed of the world's definition. The state is part of kith_world_hash. The pointer
 * lives as long as the world. NULL after misuse. Systems have streams of their own: KITH_RANDOM(it). */
KITH_API kith_random *kith_world_random(kith_world *world);

/* Gives back what is not in use: tables without rows, blocks and pages without values. Handles and
 * values stay. Good after a level is torn down; a world that goes on using the same tables gains
 * nothing. Misuse while a query is open. */
KITH_API void kith_world_trim(kith_world *world);

/* ---- Component types ----------------------------------------------------------------------- */

/* Hooks: what to do with values of a type that are more than their bytes, because they own
 * something: memory, a file, a class of C++. The world copies this struct. Each may be NULL. They
 * are the type's: its values have them as components, in command buffers, as resources and as
 * events.
 *
 * Whenever a value comes to be in the world or in a buffer, one of `init` and `copy` has made it,
 * and `destroy` ends it once: when it is replaced or removed, when its entity ends, when the event
 * is dropped, when its command is overruled or forgotten, when the world is freed.
 *
 *   init     makes `count` values in a row, in memory that holds none, where there is to be one and
 *            none is given. NULL: zero bytes are such a value
 *   copy     makes copies of values, which stay what they are: of the caller's (kith_set,
 *            kith_spawn, kith_commands_set, kith_resource_set, kith_event_send and the like), and of the
 *            world's (clones). NULL:
 *            those calls take the caller's value over, byte by byte, when they succeed, and it is the
 *            caller's no longer; cloning such a value fails with KITH_ERR_TYPE
 *   move     makes values of others, which are dead then and need no `destroy`. NULL: by their bytes
 *   destroy  ends values. NULL: there is nothing to do
 *   hash     what a value counts for in kith_world_hash and kith_content_hash, and tells whether it
 *            changed (`exact_changes`): by what it owns, not by addresses. NULL: the fields of the
 *            type count, without those that are KITH_OPAQUE
 *
 * `init` and `copy` may fail, leaving no value of the `count`; the call that needed them then
 * returns what they returned, and has changed nothing. They run before anything changes; `destroy`
 * and `move` run while it does. The same calls on a world run the same hooks in the same order:
 * values in the order in which the call names them; at the end of the world by table, then
 * component, then row.
 *
 * Hooks run on the calling thread, which is the owner's. `init`, `copy` and `destroy` also run on
 * threads that fill and clear buffers, and on those of systems that queue, send and write: maybe
 * several at a time, with the same `user`. They must not call into the world, nor use the buffer:
 * all calls that are the owner's, those that read and those on queries, trackers and observers too,
 * and using the buffer, are misuse there. They do not throw, nor leave by longjmp. */
typedef struct kith_hooks {
    kith_result (*init)(void *values, uint32_t count, void *user);
    kith_result (*copy)(void *to, const void *from, uint32_t count, void *user);
    void (*move)(void *to, void *from, uint32_t count, void *user);
    void (*destroy)(void *values, uint32_t count, void *user);
    uint64_t (*hash)(const void *value, void *user);
    void *user; /* handed to all of them */
} kith_hooks;

typedef struct kith_component_def {
    kith_layout layout; /* KITH_TABLE: the one that the type declares */
    bool exact_changes; /* KITH_CHANGED terms tell values that changed one by one, not by the block.
                           For that the world keeps a copy of each value, and 16 bytes beside it,
                           from the first look on. Not for tags; a type with hooks needs `hash`,
                           and a value has changed if that has */
    bool transient; /* no part of the state: hashes, snapshots and saved scenes leave it out. For
                       what is made anew from the rest, such as handles of a physics library.
                       KITH_SPARSE and KITH_SLOT only: a KITH_TABLE component decides in which table
                       an entity is, and so in which order it is visited */
    const kith_hooks *hooks; /* NULL: values are plain bytes */
} kith_component_def;

/* Types need not be registered: a call that adds components (kith_set, kith_spawn ...) and one that
 * makes a query, a system, a tracker or an observer registers those that it names, with the layout that
 * they declare; kith_commands_apply does so for what was queued. Such a call then also returns what
 * kith_register would; types that it registered stay so if it fails. Calls that only look find nothing
 * of a type that is not registered, which is no mistake. Hashes, and the order in which entities are
 * visited, do not depend on when a type was first used.
 *
 * Register a type yourself for another layout, for hooks, for exact changes and as transient, before
 * its first use; and for texts and scenes, which know types by their names (KITH_TYPES). If that
 * failed, calls that would register the type fail in the same way from then on, and kith_error tells
 * why, until kith_register or KITH_TYPES succeeds.
 *
 * Makes `type` known to the world. NULL `def` is a def of zeros. Registering the same type again
 * with the same layout is fine and does nothing, except that `exact_changes` is turned on if it is
 * asked for; it is never turned off. Hooks and `transient` are the same again, or left out.
 *
 * Hooks also apply to resources and events of the type, so register the type with its hooks before its
 * first resource or event.
 *
 * KITH_ERR_INPUT      the type makes no sense, or not with this def; kith_error tells which field and
 *                     why
 * KITH_ERR_CONFLICT   its name is taken by another type, or it is here with another layout or with
 *                     other hooks, or as not transient, or has hooks and there is a resource or an
 *                     event of it already
 * KITH_ERR_LIMIT      65,535 types are registered
 * KITH_ERR_MEMORY
 * Misuse while a query is open. */
KITH_API kith_result kith_register(kith_world *world, const kith_type *type,
                                   const kith_component_def *def);

/* Registers those of `count` types that are not registered yet, as they declare. A type that is
 * there already may have any layout. Errors as for kith_register; types before the one that failed are
 * registered. */
KITH_API kith_result kith_register_many(kith_world *world, const kith_type *const *types,
                                        uint32_t count);

/* The same for up to 32 types by their names: KITH_TYPES(world, Position, Velocity, Frozen). */
#ifndef __cplusplus
#define KITH_TYPES(world, ...)                                                                     \
    kith_register_many((world), KITH_TYPES_OF_(__VA_ARGS__),                                       \
                       (uint32_t)(sizeof(KITH_TYPES_OF_(__VA_ARGS__)) / sizeof(kith_type *)))
#endif

/* The types that were registered as components, in order of their names: `kith_type_at` for
 * numbers below `kith_type_count`, NULL above. The types live until the process ends, and may be
 * used wherever a call takes one: they are the run-time ids of components. */
KITH_API uint32_t kith_type_count(const kith_world *world);
KITH_API const kith_type *kith_type_at(const kith_world *world, uint32_t index);

/* The type that is registered under a name; NULL if there is none. Kith's own components, ChildOf,
 * EntityName and Disabled, are found in every world; they are registered where they are used first. */
KITH_API const kith_type *kith_type_find(const kith_world *world, const char *name);

/* Whether this very type (not just its name) is registered, and with which layout.
 * KITH_ERR_UNKNOWN   it is not; `*layout` is untouched. `layout` may be NULL */
KITH_API kith_result kith_layout_of(const kith_world *world, const kith_type *type,
                                    kith_layout *layout);

/* Whether this very type is registered with hooks (see kith_hooks). */
KITH_API bool kith_has_hooks(const kith_world *world, const kith_type *type);

/* Whether a type is registered as transient. */
KITH_API bool kith_is_transient(const kith_world *world, const kith_type *type);

/* ---- Values, for calls that take several ---------------------------------------------------- */

#ifndef __cplusplus
/* An array of the descriptors of up to 32 types by their names. */
#define KITH_TYPES_OF_(...)                                                                        \
    (const kith_type *const[])                                                                     \
    {                                                                                              \
        KITH_EACH_TYPE_(__VA_ARGS__, KITH_NO_FIELDS_, ~)                                           \
    }
#define KITH_EACH_TYPE_(...) KITH_32_TYPES_(__VA_ARGS__)
#define KITH_32_TYPES_(a, b, c, d, e, f, g, h, i, j, k, l, n, o, p, q, r, s, t, u, v, w, x, y, z,  \
                       A, B, C, D, E, F, G, H, ...)                                                \
    KITH_TYPE_IF_(a)                                                                               \
    KITH_TYPE_IF_(b)                                                                               \
    KITH_TYPE_IF_(c)                                                                               \
    KITH_TYPE_IF_(d)                                                                               \
    KITH_TYPE_IF_(e) KITH_TYPE_IF_(f) KITH_TYPE_IF_(g) KITH_TYPE_IF_(h) KITH_TYPE_IF_(i)           \
        KITH_TYPE_IF_(j) KITH_TYPE_IF_(k) KITH_TYPE_IF_(l) KITH_TYPE_IF_(n) KITH_TYPE_IF_(o)       \
            KITH_TYPE_IF_(p) KITH_TYPE_IF_(q) KITH_TYPE_IF_(r) KITH_TYPE_IF_(s) KITH_TYPE_IF_(t)   \
                KITH_TYPE_IF_(u) KITH_TYPE_IF_(v) KITH_TYPE_IF_(w) KITH_TYPE_IF_(x)                \
                    KITH_TYPE_IF_(y) KITH_TYPE_IF_(z) KITH_TYPE_IF_(A) KITH_TYPE_IF_(B)            \
                        KITH_TYPE_IF_(C) KITH_TYPE_IF_(D) KITH_TYPE_IF_(E) KITH_TYPE_IF_(F)        \
                            KITH_TYPE_IF_(G) KITH_SELECT_(KITH_IS_GAP_ H, KITH_MORE_TYPES_, ~)(H)
#define KITH_TYPE_IF_(T) KITH_SELECT_(KITH_IS_GAP_ T, KITH_TYPE_REFERENCE_, ~)(T)
#define KITH_IS_GAP_(...) ~, KITH_NOTHING_
#define KITH_TYPE_REFERENCE_(T) &T##_type,
#define KITH_MORE_TYPES_(T) KITH_TYPES_takes_up_to_32_types,
#endif

/* A component and the value that it shall have. NULL `data` is a value of all zero bytes. */
typedef struct kith_value {
    const kith_type *type;
    const void *data;
} kith_value;

/* A component of many entities, and the values that they shall have. */
typedef struct kith_values {
    const kith_type *type;
    const void *data; /* one value for all of them; with `each` one value an entity, in a row. NULL:
                         zero bytes */
    bool each;
} kith_values;

#ifndef __cplusplus
/* KITH_VALUE(Position, {40, 12}), KITH_VALUE(Position, position): a component with its value, which is
 * in braces, or is a struct of that type: a variable, `*pointer`, what a function returns. (If the
 * first field is a struct or an array, gcc's -Wmissing-braces asks for {.field = {0}} instead of {0}.)
 * KITH_VALUE(Frozen): a tag, or a component whose bytes are all zero.
 *
 * A value that is given is an array of one, since that takes both braces and structs. */
#define KITH_VALUE(...)                                                                            \
    KITH_SELECT_(KITH_SECOND_(__VA_ARGS__, KITH_NO_VALUE_, ~), KITH_VALUE_GIVEN_, ~)               \
    (__VA_ARGS__)
#define KITH_NO_VALUE_ ~, KITH_VALUE_ZERO_
#define KITH_VALUE_GIVEN_(T, ...)                                                                  \
    {                                                                                              \
        .type = &T##_type, .data = ((const T[1]){__VA_ARGS__})                                     \
    }
#define KITH_VALUE_ZERO_(T)                                                                        \
    {                                                                                              \
        .type = &T##_type, .data = NULL                                                            \
    }

/* KITH_VALUES(Position, array), for many entities: one value each. KITH_VALUE is for many entities too,
 * which all get the same. A pointer to another type does not compile. */
#define KITH_VALUES(T, pointer)                                                                    \
    {                                                                                              \
        .type = &T##_type, .data = KITH_CHECKED_(T, pointer), .each = true                         \
    }
#define KITH_CHECKED_(T, pointer) _Generic((pointer), T * : (pointer), const T * : (pointer))
#endif

/* ---- Entities ------------------------------------------------------------------------------ */

/* Makes an entity with these components: all of them, or none and no entity.
 *
 * KITH_ERR_CONFLICT   a component is named twice
 * KITH_ERR_LIMIT      2^32 - 2 slots are in use
 * KITH_ERR_MEMORY, and what a hook of a type returns; KITH_ERR_INPUT, KITH_ERR_CONFLICT as
 * kith_register for a type that is not registered
 * Misuse while a query is open. */
KITH_API kith_result kith_spawn(kith_world *world, const kith_value *values, uint32_t value_count,
                                kith_entity *entity);

/* The same in one expression; KITH_NONE on failure. `values` may be NULL where the count is 0. */
KITH_API kith_entity kith_spawn_or_none(kith_world *world, const kith_value *values,
                                        uint32_t value_count);

/* An entity without components, or KITH_NONE if memory ran out. */
KITH_API kith_entity kith_spawn_empty(kith_world *world);

/* Makes `count` entities with the same components: all of them or none. Slots are handed out in the
 * order in which single calls would have. `entities` takes `count` handles; it may be NULL.
 * Errors as for kith_spawn, and
 * KITH_ERR_TYPE   without `each`, for a type with hooks but without `copy` */
KITH_API kith_result kith_spawn_many(kith_world *world, uint32_t count, const kith_values *values,
                                     uint32_t value_count, kith_entity *entities);

/* Makes an entity that has what `entity` has, with the same values. Entities below it, and links of
 * KITH_LINKS, are not cloned: see kith_clone_tree.
 * KITH_ERR_TYPE   it has a component with hooks but without `copy`; kith_error names it
 * KITH_ERR_DEAD, KITH_ERR_LIMIT, KITH_ERR_MEMORY, and what a hook returns. Misuse while a query
 * is open. */
KITH_API kith_result kith_clone(kith_world *world, kith_entity entity, kith_entity *clone);

/* The same in one expression; KITH_NONE on failure. */
KITH_API kith_entity kith_clone_or_none(kith_world *world, kith_entity entity);

/* Ends an entity and all that it has. Its handle is dead from here on.
 * KITH_ERR_DEAD       it was not alive
 * KITH_ERR_CONFLICT   a relation forbids it: see KITH_REFUSE
 * KITH_ERR_MEMORY     only while something follows what it has (see kith_tracker_new), a snapshot shares
 *                     it, or it is linked by a relation
 * Misuse while a query is open. */
KITH_API kith_result kith_despawn(kith_world *world, kith_entity entity);

/* Ends those of `count` entities that are alive, in order: all of them, or none if that fails. `*ended`
 * tells how many entities ended, with those that relations ended too. It may be NULL.
 * KITH_ERR_CONFLICT, KITH_ERR_MEMORY   as for kith_despawn
 * Misuse while a query is open. */
KITH_API kith_result kith_despawn_many(kith_world *world, const kith_entity *entities,
                                       uint32_t count, uint32_t *ended);

/* Whether the entity is alive. Any bit pattern may be asked for. */
KITH_API bool kith_alive(const kith_world *world, kith_entity entity);

/* How many entities are alive. */
KITH_API uint32_t kith_entity_count(const kith_world *world);

/* Visits all entities in order of their slots, whatever happens meanwhile: returns the first living
 * one after `previous`; KITH_NONE starts, and ends.
 *     for (kith_entity e = kith_entity_next(w, KITH_NONE); !kith_is_none(e); e =
 *     kith_entity_next(w, e)) */
KITH_API kith_entity kith_entity_next(const kith_world *world, kith_entity previous);

/* ---- One entity's components ---------------------------------------------------------------- */

/* Sets `type` on `entity` to a copy of `*value` (NULL: all zero bytes; tags take NULL), adding the
 * component where it is missing. For a type with hooks see kith_hooks: what NULL makes, and whether
 * the value is copied or taken over; one that is taken over must not be the world's already.
 *
 * Overwriting is always allowed. Adding is a change of structure: pointers to the entity's other
 * values die, and it is misuse while a query is open.
 *
 * KITH_ERR_DEAD     the entity is not alive
 * KITH_ERR_LIMIT    the entity would need a table, and there are 2^24
 * KITH_ERR_MEMORY, and what a hook of the type returns; KITH_ERR_INPUT, KITH_ERR_CONFLICT as
 * kith_register for a type that is not registered */
KITH_API kith_result kith_set(kith_world *world, kith_entity entity, const kith_type *type,
                              const void *value);

/* Sets several components at once: at most one move, and all or nothing.
 * The values must not be those that the call itself sets.
 * KITH_ERR_CONFLICT   a component is named twice. Otherwise as kith_set. */
KITH_API kith_result kith_set_values(kith_world *world, kith_entity entity,
                                     const kith_value *values, uint32_t value_count);

/* Sets from `size` bytes that came from elsewhere: a file, a script, the network.
 * KITH_ERR_TYPE      the type's size is another, or it has hooks
 * KITH_ERR_UNKNOWN   the type is NULL
 * Otherwise as kith_set. */
KITH_API kith_result kith_set_bytes(kith_world *world, kith_entity entity, const kith_type *type,
                                    const void *bytes, size_t size);

/* Adds a component with all bytes zero, or as its `init` makes it; one that is there stays as it
 * is. Otherwise as kith_set. */
KITH_API kith_result kith_add(kith_world *world, kith_entity entity, const kith_type *type);

/* Takes a component away.
 * KITH_ERR_ABSENT   the entity does not have it; KITH_ERR_DEAD; KITH_ERR_LIMIT; KITH_ERR_MEMORY
 * Misuse while a query is open. */
KITH_API kith_result kith_remove(kith_world *world, kith_entity entity, const kith_type *type);

/* Takes all components away; the entity lives on.
 * KITH_ERR_DEAD, KITH_ERR_MEMORY. Misuse while a query is open. */
KITH_API kith_result kith_remove_all(kith_world *world, kith_entity entity);

/* Whether the entity is alive and has the component. */
KITH_API bool kith_has(const kith_world *world, kith_entity entity, const kith_type *type);

/* The value, to read; NULL if the entity is dead or has no such component, and for a tag. */
KITH_API const void *kith_get(const kith_world *world, kith_entity entity, const kith_type *type);

/* The value, to write. Writing is always allowed, in open queries too.
 * KITH_ERR_DEAD, KITH_ERR_ABSENT (a tag has no value)
 * KITH_ERR_MEMORY   kept for later: this version does not return it */
KITH_API kith_result kith_get_mut(kith_world *world, kith_entity entity, const kith_type *type,
                                  void **value);

/* The same as a pointer: NULL if the entity is dead or does not have the component. */
KITH_API void *kith_get_mut_or_null(kith_world *world, kith_entity entity, const kith_type *type);

/* Reads into `size` bytes of yours.
 * KITH_ERR_TYPE      the type's size is another, or it has hooks
 * KITH_ERR_UNKNOWN   the type is NULL
 * KITH_ERR_DEAD, KITH_ERR_ABSENT */
KITH_API kith_result kith_get_bytes(const kith_world *world, kith_entity entity,
                                    const kith_type *type, void *bytes, size_t size);

/* The values of many entities at once, to read: `values[i]` is what kith_get would return for
 * `entities[i]`. Returns how many are not NULL. Faster than single calls, above all when entities
 * are scattered over memory. */
KITH_API uint32_t kith_get_many(const kith_world *world, const kith_type *type,
                                const kith_entity *entities, uint32_t count, const void **values);

/* Visits the components of one entity, in order of the names of their types: the first after
 * `previous`; NULL starts, and ends. */
KITH_API const kith_type *kith_component_next(const kith_world *world, kith_entity entity,
                                              const kith_type *previous);

/* ---- Memory -------------------------------------------------------------------------------- */

typedef struct kith_memory_stats {
    size_t used;         /* bytes held now, without the allocator's own overhead */
    size_t peak;         /* the most there ever were */
    size_t limit;        /* 0: none */
    size_t commands;     /* bytes held by command buffers, and for what systems send until it is in
                           its queue; these three do not count them */
    size_t texts;        /* bytes held for interned texts, which `used` counts too */
    size_t allocations;  /* pieces held now, those in `commands` included */
    uint32_t entities;   /* alive */
    uint32_t slots;      /* handed out so far, dead and retired ones included */
    uint32_t retired;    /* slots that ran out of generations */
    uint32_t tables;     /* empty ones included */
    uint32_t types;      /* registered components */
    uint32_t text_count; /* interned texts, without the empty one */
} kith_memory_stats;

/* What the world holds now, and how much of what: `used` and `commands` together are what it has of
 * its allocator. Takes constant time for each command buffer. No thread may be filling one
 * meanwhile. */
KITH_API kith_memory_stats kith_memory(const kith_world *world);

typedef struct kith_component_stats {
    kith_layout layout;
    uint32_t entities; /* that have it */
    size_t used;       /* bytes of values in use */
    size_t
        reserved; /* bytes held for values, presence, look-up, changes, and the links of a relation.
                        What tables hold for the values of a KITH_TABLE component counts in
                        kith_table_stats too */
    size_t
        tracked; /* bytes of changes that some tracker or observer has not been told of yet, and of
                       lost values that are kept for observers */
} kith_component_stats;

/* KITH_ERR_UNKNOWN   the type is not registered */
KITH_API kith_result kith_component_memory(const kith_world *world, const kith_type *type,
                                           kith_component_stats *stats);

typedef struct kith_table_stats {
    uint32_t rows;
    uint32_t component_count;
    size_t used;     /* bytes of values and handles in use */
    size_t reserved; /* bytes held for them, and for the table itself */
} kith_table_stats;

/* The tables in the order in which queries visit them; the first is that of entities without
 * KITH_TABLE components. `types` takes up to `capacity` component types, in order of names; it may be
 * NULL.
 * The first call since a table came or went sorts them.
 * KITH_ERR_UNKNOWN   there are no more than `index` tables
 * KITH_ERR_MEMORY    for the sorted list */
KITH_API kith_result kith_table_memory(kith_world *world, uint32_t index, kith_table_stats *stats,
                                       const kith_type **types, uint32_t capacity);

#ifdef __cplusplus
}
#endif
#endif
