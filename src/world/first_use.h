/* Types that a call names: found, and registered where the call uses one that the world does not
 * know. */
#ifndef KI_WORLD_FIRST_USE_H
#define KI_WORLD_FIRST_USE_H

#include "world/world.h"

/* Checks a type that is about to be registered by its first use. KITH_ERR_INPUT if it needs hooks. */
kith_result ki_require_plain(ki_context *context, const char *call, const kith_type *type);

/* The component of a type, for a call of the owner that uses it from now on. A type that the world does
 * not know is registered as it declares, which may fail; NULL is misuse. Queries may be open. */
kith_result ki_world_use_slow(kith_world *world, const char *call, const kith_type *type,
                              ki_component **component);
static inline kith_result ki_world_use(kith_world *world, const char *call, const kith_type *type,
                                       ki_component **component)
{
    *component = ki_world_known(world, type);
    return *component != NULL ? KITH_OK : ki_world_use_slow(world, call, type, component);
}

/* The same for a call that adds the component to an entity: with a type that the world does not know
 * that is a change of structure for certain, and misuse while a query is open. */
kith_result ki_world_use_to_change(kith_world *world, const char *call, const kith_type *type,
                                   ki_component **component);

/* The component of a type, for a call that only looks. KITH_ERR_ABSENT: the world does not know it.
 * KITH_ERR_MISUSE: `type` is NULL, or another type than the one of that name, which was reported. */
kith_result ki_world_look_up(const kith_world *world, const char *call, const kith_type *type,
                             ki_component **component);

/* The same, with KITH_ERR_DEAD instead of KITH_ERR_ABSENT if the entity is not alive. */
kith_result ki_world_look_up_of(const kith_world *world, const char *call, kith_entity entity,
                                const kith_type *type, ki_component **component);

/* The same for calls that get their types from input, not from code: NULL is KITH_ERR_UNKNOWN, and
 * another type of the same name counts as absent. */
kith_result ki_world_find_of(const kith_world *world, const char *call, kith_entity entity,
                             const kith_type *type, ki_component **component);

/* KITH_ERR_DEAD, with a message that names the call and the entity. */
kith_result ki_world_dead(kith_world *world, const char *call, kith_entity entity);

/* KITH_ERR_DEAD or KITH_ERR_ABSENT, for an entity without something. */
kith_result ki_world_absent_of(const kith_world *world, kith_entity entity);

/* Returns `result`, that of a call on a value of an entity. If it is KITH_ERR_DEAD or KITH_ERR_ABSENT,
 * leaves a message that names the call, the entity and the type. Calls that only ask whether something
 * is there leave none, and do not use this. */
kith_result ki_world_tell_lack(const kith_world *world, const char *call, kith_entity entity,
                               const kith_type *type, kith_result result);

#endif
