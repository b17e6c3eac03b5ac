/* Misuse of systems: each rule is broken once. */
#include "../world/trips.h"
#include <kith/kith.h>

/* ---- Trips: systems -------------------------------------------------------------------------- */

static kith_result do_nothing(kith_world *world, float dt, void *user)
{
    (void)world;
    (void)dt;
    (void)user;
    return KITH_OK;
}

static void system_add_null(stage *s)
{
    CHECK_RESULT(kith_system_add(s->world, NULL), KITH_ERR_MISUSE);
}

static kith_result add_within(stage *s)
{
    const kith_system_def def = {.name = "added", .update = do_nothing};
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_ERR_MISUSE);
    return KITH_OK;
}
static void system_add_in_a_run(stage *s)
{
    CHECK_RESULT(in_a_run(add_within, s), KITH_OK);
}

static void system_remove_null(stage *s)
{
    CHECK_RESULT(kith_system_remove(s->world, NULL), KITH_ERR_MISUSE);
}

static kith_result remove_within(stage *s)
{
    CHECK_RESULT(kith_system_remove(s->world, "tripping"), KITH_ERR_MISUSE);
    return KITH_OK;
}
static void system_remove_in_a_run(stage *s)
{
    CHECK_RESULT(in_a_run(remove_within, s), KITH_OK);
}

static void system_enable_null(stage *s)
{
    CHECK_RESULT(kith_system_enable(s->world, NULL, true), KITH_ERR_MISUSE);
}

static kith_result run_within(stage *s)
{
    CHECK_RESULT(kith_run(s->world, 1), KITH_ERR_MISUSE);
    return KITH_OK;
}
static void run_in_a_run(stage *s)
{
    CHECK_RESULT(in_a_run(run_within, s), KITH_OK);
}

static kith_result leave_open_within(stage *s)
{
    s->it = kith_query_iter(s->query);
    return KITH_OK;
}
static void query_left_open(stage *s)
{
    CHECK_RESULT(in_a_run(leave_open_within, s), KITH_ERR_MISUSE);
    kith_iter_end(&s->it);
}

static void system_replace_null(stage *s)
{
    CHECK_RESULT(kith_system_replace(s->world, NULL), KITH_ERR_MISUSE);
}

static kith_result replace_within(stage *s)
{
    const kith_system_def def = {.name = "tripping", .update = do_nothing};
    CHECK_RESULT(kith_system_replace(s->world, &def), KITH_ERR_MISUSE);
    return KITH_OK;
}
static void system_replace_in_a_run(stage *s)
{
    CHECK_RESULT(in_a_run(replace_within, s), KITH_OK);
}

static void group_enable_null(stage *s)
{
    CHECK_RESULT(kith_group_enable(s->world, NULL, true), KITH_ERR_MISUSE);
}

static kith_result phase_within(stage *s)
{
    CHECK_RESULT(kith_phase_add(s->world, "mine", NULL), KITH_ERR_MISUSE);
    return KITH_OK;
}
static void phase_add_in_a_run(stage *s)
{
    CHECK_RESULT(in_a_run(phase_within, s), KITH_OK);
}

static kith_result build_within(stage *s)
{
    CHECK_RESULT(kith_schedule_build(s->world), KITH_ERR_MISUSE);
    return KITH_OK;
}
static void build_in_a_run(stage *s)
{
    CHECK_RESULT(in_a_run(build_within, s), KITH_OK);
}

static kith_result workers_within(stage *s)
{
    CHECK_RESULT(kith_workers_set(s->world, NULL), KITH_ERR_MISUSE);
    return KITH_OK;
}
static void workers_set_in_a_run(stage *s)
{
    CHECK_RESULT(in_a_run(workers_within, s), KITH_OK);
}

static kith_result profile_within(stage *s)
{
    CHECK_RESULT(kith_profile_start(s->world, 1), KITH_ERR_MISUSE);
    return KITH_OK;
}
static void profile_start_in_a_run(stage *s)
{
    CHECK_RESULT(in_a_run(profile_within, s), KITH_OK);
}

