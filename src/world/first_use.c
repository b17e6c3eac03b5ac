/* Types that a call names before the world knows them. A call that puts a value into the world, or asks
 * for values in times to come (queries, trackers, systems), registers them as they are declared. A call
 * that only looks for a value does not find one. */
#include <stdio.h>

#include "base/hash.h"
#include "world/world.h"

static uint64_t first_use_name(const kith_type *type)
{
    return type->name == NULL ? 0 : ki_hash_text(KI_HASH_SEED, type->name);
}

/* What kith_register said of a type of this name last, if that failed; NULL otherwise. */
static ki_refusal *first_use_refusal(kith_world *world, const kith_type *type)
{
    uint64_t name = first_use_name(type);
    for (uint32_t i = 0; i < KI_REFUSALS; i++) {
        ki_refusal *refusal = &world->refusals[i];
        if (refusal->result != KITH_OK && refusal->name == name) {
            return refusal;
        }
    }
    return NULL;
}

void ki_world_remember_registration(kith_world *world, const kith_type *type, kith_result result)
{
    ki_refusal *refusal = first_use_refusal(world, type);
    if (result == KITH_OK) {
        if (refusal != NULL) {
            refusal->result = KITH_OK;
        }
        return;
    }
    if (refusal == NULL) {
        refusal = &world->refusals[world->refusal_next];
        world->refusal_next = (world->refusal_next + 1) % KI_REFUSALS;
    }
    const char *why = world->store.context.error;
    *refusal = (ki_refusal){.name = first_use_name(type), .result = result};
    snprintf(refusal->why, sizeof refusal->why, "%.127s",
             why[0] == '\0' ? kith_result_name(result) : why);
}

kith_result ki_world_require_accepted(kith_world *world, const char *call, const kith_type *type)
{
    const ki_refusal *refusal = first_use_refusal(world, type);
    return refusal == NULL
               ? KITH_OK
               : ki_fail(&world->store.context, refusal->result,
                         "%s: '%s' is not registered in this world, since that failed; look at what"
                         " kith_register returns. Its message: %s",
                         call, type->name == NULL ? "(null)" : type->name, refusal->why);
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
    if (type->hooked) {
        return ki_fail(&world->store.context, KITH_ERR_INPUT,
                       "%s: '%.127s' needs hooks: register it with them first (kith_register, in"
                       " C++ register_type)",
                       call, type->name);
    }
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

kith_result ki_world_absent_of(const kith_world *world, kith_entity entity)
{
    return ki_without_message(
        &world->store.context.heap,
        ki_record_of(&world->store.entities, entity) == NULL ? KITH_ERR_DEAD : KITH_ERR_ABSENT);
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
