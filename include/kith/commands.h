/* Kith: commands: changes of structure that are queued now and made later, all at once.
 *
 * While a query is open, nothing may be spawned, despawned, added or removed. What a loop finds out
 * to be done, it queues; what was queued is applied when the loop is over:
 *
 *     kith_commands *later = kith_commands_new(world, NULL);
 *     for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
 *         ... kith_commands_despawn(later, kith_entities(&it)[i]); ...
 *     }
 *     kith_commands_apply(later, NULL);
 *
 * A system has a buffer in `it->commands`, which is applied at the end of its stage and is empty when
 * the next one starts. Iterators that a program opens itself have NULL there.
 *
 * The commands for one entity are merged, so that it moves once at most, whatever was queued for
 * it. Entities are changed in the order in which the commands first named them. The outcome is that
 * of the same calls on the world, one after another, with these exceptions:
 * - adding what is there and removing what is not does nothing
 * - what was queued for an entity that is dead (or for KITH_NONE) does nothing, and is counted
 * - new entities get their slots first, and so none that is freed in the same buffer; one that is
 *   despawned in the same buffer never comes to be, and values that name it get KITH_NONE
 * - a source keeps its place among the sources of its target if, after the last command, its target
 *   is the one from before, even if commands removed the relation or set another target in between
 * - the order of rows and of free slots is not that of single calls; it depends on the calls alone
 *
 * Threads: a buffer is filled and emptied by one thread at a time, which need not be the world's
 * owner if the world's allocator is safe to be called from it (and its misuse handler, if it comes
 * to that). Hooks that make what is queued, and destroy what is not wanted, run in that thread. The
 * owner may read and write values meanwhile, but registers no type, and calls neither
 * kith_world_check nor kith_memory. Only the owner thread makes, applies or frees a buffer.
 *
 * Types need not be registered, as for other calls (see kith_register): applying registers those that
 * commands add, in the order of their first commands, with the layout that they declare there. A type
 * whose values need hooks has to be registered before it is queued. */
#ifndef KITH_COMMANDS_H
#define KITH_COMMANDS_H

#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_commands kith_commands;

/* How to make a buffer. All zero is a good default. */
typedef struct kith_commands_def {
    size_t memory_limit; /* bytes that the buffer may hold at once, what applying needs included;
                            0: no limit. The memory comes from the world's allocator, and does not
                            count for the world's limit. Without a limit a buffer keeps what it used
                            last, for the next time */
} kith_commands_def;

/* A new, empty buffer for a world. NULL `def` is a def of zeros. The world frees it at its end, if
 * you do not. NULL if memory ran out. Allowed while queries are open. */
KITH_API kith_commands *kith_commands_new(kith_world *world, const kith_commands_def *def);

/* Frees a buffer with what is queued in it. NULL is fine. Misuse for a system's (`it->commands`). */
KITH_API void kith_commands_free(kith_commands *commands);

/* As kith_query_set_holder: `*holder` becomes NULL when the buffer is freed. */
KITH_API void kith_commands_set_holder(kith_commands *commands, kith_commands **holder);

/* The world that a buffer is for. Any thread may ask. */
KITH_API kith_world *kith_commands_world(const kith_commands *commands);

/* ---- Queueing ------------------------------------------------------------------------------
 *
 * KITH_ERR_MEMORY   no memory, or the buffer's limit is reached
 * KITH_ERR_LIMIT    2^24 - 1 entities are queued to be made, about 3.7e9 commands are queued, or they
 *                   name 65,535 types that are not registered
 * KITH_ERR_INPUT    a provisional handle, as the entity or in a value, that is not this buffer's,
 *                   or is from before it was last applied or emptied. One that is older than the
 *                   last 255 times that a buffer of the world was made or emptied may pass for
 *                   another; and like all handles, one of another world may be taken for one of
 *                   this. Or a type that makes no sense, or needs hooks and is not registered
 * what a hook fails with
 *
 * Values of types with hooks (see kith_hooks) are made when they are queued: by `copy`, or by
 * `init` where none is given, even if the entity turns out to have the component. Without `copy` a call
 * that succeeds takes over the value that it was given. The buffer owns these values. Applying moves
 * them to their entities, and copies only for clones. Values that are not needed are destroyed when the
 * buffer has been applied: those that a later command replaced, those for dead entities, and those of
 * components that were only to be added and were there. What is queued is destroyed when
 * the buffer is emptied or freed, and kept when applying fails. Fields of kind KITH_ENTITY are
 * looked at once the value is made.
 *
 * A call that fails, misuse included, fails the buffer: nothing more is queued, and each further
 * call, applying included, returns the same result (KITH_ERR_MISUSE after a misuse) until the
 * buffer is emptied (kith_commands_discard). So the results of single calls need not be looked at.
 * kith_commands_error tells which call it was, and why.
 *
 * Whether an entity is alive is not asked when a command is queued. */

/* Queues an entity without components, and returns a provisional handle for it: to be used in
 * further calls on this buffer, as the entity, and in the values given to them, in fields of kind
 * KITH_ENTITY, where the real handle will be. For the world it is a dead entity, and
 * stays one: do not store it by kith_set.
 * KITH_NONE on failure. */
