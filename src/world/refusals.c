#include "world/refusals.h"

#include <stdio.h>

#include "base/hash.h"

static uint64_t refusals_name(const kith_type *type)
{
    return type->name == NULL ? 0 : ki_hash_text(KI_HASH_SEED, type->name);
}

/* What kith_register said of a type of this name last, if that failed; NULL otherwise. */
static ki_refusal *refusals_find(kith_world *world, const kith_type *type)
{
    for (uint32_t i = 0; i < KI_REFUSALS; i++) {
        ki_refusal *refusal = &world->refusals[i];
        if (refusal->result != KITH_OK && refusal->name == refusals_name(type)) {
            return refusal;
        }
    }
    return NULL;
}

void ki_world_remember_registration(kith_world *world, const kith_type *type, kith_result result)
{
    ki_refusal *refusal = refusals_find(world, type);
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
    *refusal = (ki_refusal){.name = refusals_name(type), .result = result};
    snprintf(refusal->why, sizeof refusal->why, "%.127s",
             why[0] == '\0' ? kith_result_name(result) : why);
}

kith_result ki_world_require_accepted(kith_world *world, const char *call, const kith_type *type)
{
    const ki_refusal *refusal = refusals_find(world, type);
    return refusal == NULL
               ? KITH_OK
               : ki_fail(&world->store.context, refusal->result,
                         "%s: '%s' is not registered in this world, since that failed; look at what"
                         " kith_register returns. Its message: %s",
                         call, type->name == NULL ? "(null)" : type->name, refusal->why);
}
