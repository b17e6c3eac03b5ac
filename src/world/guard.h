/* Guards: what is to hold of values whatever writes them: that unique keys are unique, and that relations
 * lead to living entities and not in circles. Calls that write values of a guarded component ask first.
 * Then the links of relations are already what they are going to be; ki_link_changes_end keeps them, or
 * takes them back. */
#ifndef KI_WORLD_GUARD_H
#define KI_WORLD_GUARD_H

#include "store/relation.h"
#include "world/unique_key.h"

/* ki_world_guard for a component that is guarded. */
kith_result ki_guard_value(kith_world *world, const char *call, ki_component *component,
                           kith_entity entity, const void *value, ki_link_changes *links);

/* Makes sure that an entity, which may be about to be made, can get a value; NULL is zero bytes.
 * KITH_ERR_CONFLICT: another one has its unique key; KITH_ERR_DEAD, KITH_ERR_CYCLE: a relation cannot
 * have that target; KITH_ERR_MEMORY. Messages name `call`. */
static inline kith_result ki_world_guard(kith_world *world, const char *call,
                                         ki_component *component, kith_entity entity,
                                         const void *value, ki_link_changes *links)
{
    return KI_LIKELY(!component->guarded)
               ? KITH_OK
               : ki_guard_value(world, call, component, entity, value, links);
}

/* The part of it that is about relations. */
kith_result ki_relation_guard(kith_world *world, const char *call, ki_component *component,
                              kith_entity entity, const void *value, ki_link_changes *links);

/* KITH_ERR_CYCLE, with a message: the source would come after itself. */
kith_result ki_relation_reject_circle(const kith_world *world, ki_context *context,
                                      const char *call, const ki_relation *relation,
                                      kith_entity source, kith_entity target);

/* KITH_ERR_CONFLICT, with a message: the target must not end before the source. */
kith_result ki_relation_reject_end(const kith_world *world, ki_context *context, const char *call,
                                   const ki_relation *relation, kith_entity source,
                                   kith_entity target);

/* Reports that a call would write values of a guarded type in place. */
kith_result ki_reject_guarded(const kith_world *world, const char *call,
                              const ki_component *component);

/* The entity in a slot, which may be about to be made. */
kith_entity ki_world_entity_in(const kith_world *world, uint32_t index);

/* The handle that the next spawned entity gets, and the one that is spawned after an entity. */
kith_entity ki_world_next_entity(const kith_world *world);
kith_entity ki_world_entity_after(const kith_world *world, kith_entity entity);

#endif