static kith_result profile_stop_within(stage *s)
{
    kith_profile_stop(s->world);
    return KITH_OK;
}
static void profile_stop_in_a_run(stage *s)
{
    CHECK_RESULT(in_a_run(profile_stop_within, s), KITH_OK);
}

static void profile_of_nothing(stage *s)
{
    CHECK_RESULT(kith_profile_system(s->world, "tripping", NULL), KITH_ERR_MISUSE);
}

static void trace_nowhere(stage *s)
{
    CHECK_RESULT(kith_profile_trace(s->world, NULL, NULL), KITH_ERR_MISUSE);
}

static void print_nowhere(stage *s)
{
    CHECK_RESULT(kith_schedule_print(s->world, NULL, 0, NULL), KITH_ERR_MISUSE);
}

static void system_uses_null(stage *s)
{
    const kith_system_def def = {
        .name = "uses", .run = kith_iter_end, .lookups = NULL, .lookup_count = 2};
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_ERR_MISUSE);
}

static void system_uses_no_type(stage *s)
{
    const kith_term nothing = {.access = KITH_ACCESS_READ};
    const kith_system_def def = {
        .name = "uses", .run = kith_iter_end, .lookups = &nothing, .lookup_count = 1};
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_ERR_MISUSE);
}

static void no_clock_to_start(stage *s)
{
    (void)s;
    kith_clock_start(NULL, NULL);
}

static void no_clock_for_a_frame(stage *s)
{
    (void)s;
    CHECK_UINT(kith_clock_frame(NULL), 0);
}

/* ---- Trips: observers ------------------------------------------------------------------------ */

static void observer_new_null(stage *s)
{
    CHECK_RESULT(kith_observer_new(s->world, NULL, NULL), KITH_ERR_MISUSE);
}

static kith_observer *observer;
static void (*within_observer)(kith_world *world);
static uint32_t observer_calls;

static void call_in_observer(const kith_observed *observed)
{
    observer_calls++;
    if (within_observer != NULL) {
        within_observer(observed->world);
    }
}

/* The observer is told of the next one as ever. */
static void in_an_observer(stage *s, void (*call)(kith_world *world))
{
    const kith_observer_def def = {.type = &Velocity_type, .run = call_in_observer};
    CHECK_RESULT(kith_observer_new(s->world, &def, &observer), KITH_OK);
    kith_entity e = KITH_SPAWN(s->world, KITH_ZERO(Velocity));
    within_observer = call;
    observer_calls = 0;
    CHECK_RESULT(kith_observers_flush(s->world), KITH_OK);
    CHECK_RESULT(kith_despawn(s->world, e), KITH_OK);
    within_observer = NULL;
    e = KITH_SPAWN(s->world, KITH_ZERO(Velocity));
    CHECK_RESULT(kith_observers_flush(s->world), KITH_OK);
    CHECK_UINT(observer_calls, 2);
    CHECK_RESULT(kith_despawn(s->world, e), KITH_OK);
    kith_observer_free(observer);
}

static void new_in_observer(kith_world *world)
{
    const kith_observer_def def = {.type = &Velocity_type, .run = call_in_observer};
    CHECK_RESULT(kith_observer_new(world, &def, NULL), KITH_ERR_MISUSE);
}
static void observer_new_within(stage *s)
{
    in_an_observer(s, new_in_observer);
}

static void free_in_observer(kith_world *world)
{
    (void)world;
    kith_observer_free(observer);
}
static void observer_free_within(stage *s)
{
    in_an_observer(s, free_in_observer);
}

static void observe_in_observer(kith_world *world)
{
    CHECK_RESULT(kith_observers_flush(world), KITH_ERR_MISUSE);
}
static void observe_within(stage *s)
{
    in_an_observer(s, observe_in_observer);
}

static void leave_open(kith_world *world)
{
    kith_query *query = KITH_QUERY(world, KITH_READ(Velocity));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
}
static void query_left_open_by_observer(stage *s)
{
    const kith_observer_def def = {.type = &Velocity_type, .run = call_in_observer};
    CHECK_RESULT(kith_observer_new(s->world, &def, &observer), KITH_OK);
    kith_entity e = KITH_SPAWN(s->world, KITH_ZERO(Velocity));
    within_observer = leave_open;
    CHECK_RESULT(kith_observers_flush(s->world), KITH_ERR_MISUSE);
    CHECK(strstr(kith_error(s->world), "it left a query open") != NULL);
    CHECK_RESULT(kith_observers_flush(s->world), KITH_OK);
    CHECK_RESULT(kith_despawn(s->world, e), KITH_OK); /* it is not locked */
    kith_observer_free(observer);
}

