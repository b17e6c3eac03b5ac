#include "world/guard.h"

#include <kith/namer.h>

#include "base/text_out.h"

/* ---- Entities that are about to be made ------------------------------------------------------- */

kith_entity ki_world_next_entity(const kith_world *world)
{
    return ki_world_entity_in(world, ki_entities_next(&world->store.entities));
}

kith_entity ki_world_entity_after(const kith_world *world, kith_entity entity)
{
    const ki_entities *entities = &world->store.entities;
    uint32_t index = entity.index1 - 1;
    if (index >= entities->slots) {
        return ki_world_entity_in(world, index + 1);
    }
    uint32_t next_free1 = ki_record_at(entities, index)->row;
    return ki_world_entity_in(world, next_free1 != 0 ? next_free1 - 1 : entities->slots);
}

/* ---- Relations -------------------------------------------------------------------------------- */

enum { CIRCLE_ENDS = 3 }; /* entities that are shown at both ends of a long circle */

/* The entity that a link leads to; of the source, the target that it would have. */
static kith_entity circle_next(const kith_world *world, const ki_relation *relation,
                               kith_entity source, kith_entity target, kith_entity at)
{
    return kith_entity_equal(at, source)
               ? target
               : ki_world_entity_in(world, ki_relation_link(relation, at.index1 - 1).target1 - 1);
}

/* Writes the circle that a link would close, from the source back to it, without the middle of a long
 * one. False: it does not fit into `size` bytes. */
static bool circle_print(const kith_world *world, const ki_relation *relation, kith_entity source,
                         kith_entity target, bool named, char *text, size_t size)
{
    uint32_t links = 1;
    for (kith_entity at = target; !kith_entity_equal(at, source); links++) {
        at = circle_next(world, relation, source, target, at);
    }
    ki_text_out out = ki_text_start(text, size);
    kith_entity at = source;
    for (uint32_t i = 0; i <= links && out.length < size; i++) {
        const char *arrow = i == 0 ? "" : " -> ";
        if (links >= 2 * CIRCLE_ENDS && i == CIRCLE_ENDS) {
            ki_text_add(&out, "%s... %u more ...", arrow, links + 1 - 2 * CIRCLE_ENDS);
        } else if (i < CIRCLE_ENDS || i + CIRCLE_ENDS > links) {
            ki_text_add(&out, "%s%s", arrow,
                        named ? kith_entity_describe(world, at).text
                              : kith_entity_to_text(at).text);
        }
        at = circle_next(world, relation, source, target, at);
    }
    return out.length < size;
}

kith_result ki_relation_reject_circle(const kith_world *world, ki_context *context,
                                      const char *call, const ki_relation *relation,
                                      kith_entity source, kith_entity target)
{
    char circle[224] = "a circle, since they are the same entity"; /* handles fit, names may not */
    if (!kith_entity_equal(source, target) &&
        !circle_print(world, relation, source, target, true, circle, sizeof circle)) {
        circle_print(world, relation, source, target, false, circle, sizeof circle);
    }
    return ki_fail(context, KITH_ERR_CYCLE,
                   "%s: %s cannot have %s as the target of %s: that would close %s%s", call,
                   kith_entity_describe(world, source).text,
                   kith_entity_describe(world, target).text, relation->component->type->name,
                   kith_entity_equal(source, target) ? "" : "the circle ", circle);
}

kith_result ki_relation_reject_end(const kith_world *world, ki_context *context, const char *call,
                                   const ki_relation *relation, kith_entity source,
                                   kith_entity target)
{
    return ki_fail(context, KITH_ERR_CONFLICT,
                   "%s: %s cannot be despawned, since it is the target of %s, which has the"
                   " relation %s (KITH_REFUSE)",
                   call, kith_entity_describe(world, target).text,
                   kith_entity_describe(world, source).text, relation->component->type->name);
}

kith_result ki_relation_reject(kith_world *world, const char *call, const ki_relation *relation,
                               kith_entity entity, kith_entity target, kith_result why)
{
    ki_context *context = &world->store.context;
    if (why == KITH_ERR_CYCLE) {
        return ki_relation_reject_circle(world, context, call, relation, entity, target);
    }
    return why != KITH_ERR_DEAD
               ? why
               : ki_fail(context, KITH_ERR_DEAD, "%s: %s cannot have %s as the %s of %s: %s", call,
                         kith_entity_describe(world, entity).text,
                         kith_entity_describe(world, target).text,
                         relation->other != NULL ? "source" : "target",
                         relation->component->type->name,
                         kith_is_none(target) ? "give it a living entity, or remove it"
                                              : "it is not alive");
}

/* ---- Values ----------------------------------------------------------------------------------- */

kith_result ki_entity_name_guard(kith_world *world, const char *call, kith_entity entity)
{
    ki_store *store = &world->store;
    ki_component *names = store->entity_names;
    const ki_record *record = names == NULL ? NULL : ki_record_of(&store->entities, entity);
    const void *value =
        record == NULL ? NULL : ki_store_value(store, names, entity.index1 - 1, record);
    return value == NULL ? KITH_OK : ki_unique_claim(world, call, names, entity, value);
}

kith_result ki_entity_names_reserve(kith_world *world, const ki_component *component,
                                    uint32_t count)
{
    ki_store *store = &world->store;
    return ki_guard_is_of_names(store, component)
               ? ki_unique_reserve(store, store->entity_names->unique, count)
               : KITH_OK;
}

/* The part of ki_guard_value that is not about names. */
static inline kith_result guard_other(kith_world *world, const char *call, ki_component *component,
                                      kith_entity entity, const void *value)
{
    KI_TRY(ki_entity_names_reserve(world, component, 1));
    if (component->relation != NULL) {
        KI_TRY(ki_relation_guard(world, call, component, entity, value));
    }
    return component->unique == NULL || component->unique->names
               ? KITH_OK
               : ki_unique_claim(world, call, component, entity, value);
}

kith_result ki_guard_key(kith_world *world, const char *call, ki_component *component,
                         kith_entity entity, const void *value)
{
    KI_TRY(guard_other(world, call, component, entity, value));
    return !ki_guard_is_of_names(&world->store, component) ? KITH_OK
           : component == world->store.entity_names
               ? ki_unique_claim(world, call, component, entity, value)
               : ki_entity_name_guard(world, call, entity);
}

kith_result ki_guard_values(kith_world *world, const char *call, kith_entity entity,
                            const ki_bundle_entry *entries, const kith_value *values,
                            uint32_t count)
{
    ki_component *names = world->store.entity_names;
    const kith_value *name = NULL;
    for (uint32_t i = 0; i < count; i++) {
        ki_component *component = entries[i].component;
        if (component->guarded) {
            KI_TRY(guard_other(world, call, component, entity, values[i].data));
        }
        name = component == names ? &values[i] : name;
    }
    return name != NULL ? ki_unique_claim(world, call, names, entity, name->data)
                        : ki_entity_name_guard(world, call, entity);
}

kith_result ki_reject_guarded(const kith_world *world, const char *call,
                              const ki_component *component)
{
    return ki_misuse(&world->store.context,
                     "%s: %s %s, and its values are not written in place; set the whole value"
                     " (KITH_SET)",
                     call, component->type->name,
                     component->relation != NULL ? "is a relation"
                     : component->unique->names  ? "is the name of an entity"
                                                 : "has a unique key");
}
