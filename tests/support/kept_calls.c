/* Values that are lost while an observer wants them. */
#include "kept_calls.h"

#include "hook_calls.h"

#include <kith/kith.h>

static void forget_lost(const kith_observed *observed)
{
    CHECK_PTR_NOT_NULL(kith_observed_values(observed, observed->type));
}

kith_result kept_call_observer_new(stage *s)
{
    const kith_observer_def def = {
        .kind = KITH_ON_REMOVE, .type = &Extra_type, .run = forget_lost, .values = true};
    return kith_observer_new(s->world, &def, NULL);
}

static void forget_what_they_had(const kith_observed *observed)
{
    CHECK_UINT(observed->count, 1);
    CHECK_PTR_NOT_NULL(KITH_AT(observed, 0, Owned)->number);
    CHECK_PTR_NULL(kith_observed_value(observed, 0, &Frozen_type));
}

kith_result kept_call_observer_also(stage *s)
{
    const kith_observer_def def = {.kind = KITH_ON_DESPAWN,
                                   .type = &Position_type,
                                   .also = KITH_TERMS(KITH_READ(Owned), KITH_READ(Frozen)),
                                   .run = forget_what_they_had};
    return kith_observer_new(s->world, &def, NULL);
}

/* Values that are lost are kept from here on. */
void kept_call_keep(stage *s)
{
    const kith_type *types[] = {&Position_type, &Owned_type, &Crate_type};
    for (int i = 0; i < 3; i++) {
        const kith_observer_def def = {
            .kind = KITH_ON_REMOVE, .type = types[i], .run = forget_lost, .values = true};
        CHECK_RESULT(kith_observer_new(s->world, &def, NULL), KITH_OK);
    }
}

kith_result kept_call_remove(stage *s)
{
    return KITH_REMOVE(s->world, s->plain, Position);
}

kith_result kept_call_despawn(stage *s)
{
    return kith_despawn(s->world, s->owner);
}

kith_result kept_call_clear(stage *s)
{
    return kith_remove_all(s->world, s->owner);
}

kith_result kept_call_despawn_many(stage *s)
{
    return kith_despawn_many(s->world, s->crates, 5, NULL);
}

/* What despawned entities had is kept from here on. */
void kept_call_keep_also(stage *s)
{
    CHECK_RESULT(kept_call_observer_also(s), KITH_OK);
}

/* And one is despawned. */
void kept_call_end_one(stage *s)
{
    kept_call_keep_also(s);
    CHECK_RESULT(kept_call_despawn(s), KITH_OK);
}

static kith_commands *kept_commands;

void kept_call_queue(stage *s)
{
    kept_call_keep(s);
    kept_commands = kith_commands_new(s->world, NULL);
    CHECK_PTR_NOT_NULL(kept_commands);
    KITH_REMOVE(kept_commands, s->plain, Position);
    KITH_REMOVE(kept_commands, s->crates[1], Crate);
    kith_commands_despawn(kept_commands, s->owner);
    kith_commands_remove_all(kept_commands, s->crates[3]);
}

kith_result kept_call_apply(stage *s)
{
    (void)s;
    return kith_commands_apply(kept_commands, NULL);
}

void kept_call_lose(stage *s)
{
    kept_call_queue(s);
    CHECK_RESULT(kept_call_apply(s), KITH_OK);
}
