/* Lookups: the parts that are not inline. */
#include "world/lookup.h"

#include "world/first_use.h"

kith_lookup ki_lookup_make(const kith_world *world, const struct kith_place_ *place,
                           const kith_type *type, kith_result result)
{
    static const uint32_t no_slots;
    kith_lookup lookup = {.result = result,
                          .place_ = {.layout = KITH_TABLE, .entities = (const char *)&no_slots}};
    if (result == KITH_OK) {
        lookup.world_ = world;
        lookup.type_ = type->size == 0 ? NULL : type;
        lookup.place_ = *place;
    }
    return lookup;
}

kith_lookup kith_lookup_new(kith_world *world, const kith_type *type)
{
    ki_component *component = NULL;
    kith_result result = ki_world_require_owner(world, "kith_lookup_new");
    if (result == KITH_OK) {
        result = ki_world_use(world, "kith_lookup_new", type, &component);
    }
    return ki_lookup_make(world, result == KITH_OK ? &component->place : NULL, type, result);
}

bool kith_lookup_fits_(const kith_world *world, const kith_type *own, const kith_type *type)
{
    if (own == NULL) {
        return false;
    }
    const ki_component *component = type == NULL ? NULL : ki_world_component(world, type);
    if (component != NULL && component == ki_world_component(world, own)) {
        return true; /* another file's descriptor */
    }
    if (KI_CHECKED) {
        ki_misuse(&world->store.context, "kith_lookup: this one is of %s, not of %s", own->name,
                  type == NULL || type->name == NULL ? "(null)" : type->name);
    }
    return false;
}
