/* Guards: what is to hold of values whatever writes them: that unique keys are unique, and names
 * among siblings, and that relations lead to living entities and not in circles. Calls that write
 * values of a guarded component ask first. Then the links of relations are already what they are
 * going to be; ki_link_changes_end keeps them, or takes them back. */
#ifndef KI_WORLD_GUARD_H
#define KI_WORLD_GUARD_H

#include "store/relation.h"
#include "world/bundle.h"
#include "world/unique_key.h"

/* ---- Relations */

/* KITH_ERR_CYCLE, with a message that names the circle: the target is the source, or leads to it. */
kith_result ki_relation_reject_circle(const kith_world *world, ki_context *context,
                                      const char *call, const ki_relation *relation,
                                      kith_entity source, kith_entity target);

/* Tells why ki_link_changes_lead failed, which it returns. */
kith_result ki_relation_reject(kith_world *world, const char *call, const ki_relation *relation,
                               kith_entity entity, kith_entity target, kith_result why);

/* Links an entity to the target that a value names. */
static inline kith_result ki_relation_guard_one(kith_world *world, const char *call,
                                                ki_relation *relation, kith_entity entity,
                                                const void *value)
{
    const kith_entity target = ki_relation_target(relation, value);
    const kith_result result =
        ki_link_changes_lead(&world->store, relation, entity.index1 - 1, target);
    return result == KITH_OK ? KITH_OK
                             : ki_relation_reject(world, call, relation, entity, target, result);
}

/* The part of ki_guard_value that is about relations: one, or the two of a link. */
static inline kith_result ki_relation_guard(kith_world *world, const char *call,
                                            const ki_component *component, kith_entity entity,
                                            const void *value)
{
    ki_relation *relation = component->relation;
    KI_TRY(ki_relation_guard_one(world, call, relation, entity, value));
    return relation->other == NULL
               ? KITH_OK
               : ki_relation_guard_one(world, call, relation->other, entity, value);
}

/* KITH_ERR_CONFLICT, with a message: the target must not end before the source. */
kith_result ki_relation_reject_end(const kith_world *world, ki_context *context, const char *call,
                                   const ki_relation *relation, kith_entity source,
                                   kith_entity target);

/* ---- Values */

/* Whether the names of entities depend on values of a component. */
static inline bool ki_guard_is_of_names(const ki_store *store, const ki_component *component)
{
    return store->entity_names != NULL &&
           (component == store->entity_names ||
            (component->relation != NULL && component->relation == store->child_of));
}

/* ki_guard_value for a component that has a unique key, or that names depend on. */
kith_result ki_guard_key(kith_world *world, const char *call, ki_component *component,
                         kith_entity entity, const void *value);

/* Makes sure that an entity, which may be about to be made, can get a value of a guarded component;
 * NULL is zero bytes. KITH_ERR_CONFLICT: another one has its unique key, or a sibling its name;
 * KITH_ERR_INPUT: it cannot be a name; KITH_ERR_DEAD, KITH_ERR_CYCLE: a relation cannot have that
 * target; KITH_ERR_MEMORY. Messages name `call`. */
static inline kith_result ki_guard_value(kith_world *world, const char *call,
                                         ki_component *component, kith_entity entity,
                                         const void *value)
{
    return component->unique != NULL || ki_guard_is_of_names(&world->store, component)
               ? ki_guard_key(world, call, component, entity, value)
               : ki_relation_guard(world, call, component, entity, value);
}

/* The same for several values together. Some of them are guarded. */
kith_result ki_guard_values(kith_world *world, const char *call, kith_entity entity,
                            const ki_bundle_entry *entries, const kith_value *values,
                            uint32_t count);

/* Makes sure that an entity can have the name that it has, once its link to the parent has changed.
 * KITH_ERR_CONFLICT, KITH_ERR_MEMORY. */
kith_result ki_entity_name_guard(kith_world *world, const char *call, kith_entity entity);

/* Makes room for `count` names, if the component is that of names, or of children. While links are as
 * they were, names that are not true any more make room: so this comes before links are changed.
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_entity_names_reserve(kith_world *world, const ki_component *component,
                                    uint32_t count);

/* Reports that a call would write values of a guarded type in place. */
kith_result ki_reject_guarded(const kith_world *world, const char *call,
                              const ki_component *component);

/* The handle that the next spawned entity gets, and the one that is spawned after an entity. */
kith_entity ki_world_next_entity(const kith_world *world);
kith_entity ki_world_entity_after(const kith_world *world, kith_entity entity);

#endif