/* An observer of Byte that asks for the lost values. */
static const kith_type *asked;

static void ask_for_values(const kith_observed *observed)
{
    CHECK_PTR_NULL(kith_observed_values(observed, asked));
}

static void ask_in_observer(stage *s, bool keeps, const kith_type *type)
{
    asked = type;
    const kith_observer_def def = {
        .kind = KITH_ON_REMOVE, .type = &Byte_type, .run = ask_for_values, .values = keeps};
    CHECK_RESULT(kith_observer_new(s->world, &def, &observer), KITH_OK);
    kith_entity e = KITH_SPAWN(s->world, KITH_VALUE(Byte, {10}));
    CHECK_RESULT(kith_despawn(s->world, e), KITH_OK);
    CHECK_RESULT(kith_observers_flush(s->world), KITH_OK);
    kith_observer_free(observer);
}

static void values_not_kept(stage *s)
{
    ask_in_observer(s, false, &Byte_type);
}

static void values_of_another_type(stage *s)
{
    ask_in_observer(s, true, &Position_type);
}

static void values_of_nothing(stage *s)
{
    (void)s;
    CHECK_PTR_NULL(kith_observed_values(NULL, &Byte_type));
}

static void run_in_observer(kith_world *world)
{
    CHECK_RESULT(kith_run(world, 1), KITH_ERR_MISUSE);
}
static void run_within_observer(stage *s)
{
    in_an_observer(s, run_in_observer);
}

static void world_free_within_observer(stage *s)
{
    in_an_observer(s, kith_world_free);
}

static void world_yield_within_observer(stage *s)
{
    in_an_observer(s, kith_world_release);
}

/* ---- Trips: within a query system ------------------------------------------------------------ */

/* Runs one tick with this system, which visits Position and may read Byte, the resource
 * Health and events of it, and send Byte. */
static void in_a_system(stage *s, void (*run)(kith_iter *it), bool parallel)
{
    const kith_system_def def = {
        .name = "tripping",
        .run = run,
        .user = s,
        .parallel = parallel,
        .query = {KITH_TERMS(KITH_WRITE(Position), KITH_READ(Byte), KITH_WITH(Frozen))},
        KITH_RESOURCES(KITH_READ(Health)),
        KITH_EVENTS(KITH_READ(Health), KITH_WRITE(Byte)),
    };
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_OK);
    CHECK_RESULT(kith_run(s->world, 1), KITH_OK);
    CHECK_RESULT(kith_system_remove(s->world, "tripping"), KITH_OK);
}

