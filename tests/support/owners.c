#include "owners.h"

#include "components.h"

static void owners_make(owners *o, kith_layout layout, kith_hooks (*make)(owned_record *record))
{
    *o = (owners){.f = fixture_new()};
    o->world = o->f.world;
    kith_hooks hooks = make(&o->record);
    const kith_component_def hooked = {.layout = layout, .hooks = &hooks};
    const kith_component_def plain = {.layout = layout};
    CHECK_RESULT(kith_register(o->world, &Owned_type, &hooked), KITH_OK);
    CHECK_RESULT(kith_register(o->world, &Position_type, &plain), KITH_OK);
    CHECK_RESULT(kith_register(o->world, &Velocity_type, NULL), KITH_OK);
    CHECK_RESULT(kith_register(o->world, &Frozen_type, NULL), KITH_OK);
    CHECK_RESULT(kith_register(o->world, &Bond_type, &hooked), KITH_OK);
}

void owners_new(owners *o, kith_layout layout)
{
    owners_make(o, layout, owned_hooks);
}

void owners_new_without_copy(owners *o, kith_layout layout)
{
    owners_make(o, layout, owned_hooks_without_copy);
}

void owners_free(owners *o)
{
    fixture_free(&o->f);
    CHECK_UINT(o->record.live, 0);
}

kith_result set_number(owners *o, kith_entity entity, uint32_t number)
{
    Owned value = owned_new(&o->record, number);
    kith_result result = kith_set(o->world, entity, &Owned_type, &value);
    owned_end(&o->record, &value);
    return result;
}

uint32_t number_of(const owners *o, kith_entity entity)
{
    const Owned *owned = KITH_GET(o->world, entity, Owned);
    CHECK_PTR_NOT_NULL(owned);
    CHECK(owned->tag == *owned->number);
    return *owned->number;
}

kith_entity spawn_number(owners *o, uint32_t number)
{
    kith_entity entity = kith_spawn_empty(o->world);
    CHECK_RESULT(set_number(o, entity, number), KITH_OK);
    return entity;
}

void check_live(owners *o, uint64_t count)
{
    CHECK_WORLD(o->world);
    CHECK_UINT(o->record.live, count);
}
