/* Types that need hooks, since a field of theirs is opaque. */
#include "world/refusals.h"

const kith_field *ki_type_opaque(const kith_type *type)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].kind == KITH_OPAQUE) {
            return &type->fields[i];
        }
    }
    return NULL;
}

kith_result ki_world_require_hooks(kith_world *world, const char *call, const kith_type *type,
                                   const ki_component **hooked)
{
    const kith_field *opaque = ki_type_opaque(type);
    *hooked = ki_world_hooked(world, type);
    if (*hooked == NULL && ki_world_component(world, type) == NULL) {
        KI_TRY(ki_world_require_accepted(world, call, type));
    }
    return opaque == NULL || *hooked != NULL
               ? KITH_OK
               : ki_fail(&world->store.context, KITH_ERR_TYPE,
                         "%s: '%s': its field %s is opaque: only hooks know what to do with it;"
                         " register the type with them first (kith_register)",
                         call, type->name, opaque->name);
}