#define TRIP_WITHIN(name, parallel, ...)                                                           \
    static void name##_run(kith_iter *it)                                                          \
    {                                                                                              \
        stage *s = it->user;                                                                       \
        (void)s;                                                                                   \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    static void name(stage *s)                                                                     \
    {                                                                                              \
        in_a_system(s, name##_run, (parallel));                                                    \
    }

static void *value;

TRIP_WITHIN(calls_the_world, false, CHECK_PTR_NULL(KITH_GET(s->world, s->e, Position)))
TRIP_WITHIN(opens_a_query, false, CHECK_RESULT(kith_query_iter(s->query).result, KITH_ERR_MISUSE))
TRIP_WITHIN(undeclared_component, false, CHECK_PTR_NULL(KITH_GET(it, s->e, Velocity)))
TRIP_WITHIN(undeclared_resource, false, CHECK_PTR_NULL(KITH_RESOURCE(it, Extra)))
TRIP_WITHIN(undeclared_event, false, CHECK_RESULT(KITH_SEND(it, Extra, {0}), KITH_ERR_MISUSE))
TRIP_WITHIN(writes_what_is_read, false,
            CHECK_RESULT(kith_system_get_mut(it, s->e, &Byte_type, &value), KITH_ERR_MISUSE))
TRIP_WITHIN(sends_what_is_read, false, CHECK_RESULT(KITH_SEND(it, Health, {0}), KITH_ERR_MISUSE))
TRIP_WITHIN(reads_what_is_sent, false, CHECK_PTR_NULL(KITH_EVENT(it, 0, Byte)))
TRIP_WITHIN(reads_what_is_written, true, CHECK_PTR_NULL(KITH_GET(it, s->e, Position)))
TRIP_WITHIN(type_is_null, false, CHECK_PTR_NULL(kith_system_get(it, s->e, NULL)))
TRIP_WITHIN(component_nowhere, false,
            CHECK_RESULT(kith_system_get_mut(it, s->e, &Position_type, NULL), KITH_ERR_MISUSE))
TRIP_WITHIN(resource_nowhere, false,
            CHECK_RESULT(kith_system_resource_mut(it, &Health_type, NULL), KITH_ERR_MISUSE))

static void iterator_of_ones_own(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    CHECK_UINT(kith_system_random(&it), 0);
    kith_iter_end(&it);
}

static void system_queries_null(stage *s)
{
    const kith_system_def def = {.name = "tripping", .run = kith_iter_end, .query_count = 2};
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_ERR_MISUSE);
}

static void in_a_system_with_queries(stage *s, void (*run)(kith_iter *it))
{
    const kith_system_def def = {
        .name = "tripping",
        .run = run,
        .query = {KITH_TERMS(KITH_WRITE(Position))},
        .queries = KITH_QUERIES({KITH_TERMS(KITH_READ(Byte))}),
    };
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_OK);
    CHECK_RESULT(kith_run(s->world, 1), KITH_OK);
    CHECK_RESULT(kith_system_remove(s->world, "tripping"), KITH_OK);
}

static void run_no_such_query(kith_iter *it)
{
    kith_iter none = kith_system_query(it, 2);
    CHECK(!kith_next(&none));
    CHECK_RESULT(none.result, KITH_ERR_MISUSE);
}

static void no_such_query(stage *s)
{
    in_a_system_with_queries(s, run_no_such_query);
}

static void run_forgotten(kith_iter *it)
{
    for (int i = 0; i < 17; i++) {
        kith_iter left = kith_system_query(it, 1);
        CHECK(kith_next(&left) == (i < 16));
    }
}

static void query_forgotten(stage *s)
{
    in_a_system_with_queries(s, run_forgotten);
}

static kith_iter kept;

static void keep_run(kith_iter *it)
{
    kept = *it;
}

static void iterator_of_an_earlier_call(stage *s)
{
    in_a_system(s, keep_run, false);
    CHECK(!kith_system_alive(&kept, s->e));
}

/* ---- All of them ----------------------------------------------------------------------------- */

