/* Systems, phases, workers and observers that are added. */
#include "system_calls.h"

#include <kith/kith.h>

#include "nothing.h"

kith_result system_call_add(stage *s)
{
    const kith_system_def def = {.name = "plain",
                                 .update = update_nothing,
                                 .queries = {{.terms = KITH_TERMS(KITH_WRITE(Position))},
                                             {.terms = KITH_TERMS(KITH_READ(Extra))}}};
    return kith_system_add(s->world, &def);
}

kith_result system_call_add_query(stage *s)
{
    const kith_system_def def = {.name = "query",
                                 .run = run_nothing,
                                 .priority = -1,
                                 .query.terms = KITH_TERMS(KITH_WRITE(Position), KITH_READ(Extra)),
                                 .queries = {{.terms = KITH_TERMS(KITH_READ(Extra))},
                                             {.terms = KITH_TERMS(KITH_WRITE(Velocity))}}};
    return kith_system_add(s->world, &def);
}

kith_result system_call_replace(stage *s)
{
    const kith_system_def def = {.name = "look",
                                 .run = run_nothing,
                                 .query.terms = KITH_TERMS(KITH_WRITE(Position), KITH_READ(Extra)),
                                 .before = "a, b",
                                 .after = "c",
                                 .group = "lookers",
                                 .lookups = KITH_TERMS(KITH_READ(Velocity), KITH_BEFORE(Position)),
                                 .events = KITH_TERMS(KITH_WRITE(Position))};
    return kith_system_replace(s->world, &def);
}

/* A system with a name in two queries. */
void system_call_prepare_bind(stage *s)
{
    const kith_system_def def = {
        .name = "bound",
        .run = run_nothing,
        .query.terms = KITH_TERMS(KITH_IF(Name, text, ==, kith_bound("name"))),
        .queries = {{.terms = KITH_TERMS(KITH_IF_PREFIX(Name, text, kith_bound("name")))}}};
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_OK);
    CHECK_RESULT(kith_system_bind(s->world, "bound", "name", "one before"), KITH_OK);
}

kith_result system_call_bind(stage *s)
{
    return kith_system_bind(s->world, "bound", "name", "a name");
}

kith_result system_call_phase_add(stage *s)
{
    return kith_phase_add(s->world, "mine", KITH_PHASE_UPDATE);
}

static void *do_now(void (*work)(void *job), void *job, void *context)
{
    (void)context;
    work(job);
    return NULL;
}

static void do_not(void *handle, void *context)
{
    (void)handle;
    (void)context;
}

kith_result system_call_workers_of_the_host(stage *s)
{
    return kith_workers_set(s->world,
                            &(kith_workers_def){.threads = 4, .enqueue = do_now, .finish = do_not});
}

kith_result system_call_workers_of_kith(stage *s)
{
    return kith_workers_set(s->world, &(kith_workers_def){.threads = 3});
}

kith_result system_call_profile_start(stage *s)
{
    return kith_profile_start(s->world, 10);
}

static void look_on(const kith_observed *observed)
{
    kith_commands_remove(observed->commands, observed->entities[0], &Burning_type);
}

kith_result system_call_observer_new(stage *s)
{
    const kith_observer_def def = {.name = "crates", .type = &Crate_type, .run = look_on};
    return kith_observer_new(s->world, &def, NULL);
}

kith_result system_call_observer_of_values(stage *s)
{
    const kith_observer_def def = {.kind = KITH_ON_CHANGE, .type = &Extra_type, .run = look_on};
    return kith_observer_new(s->world, &def, NULL);
}

kith_result system_call_observer_of_matches(stage *s)
{
    const kith_observer_def def = {
        .kind = KITH_ON_ENTER,
        .run = look_on,
        .query.terms = KITH_TERMS(KITH_READ(Position), KITH_WITHOUT(Frozen), KITH_WITH(Velocity))};
    return kith_observer_new(s->world, &def, NULL);
}

void system_call_burn_all(stage *s)
{
    CHECK_RESULT(KITH_ADD(s->world, s->plain, Burning), KITH_OK);
    CHECK_RESULT(KITH_ADD(s->world, s->full, Burning), KITH_OK);
}

kith_result system_call_observe(stage *s)
{
    return kith_observers_flush(s->world);
}
