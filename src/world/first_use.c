/* Types that a call names before the world knows them. A call that puts a value into the world, or asks
 * for values in times to come (queries, trackers, systems), registers them as they are declared. A call
 * that only looks for a value does not find one. */
#include "world/first_use.h"

#include <kith/namer.h>

#include "world/refusals.h"

kith_result ki_require_plain(ki_context *context, const char *call, const kith_type *type)
{
    return !type->hooked ? KITH_OK
                         : ki_fail(context, KITH_ERR_INPUT,
                                   "%s: '%.127s' needs hooks: register it with them first"
                                   " (kith_register, in C++ register_type)",
                                   call, type->name == NULL ? "(null)" : type->name);
}

kith_result ki_world_use_slow(kith_world *world, const char *call, const kith_type *type,
                              ki_component **component)
{
    *component = type == NULL ? NULL : ki_world_component(world, type);
    if (*component != NULL) {
        return KITH_OK;
    }
    if (type == NULL) {
        return ki_reject_type(world, call, type);
    }
    KI_TRY(ki_world_require_accepted(world, call, type));
    KI_TRY(ki_require_plain(&world->store.context, call, type));
    const kith_type *kept;
    KI_TRY(ki_world_add_type(world, call, type, type->layout, NULL, &kept));
    *component = ki_world_component(world, kept);
    (*component)->by_use = true;
    return KITH_OK;
}

kith_result ki_world_use_to_change(kith_world *world, const char *call, const kith_type *type,
                                   ki_component **component)
{
    *component = type == NULL ? NULL : ki_world_component(world, type);
    if (*component != NULL) {
        return KITH_OK;
    }
    if (type != NULL && !ki_world_is_unlocked(world)) {
        return ki_reject_change(world, call);
    }
    return ki_world_use_slow(world, call, type, component);
}

kith_result ki_world_look_up(const kith_world *world, const char *call, const kith_type *type,
                             ki_component **component)
{
    *component = type == NULL ? NULL : ki_world_component(world, type);
    if (*component != NULL) {
        return KITH_OK;
    }
    bool clash = type != NULL && type->name != NULL &&
                 ki_register_find_name(type->name, ki_world_knows, world) != NULL;
    return type == NULL || clash ? ki_reject_type(world, call, type)
                                 : ki_without_message(&world->store.context.heap, KITH_ERR_ABSENT);
}

/* What to do instead, if no call but those of a command buffer takes the handle. */
static const char *world_hint_of(kith_entity entity)
{
    return entity.index1 != 0 || entity.generation == 0
               ? ""
               : "; a command buffer gave out this handle: after kith_commands_apply, "
                 "kith_commands_real has the one of the entity";
}

kith_result ki_world_dead(kith_world *world, const char *call, kith_entity entity)
{
    return ki_fail(&world->store.context, KITH_ERR_DEAD, "%s: %s is not alive%s", call,
                   kith_entity_describe(world, entity).text, world_hint_of(entity));
}

kith_result ki_world_absent_of(const kith_world *world, kith_entity entity)
{
    return ki_without_message(
        &world->store.context.heap,
        ki_record_of(&world->store.entities, entity) == NULL ? KITH_ERR_DEAD : KITH_ERR_ABSENT);
}

kith_result ki_world_tell_lack(const kith_world *world, const char *call, kith_entity entity,
                               const kith_type *type, kith_result result)
{
    if (result != KITH_ERR_DEAD && result != KITH_ERR_ABSENT) {
        return result;
    }
    const kith_entity_description described = kith_entity_describe(world, entity);
    ki_context *context = ki_world_context(world);
    return result == KITH_ERR_DEAD
               ? ki_fail(context, result, "%s: %s is not alive%s", call, described.text,
                         world_hint_of(entity))
               : ki_fail(context, result, "%s: %s has no value of %.127s", call, described.text,
                         type->name == NULL ? "(unnamed)" : type->name);
}

kith_result ki_world_look_up_of(const kith_world *world, const char *call, kith_entity entity,
                                const kith_type *type, ki_component **component)
{
    kith_result result = ki_world_look_up(world, call, type, component);
    return result == KITH_ERR_ABSENT ? ki_world_absent_of(world, entity) : result;
}

kith_result ki_world_find_of(const kith_world *world, const char *call, kith_entity entity,
                             const kith_type *type, ki_component **component)
{
    *component = NULL;
    if (type == NULL) {
        return ki_fail(ki_world_context(world), KITH_ERR_UNKNOWN, "%s: the type is NULL", call);
    }
    *component = ki_world_component(world, type);
    return *component == NULL ? ki_world_absent_of(world, entity) : KITH_OK;
}

kith_result kith_register_many(kith_world *world, const kith_type *const *types, uint32_t count)
{
    KI_TRY(ki_world_begin_change(world, "kith_register_many"));
    if (KI_CHECKED && types == NULL && count != 0) {
        return ki_misuse(&world->store.context,
                         "kith_register_many: %u types, but their address is NULL", count);
    }
    for (uint32_t i = 0; i < count; i++) {
        ki_component *component;
        if (types[i] != NULL) {
            ki_world_remember_registration(world, types[i], KITH_OK);
        }
        KI_TRY(ki_world_use_slow(world, "kith_register_many", types[i], &component));
    }
    return KITH_OK;
}