static const trip trips[] = {
    {"kith_system_add: the definition is NULL", system_add_null, false},
    {"kith_system_add: kith_run is under way; add systems between ticks", system_add_in_a_run,
     false},
    {"kith_system_remove: the name is NULL", system_remove_null, false},
    {"kith_system_remove: kith_run is under way; remove systems between ticks",
     system_remove_in_a_run, false},
    {"kith_system_enable: the name is NULL", system_enable_null, false},
    {"kith_run: it is under way; a system cannot start another tick", run_in_a_run, false},
    {"kith_run: `%s` of system \"%s\" returned with a query open (%s); call kith_iter_end when"
     " leaving a loop early",
     query_left_open, false},
    {"kith_observer_new: the definition is NULL", observer_new_null, false},
    {"kith_observers_flush: observer '%s' returned with a query open (%s); call kith_iter_end when "
     "leaving"
     " a loop early",
     query_left_open_by_observer, false},
    {"kith_observer_new: observers are being called; make it when they have returned",
     observer_new_within, false},
    {"kith_observer_free: observers are being called; free it when they have returned",
     observer_free_within, false},
    {"kith_observers_flush: observers are being called; what they change is told next time",
     observe_within, false},
    {"kith_run: observers are being called; an observer cannot start a tick", run_within_observer,
     false},
    {"kith_observed_values: the observer was made without `values`, so none are kept",
     values_not_kept, false},
    {"kith_observed_values: the observer is of '%s', not of '%s'", values_of_another_type, false},
    {"kith_observed_values: `observed` is NULL", values_of_nothing, true},
    {"kith_world_free: %s is under way; call it when that has returned", world_free_within_observer,
     false},
    {"kith_world_release: %s is under way; call it when that has returned",
     world_yield_within_observer, false},
    {"kith_profile_start: kith_run is under way; start between ticks", profile_start_in_a_run,
     false},
    {"kith_profile_stop: kith_run is under way; stop between ticks", profile_stop_in_a_run, false},
    {"kith_profile_system: the name, or the place for the numbers, is NULL", profile_of_nothing,
     false},
    {"kith_profile_trace: the function to write with is NULL", trace_nowhere, false},
    {"kith_clock_start: the clock is NULL", no_clock_to_start, true},
    {"kith_clock_frame: the clock is NULL", no_clock_for_a_frame, true},
    {"kith_system_replace: the definition is NULL", system_replace_null, false},
    {"kith_system_replace: kith_run is under way; replace systems between ticks",
     system_replace_in_a_run, false},
    {"kith_group_enable: the group's name is NULL", group_enable_null, false},
    {"kith_phase_add: kith_run is under way; add phases between ticks", phase_add_in_a_run, false},
    {"kith_schedule_build: kith_run is under way, which has built it", build_in_a_run, false},
    {"kith_workers_set: kith_run is under way; set workers between ticks", workers_set_in_a_run,
     false},
    {"%s: the text, or the place for its length, is NULL", print_nowhere, false},
    {"%s: %u things that the system uses, but their address is NULL", system_uses_null, false},
    {"%s: a type in the lists of what the system uses is NULL", system_uses_no_type, false},
    {"%s: called from within query system \"%s\", which may use the world only through its"
     " iterator: queue changes on it->commands, read and write by kith_system_get,"
     " kith_system_resource and so on; a plain system (`update`) may do anything",
     calls_the_world, false},
    {"kith_query_iter: called from within query system \"%s\", which may use the world only through"
     " its iterator: queue changes on it->commands, read and write by kith_system_get,"
     " kith_system_resource and so on; a plain system (`update`) may do anything (%s:%d)",
     opens_a_query, false},
    {"%s: system \"%s\" does not declare %s %s: KITH_%s(KITH_%s(%s)) in its definition",
     undeclared_component, false},
    {"%s: system \"%s\" does not declare %s %s: KITH_%s(KITH_%s(%s)) in its definition",
     undeclared_resource, false},
    {"%s: system \"%s\" does not declare %s %s: KITH_%s(KITH_%s(%s)) in its definition",
     undeclared_event, false},
    {"%s: system \"%s\" declares %s %s as %s; declare it as KITH_%s(%s)", writes_what_is_read,
     false},
    {"%s: system \"%s\" declares event %s as %s; declare KITH_%s(%s) too", sends_what_is_read,
     false},
    {"%s: system \"%s\" declares event %s as %s; declare KITH_%s(%s) too", reads_what_is_sent,
     false},
    {"%s: system \"%s\" is parallel and writes component %s: other calls of it may be writing the"
     " value; %s, or do without `parallel`",
     reads_what_is_written, false},
    {"%s: the type is NULL", type_is_null, false},
    {"%s: the iterator is not one that a system was given", iterator_of_ones_own, false},
    {"%s: %u queries in `queries`, but their address is NULL", system_queries_null, false},
    {"kith_system_query: system \"%s\" has no query number %u: number 0 is the one whose iterator "
     "it"
     " is given, and %u more are in `queries`",
     no_such_query, false},
    {"kith_system_query: query number %u of system \"%s\" is open %u times already; call"
     " kith_iter_end when leaving a loop early",
     query_forgotten, false},
    {"%s: the iterator is good for the call of the system that was given it, in that call's thread",
     iterator_of_an_earlier_call, false},
    {"kith_system_get_mut: there is no place for the pointer", component_nowhere, false},
    {"kith_system_resource_mut: there is no place for the pointer", resource_nowhere, false},
};

TEST_WITHIN(10, every_rule_is_told_when_it_is_broken)
{
    take_trips(trips, sizeof(trips) / sizeof(trips[0]));
}
