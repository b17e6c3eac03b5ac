/* Kith: verbs: one macro for one thing, whatever it is done to.
 *
 * What changes which components an entity has takes a world, and does it now, or a command buffer, and
 * queues it:
 *     KITH_SET(world, e, Position, {1, 2});
 *     KITH_SET(it->commands, e, Position, {1, 2});
 *
 * What reads, or writes values that are there, takes a world or an iterator. In a system the iterator is
 * the one that the system was given, and the system must declare what it uses; elsewhere it stands for
 * its world. So a loop that moves into a system keeps its verbs:
 *     const Health *health = KITH_GET(it, target, Health);
 *
 * The functions that they call tell what is returned and when: <kith/world.h>, <kith/commands.h>,
 * <kith/resource.h>, <kith/event.h>, <kith/random.h>, <kith/system.h>. In C++ use the methods of the
 * same names. */
#ifndef KITH_VERBS_H
#define KITH_VERBS_H

#include <kith/access.h>
#include <kith/commands.h>
#include <kith/event.h>
#include <kith/hierarchy.h>
#include <kith/lookup.h>
#include <kith/resource.h>
#include <kith/system.h>
#include <kith/world.h>

#ifndef __cplusplus

/* ---- Changes of structure: `target` is a kith_world * or a kith_commands *. Each returns a
 * kith_result, KITH_SPAWN, KITH_CLONE and KITH_CLONE_TREE the new entity or KITH_NONE. For a command
 * buffer that is a provisional handle. Lists have up to 32 values, each a KITH_VALUE. */

/* KITH_SPAWN(world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen)) */
#define KITH_SPAWN(target, ...)                                                                    \
    KITH_CHANGE_(target, kith_spawn_or_none, kith_commands_spawn_values)                           \
    ((void *)(target), KITH_LIST_(__VA_ARGS__), KITH_COUNT_(__VA_ARGS__))

#define KITH_CLONE(target, entity)                                                                 \
    KITH_CHANGE_(target, kith_clone_or_none, kith_commands_clone)((void *)(target), (entity))

/* The entity with all that is below it: see kith_clone_tree. */
#define KITH_CLONE_TREE(target, root)                                                              \
    KITH_CHANGE_(target, kith_clone_tree_or_none, kith_commands_clone_tree)                        \
    ((void *)(target), (root))

#define KITH_DESPAWN(target, entity)                                                               \
    KITH_CHANGE_(target, kith_despawn, kith_commands_despawn)((void *)(target), (entity))

/* KITH_SET(world, player, Position, {40, 12}); KITH_SET(world, player, Position, position);
 * A struct of another type does not compile. */
