#include "hook_calls.h"

static kith_result with_owned(stage *s, kith_result (*act)(stage *s, const Owned *value))
{
    uint32_t number = 9;
    const Owned value = {&number, 9, 0};
    uint64_t live = s->owned->live;
    kith_result result = act(s, &value);
    /* A block that is shared no more has copies of its own, also after a failure. */
    CHECK(result == KITH_OK || s->shared != NULL || s->owned->live == live);
    return result;
}

static kith_result owned_overwrite(stage *s, const Owned *value)
{
    return kith_set(s->world, s->owner, &Owned_type, value);
}

kith_result set_hooked(stage *s)
{
    return with_owned(s, owned_overwrite);
}

static kith_result owned_add(stage *s, const Owned *value)
{
    return kith_set(s->world, s->plain, &Owned_type, value);
}

kith_result set_new_hooked(stage *s)
{
    return with_owned(s, owned_add);
}

kith_result add_hooked(stage *s)
{
    return KITH_ADD(s->world, s->plain, Owned);
}

static kith_result owned_several(stage *s, const Owned *value)
{
    const kith_value values[] = {{&Owned_type, value}, KITH_VALUE(Name, {"several"})};
    return kith_set_values(s->world, s->owner, values, 2);
}

kith_result set_several_hooked(stage *s)
{
    return with_owned(s, owned_several);
}

static kith_result owned_spawn(stage *s, const Owned *value)
{
    const kith_value values[] = {{&Owned_type, value}, KITH_VALUE(Position, {1, 2})};
    kith_entity entity;
    return kith_spawn(s->world, values, 2, &entity);
}

kith_result spawn_hooked(stage *s)
{
    return with_owned(s, owned_spawn);
}

static kith_result owned_many(stage *s, const Owned *value)
{
    const kith_values values[] = {{&Owned_type, value, false}, KITH_VALUE(Byte, {3})};
    return kith_spawn_many(s->world, 20, values, 2, NULL);
}

kith_result spawn_many_hooked(stage *s)
{
    return with_owned(s, owned_many);
}

kith_result clone_hooked(stage *s)
{
    kith_entity made;
    return kith_clone(s->world, s->owner, &made);
}

kith_result remove_hooked(stage *s)
{
    return KITH_HAS(s->world, s->owner, Owned) ? KITH_REMOVE(s->world, s->owner, Owned) : KITH_OK;
}

kith_result move_hooked(stage *s)
{
    return KITH_SET(s->world, s->owner, Velocity, {1, 2});
}

kith_result clear_hooked(stage *s)
{
    return kith_remove_all(s->world, s->owner);
}

kith_result despawn_hooked(stage *s)
{
    return kith_despawn(s->world, s->owner);
}

kith_result write_hooked(stage *s)
{
    void *value;
    return kith_get_mut(s->world, s->owner, &Owned_type, &value);
}

static kith_result owned_resource(stage *s, const Owned *value)
{
    return kith_resource_set(s->world, &Owned_type, value);
}

kith_result resource_hooked(stage *s)
{
    return with_owned(s, owned_resource);
}

static kith_result owned_event(stage *s, const Owned *value)
{
    return kith_event_send(s->world, &Owned_type, value);
}

kith_result event_hooked(stage *s)
{
    return with_owned(s, owned_event);
}