KITH_API kith_entity kith_commands_spawn(kith_commands *commands);

/* The same with components. A type may occur twice: the last value counts. */
KITH_API kith_entity kith_commands_spawn_values(kith_commands *commands, const kith_value *values,
                                                uint32_t value_count);

/* Queues an entity that has what `entity` then has: its components before any of these commands,
 * changed by those that were queued for it before this one. Returns its provisional handle. If
 * `entity` turns out to be dead, there is no clone, and what is queued for it is counted as for the
 * dead. */
KITH_API kith_entity kith_commands_clone(kith_commands *commands, kith_entity entity);

/* The same with all that is below `root` by then, children and theirs, and the links of KITH_LINKS that
 * lead from there: see kith_clone_tree. Returns the provisional handle of the root's clone; the others
 * have none. They count among the entities that are queued to be made. */
KITH_API kith_entity kith_commands_clone_tree(kith_commands *commands, kith_entity root);

/* The entity ends, with all that it has. */
KITH_API kith_result kith_commands_despawn(kith_commands *commands, kith_entity entity);

/* Queues kith_set with a copy of `*value` (NULL: all zero bytes, or what `init` makes; tags take
 * NULL). Where the component is there, its value is overwritten.
 *     KITH_SET(it->commands, spark, Sprite, {'*', 3}); */
KITH_API kith_result kith_commands_set(kith_commands *commands, kith_entity entity,
                                       const kith_type *type, const void *value);

/* All of the values, or a failed buffer. A component may occur twice: the last value counts. */
KITH_API kith_result kith_commands_set_values(kith_commands *commands, kith_entity entity,
                                              const kith_value *values, uint32_t value_count);

/* Sets from `size` bytes that came from elsewhere: a file, a script, the network.
 * KITH_ERR_TYPE      the type's size is another, or it has hooks
 * KITH_ERR_UNKNOWN   the type is NULL */
KITH_API kith_result kith_commands_set_bytes(kith_commands *commands, kith_entity entity,
                                             const kith_type *type, const void *bytes, size_t size);

/* Adds a component with all bytes zero, or as `init` makes it, where it is missing. */
KITH_API kith_result kith_commands_add(kith_commands *commands, kith_entity entity,
                                       const kith_type *type);

/* Takes a component away where it is. This registers no type. */
KITH_API kith_result kith_commands_remove(kith_commands *commands, kith_entity entity,
                                          const kith_type *type);

/* Takes all components away that the entity has by then; it lives on. */
KITH_API kith_result kith_commands_remove_all(kith_commands *commands, kith_entity entity);

/* ---- Applying ------------------------------------------------------------------------------ */

/* Makes all changes, or none: on failure the world is as it was and the buffer keeps its commands,
 * so that applying may be tried again. On success the buffer is empty.
 *
 * `*dead` tells how many commands were for entities that were dead, despawned by an earlier command
 * included, and how many clones were of such. Written only on success; it may be NULL.
 *
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT (entities or tables; entities to be made, with those of clones of
 * trees),
 *                 and what a queue call has failed with
 * what kith_register returns, for a type that is not registered; kith_error names it. Types that were
 *                 registered stay so if applying fails
 * KITH_ERR_CONFLICT   a type was registered with hooks after commands added it without; two entities
 *                 would have the same unique key, or siblings the same name; or a relation forbids it:
 *                 see KITH_REFUSE
 * KITH_ERR_CYCLE  the targets of an acyclic relation would lead in a circle, which kith_error names
 * KITH_ERR_INPUT  a name of an entity is not one
 * KITH_ERR_TYPE   an entity to be cloned has a component with hooks but without `copy`
 * what `copy` fails with, for a clone
 * Misuse while a query is open. */
KITH_API kith_result kith_commands_apply(kith_commands *commands, uint32_t *dead);

/* Forgets what is queued, and a failure, and gives back all memory that the buffer kept. */
KITH_API void kith_commands_discard(kith_commands *commands);

/* The real handle of an entity that this buffer spawned when it was last applied. KITH_NONE for
 * other handles, for what was despawned again, and once the buffer has spawned or cloned anew. */
KITH_API kith_entity kith_commands_real(const kith_commands *commands, kith_entity provisional);

/* Why the buffer failed, or could not be applied, with more to say than the result's name; "" if
 * neither is so. After kith_commands_apply, kith_error tells the same. */
KITH_API const char *kith_commands_error(const kith_commands *commands);

typedef struct kith_commands_stats {
    uint32_t commands; /* queued now; each value of a call with several is one */
    uint32_t spawned;  /* of them, entities to be made */
    uint64_t dead;     /* commands for the dead, in all that was applied so far */
    size_t used;       /* bytes held now */
    size_t peak;       /* the most there ever were */
    size_t limit;      /* 0: none */
} kith_commands_stats;

/* What the buffer holds now. In constant time; not while another thread fills it. */
KITH_API kith_commands_stats kith_commands_memory(const kith_commands *commands);

#ifdef __cplusplus
}
#endif
#endif