#define KITH_SET(target, entity, T, ...)                                                           \
    KITH_CHANGE_(target, kith_set, kith_commands_set)                                              \
    ((void *)(target), (entity), &T##_type, ((const T[1]){__VA_ARGS__}))

/* KITH_SET_VALUES(world, player, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen)): at most one move. */
#define KITH_SET_VALUES(target, entity, ...)                                                       \
    KITH_CHANGE_(target, kith_set_values, kith_commands_set_values)                                \
    ((void *)(target), (entity), KITH_LIST_(__VA_ARGS__), KITH_COUNT_(__VA_ARGS__))

#define KITH_ADD(target, entity, T)                                                                \
    KITH_CHANGE_(target, kith_add, kith_commands_add)((void *)(target), (entity), &T##_type)

#define KITH_REMOVE(target, entity, T)                                                             \
    KITH_CHANGE_(target, kith_remove, kith_commands_remove)((void *)(target), (entity), &T##_type)

#define KITH_REMOVE_ALL(target, entity)                                                            \
    KITH_CHANGE_(target, kith_remove_all, kith_commands_remove_all)((void *)(target), (entity))

/* ---- Reading and writing values: `target` is a kith_world * or a kith_iter *, const where only read.
 * KITH_HAS and KITH_GET also take a kith_lookup *. */

#define KITH_ALIVE(target, entity)                                                                 \
    KITH_ACCESS_(target, kith_alive, kith_system_alive)((target), (entity))

#define KITH_HAS(target, entity, T)                                                                \
    KITH_READ_(target, kith_has_, kith_system_has_, kith_lookup_has_)((target), (entity), &T##_type)

/* A pointer to const T; NULL if the entity is dead or does not have it. */
#define KITH_GET(target, entity, T)                                                                \
    ((const T *)KITH_READ_(target, kith_get_, kith_system_get_,                                    \
                           kith_lookup_get)((target), (entity), &T##_type))

/* A pointer to T; NULL if the entity is dead or does not have it, or memory ran out: kith_error. */
#define KITH_GET_MUT(target, entity, T)                                                            \
    ((T *)KITH_ACCESS_(target, kith_get_mut_, kith_system_get_mut_)((target), (entity), &T##_type))

/* kith_lookup health = KITH_LOOKUP(it, Health);
 * const Health *h = KITH_GET(&health, target, Health); */
#define KITH_LOOKUP(target, T)                                                                     \
    KITH_ACCESS_(target, kith_lookup_new, kith_system_lookup)((target), &T##_type)

/* A pointer to const T, and one to T; NULL if there is no such resource. */
#define KITH_RESOURCE(target, T)                                                                   \
    ((const T *)KITH_ACCESS_(target, kith_resource_get, kith_system_resource)((target), &T##_type))
#define KITH_RESOURCE_MUT(target, T)                                                               \
    ((T *)KITH_ACCESS_(target, kith_resource_mut_or_null,                                          \
                       kith_system_resource_mut_or_null)((target), &T##_type))

/* Event number `index` in the queue, a pointer to const T; NULL if there are not so many.
 *     for (uint32_t i = 0; (hit = KITH_EVENT(world, i, Collision)) != NULL; i++) */
#define KITH_EVENT(target, index, T)                                                               \
    ((const T *)KITH_ACCESS_(target, kith_event_at, kith_system_event)((target), &T##_type,        \
                                                                       (index)))

/* KITH_SEND(world, Explosion, {.x = 3}); KITH_SEND(world, Explosion, explosion); */
#define KITH_SEND(target, T, ...)                                                                  \
    KITH_ACCESS_(target, kith_event_send, kith_system_send)                                        \
    ((target), &T##_type, ((const T[1]){__VA_ARGS__}))

/* A random stream, a kith_random *: of a system's call, or the world's own. An iterator that the program
 * opened itself has the world's.
 *     float x = kith_random_uniform(KITH_RANDOM(it), 0, 80); */
#define KITH_RANDOM(target)                                                                        \
    KITH_ACCESS_(target, kith_world_random, kith_system_random_stream)((target))

/* ---- Private: what the macros above are made of */

/* A list of values, and how many there are. KITH_VALUE makes two arguments of each, which are counted:
 * with sizeof, the list would be there twice, and compilers would complain of each mistake twice. The
 * array is as long as what was counted, so nothing is read after its end: if braces have more commas
 * than those of KITH_VALUE, values without a type remain, which is misuse; if they have fewer, the last
 * ones are excess elements, which compilers complain of. */
#define KITH_LIST_(...) ((const kith_value[KITH_HALVES_(__VA_ARGS__, KITH_ROOM_64_)]){__VA_ARGS__})
#define KITH_COUNT_(...) KITH_HALVES_(__VA_ARGS__, KITH_HALF_OF_64_)
#define KITH_HALVES_(...) KITH_HALVES_64_(__VA_ARGS__)
/* clang-format off */
#define KITH_HALVES_64_(                                                                           \
    a1, b1, a2, b2, a3, b3, a4, b4, a5, b5, a6, b6, a7, b7, a8, b8, a9, b9, a10, b10, a11, b11,    \
    a12, b12, a13, b13, a14, b14, a15, b15, a16, b16, a17, b17, a18, b18, a19, b19, a20, b20,      \
    a21, b21, a22, b22, a23, b23, a24, b24, a25, b25, a26, b26, a27, b27, a28, b28, a29, b29,      \
    a30, b30, a31, b31, a32, b32, count, ...) count
#define KITH_HALF_OF_64_                                                                           \
    32u, KITH_NOT_VALUES_, 31u, KITH_NOT_VALUES_, 30u, KITH_NOT_VALUES_, 29u, KITH_NOT_VALUES_,    \
    28u, KITH_NOT_VALUES_, 27u, KITH_NOT_VALUES_, 26u, KITH_NOT_VALUES_, 25u, KITH_NOT_VALUES_,    \
    24u, KITH_NOT_VALUES_, 23u, KITH_NOT_VALUES_, 22u, KITH_NOT_VALUES_, 21u, KITH_NOT_VALUES_,    \
    20u, KITH_NOT_VALUES_, 19u, KITH_NOT_VALUES_, 18u, KITH_NOT_VALUES_, 17u, KITH_NOT_VALUES_,    \
    16u, KITH_NOT_VALUES_, 15u, KITH_NOT_VALUES_, 14u, KITH_NOT_VALUES_, 13u, KITH_NOT_VALUES_,    \
    12u, KITH_NOT_VALUES_, 11u, KITH_NOT_VALUES_, 10u, KITH_NOT_VALUES_, 9u, KITH_NOT_VALUES_,     \
    8u, KITH_NOT_VALUES_, 7u, KITH_NOT_VALUES_, 6u, KITH_NOT_VALUES_, 5u, KITH_NOT_VALUES_, 4u,    \
    KITH_NOT_VALUES_, 3u, KITH_NOT_VALUES_, 2u, KITH_NOT_VALUES_, 1u, KITH_NOT_VALUES_, ~
#define KITH_ROOM_64_                                                                              \
    32u, 32u, 31u, 31u, 30u, 30u, 29u, 29u, 28u, 28u, 27u, 27u, 26u, 26u, 25u, 25u, 24u, 24u,      \
    23u, 23u, 22u, 22u, 21u, 21u, 20u, 20u, 19u, 19u, 18u, 18u, 17u, 17u, 16u, 16u, 15u, 15u,      \
    14u, 14u, 13u, 13u, 12u, 12u, 11u, 11u, 10u, 10u, 9u, 9u, 8u, 8u, 7u, 7u, 6u, 6u, 5u, 5u,      \
    4u, 4u, 3u, 3u, 2u, 2u, 1u, 1u, ~
/* clang-format on */
#define KITH_NOT_VALUES_                                                                           \
    sizeof(struct {                                                                                \
        _Static_assert(0, "each value is a KITH_VALUE; kith_spawn_empty makes an entity of none"); \
        char kith_unused_;                                                                         \
    })

/* The function for the target's type, which is checked here, so that a mistake is one error. An
 * iterator is told what to write instead. */
#define KITH_CHANGE_(target, in_world, in_commands)                                                \
    ((void)sizeof(struct {                                                                         \
         _Static_assert(_Generic((target), kith_iter * : 0, const kith_iter * : 0, default : 1),   \
                        "an iterator queues changes in it->commands: write that instead");         \
         char kith_unused_;                                                                        \
     }),                                                                                           \
     _Generic((target), kith_world * : (in_world), kith_commands * : (in_commands),                \
              kith_iter * : (in_world), const kith_iter * : (in_world)))

#define KITH_ACCESS_(target, in_world, in_system)                                                  \
    _Generic((target), kith_iter * : (in_system), const kith_iter * : (in_system),                 \
             default : (in_world))

#define KITH_READ_(target, in_world, in_system, in_lookup)                                         \
    _Generic((target), kith_iter * : (in_system), const kith_iter * : (in_system),                 \
             kith_lookup * : (in_lookup), const kith_lookup * : (in_lookup), default : (in_world))

#endif
#endif
