/* Misuse of systems: each rule is broken once. */
#include "../world/trips.h"
#include "nothing.h"
#include <kith/kith.h>

/* ---- One call -------------------------------------------------------------------------------- */

static void be_told(const kith_observed *observed)
{
    (void)observed;
}

TEST(arguments_that_are_nothing_are_told)
{
    stage s = stage_open();
    kith_world *w = s.world;
    CHECK_TOLD(&s, kith_system_add(w, NULL) == KITH_ERR_MISUSE,
               "kith_system_add: the definition is NULL");
    CHECK_TOLD(&s, kith_system_remove(w, NULL) == KITH_ERR_MISUSE,
               "kith_system_remove: the name is NULL");
    CHECK_TOLD(&s, kith_system_enable(w, NULL, true) == KITH_ERR_MISUSE,
               "kith_system_enable: the name is NULL");
    CHECK_TOLD(&s, kith_system_replace(w, NULL) == KITH_ERR_MISUSE,
               "kith_system_replace: the definition is NULL");
    CHECK_TOLD(&s, kith_system_group_enable(w, NULL, true) == KITH_ERR_MISUSE,
               "kith_system_group_enable: the group's name is NULL");
    CHECK_TOLD(&s, kith_profile_system(w, "tripping", NULL) == KITH_ERR_MISUSE,
               "kith_profile_system: the name, or the place for the numbers, is NULL");
    CHECK_TOLD(&s, kith_profile_trace(w, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_profile_trace: the function to write with is NULL");
    CHECK_TOLD(&s, kith_schedule_print(w, NULL, 0, NULL) == KITH_ERR_MISUSE,
               "%s: the text, or the place for its length, is NULL");
    CHECK_TOLD(&s, kith_observer_new(w, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_observer_new: the definition is NULL");
    CHECK_TOLD(&s,
               kith_observer_new(w, &(kith_observer_def){.run = be_told}, NULL) == KITH_ERR_MISUSE,
               "kith_observer_new: '%s' has no type; set `type`");

    kith_system_def def = {.name = "uses", .run = kith_iter_close};
    def.lookups = KITH_TERMS({.access = KITH_ACCESS_READ});
    CHECK_TOLD(&s, kith_system_add(w, &def) == KITH_ERR_MISUSE,
               "%s: a type in the lists of what the system uses is NULL");
    stage_close(&s);
}

TEST_WITHIN(10, calls_on_nothing_end_the_program)
{
    CHECK_ENDS(kith_clock_start(NULL, NULL), "kith_clock_start: the clock is NULL");
    CHECK_ENDS(kith_clock_frame(NULL), "kith_clock_frame: the clock is NULL");
    CHECK_ENDS(kith_observed_values(NULL, &Byte_type), "%s: `observed` is NULL");
    CHECK_ENDS(kith_observed_value(NULL, 0, &Byte_type), "%s: `observed` is NULL");
}

/* ---- Within a run ---------------------------------------------------------------------------- */

static kith_result call_what_is_for_between_runs(stage *s)
{
    kith_world *w = s->world;
    const kith_system_def added = {.name = "added", .update = update_nothing};
    const kith_system_def replaced = {.name = "tripping", .update = update_nothing};
    CHECK_TOLD(s, kith_run(w, 1) == KITH_ERR_MISUSE,
               "kith_run: it is under way; a system cannot start another tick");
    CHECK_TOLD(s, kith_system_add(w, &added) == KITH_ERR_MISUSE,
               "kith_system_add: kith_run is under way; add systems between ticks");
    CHECK_TOLD(s, kith_system_remove(w, "tripping") == KITH_ERR_MISUSE,
               "kith_system_remove: kith_run is under way; remove systems between ticks");
    CHECK_TOLD(s, kith_system_replace(w, &replaced) == KITH_ERR_MISUSE,
               "kith_system_replace: kith_run is under way; replace systems between ticks");
    CHECK_TOLD(s, kith_phase_add(w, "mine", NULL) == KITH_ERR_MISUSE,
               "kith_phase_add: kith_run is under way; add phases between ticks");
    CHECK_TOLD(s, kith_schedule_build(w) == KITH_ERR_MISUSE,
               "kith_schedule_build: kith_run is under way, which has built it");
    CHECK_TOLD(s, kith_workers_set(w, NULL) == KITH_ERR_MISUSE,
               "kith_workers_set: kith_run is under way; set workers between ticks");
    CHECK_TOLD(s, kith_profile_start(w, 1) == KITH_ERR_MISUSE,
               "kith_profile_start: kith_run is under way; start between ticks");
    CHECK_TOLD(s, (kith_profile_stop(w), true),
               "kith_profile_stop: kith_run is under way; stop between ticks");
    return KITH_OK;
}

TEST(calls_for_between_runs_are_told)
{
    stage s = stage_open();
    CHECK_RESULT(in_a_run(call_what_is_for_between_runs, &s), KITH_OK);
    stage_close(&s);
}

static kith_result leave_open_within(stage *s)
{
    s->it = kith_query_iter(s->query);
    return KITH_OK;
}

static void query_left_open(stage *s)
{
    CHECK_RESULT(in_a_run(leave_open_within, s), KITH_ERR_MISUSE);
    kith_iter_close(&s->it);
}

/* ---- Within observers ------------------------------------------------------------------------ */

static stage *observed_stage;
static kith_observer *observer;
static bool observer_misuses;
static uint32_t observer_calls;

static void call_in_observer(const kith_observed *observed)
{
    stage *s = observed_stage;
    kith_world *w = observed->world;
    const kith_observer_def def = {.type = &Velocity_type, .run = call_in_observer};
    observer_calls++;
    if (!observer_misuses) {
        return;
    }
    s->content = kith_content_hash(w);
    CHECK_TOLD(s, kith_observer_new(w, &def, NULL) == KITH_ERR_MISUSE,
               "kith_observer_new: observers are being called; make it when they have returned");
    CHECK_TOLD(s, (kith_observer_free(observer), true),
               "kith_observer_free: observers are being called; free it when they have returned");
    CHECK_TOLD(
        s, kith_observers_flush(w) == KITH_ERR_MISUSE,
        "kith_observers_flush: observers are being called; what they change is told next time");
    CHECK_TOLD(s, kith_run(w, 1) == KITH_ERR_MISUSE,
               "kith_run: observers are being called; an observer cannot start a tick");
    CHECK_TOLD(s, (kith_world_free(w), true),
               "kith_world_free: %s is under way; call it when that has returned");
    CHECK_TOLD(s, (kith_world_release(w), true),
               "kith_world_release: %s is under way; call it when that has returned");
}

/* The observer is told of the next one as ever. */
TEST(calls_within_observers_are_told)
{
    stage s = stage_open();
    const kith_observer_def def = {.type = &Velocity_type, .run = call_in_observer};
    CHECK_RESULT(kith_observer_new(s.world, &def, &observer), KITH_OK);
    observed_stage = &s;
    for (int i = 0; i < 2; i++) {
        kith_entity e = KITH_SPAWN(s.world, KITH_VALUE(Velocity));
        observer_misuses = i == 0;
        CHECK_RESULT(kith_observers_flush(s.world), KITH_OK);
        CHECK_RESULT(kith_despawn(s.world, e), KITH_OK);
    }
    CHECK_UINT(observer_calls, 2);
    kith_observer_free(observer);
    stage_close(&s);
}

static void leave_open(const kith_observed *observed)
{
    kith_query *query = KITH_QUERY(observed->world, KITH_READ(Velocity));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
}

static void query_left_open_by_observer(stage *s)
{
    const kith_observer_def def = {.type = &Velocity_type, .run = leave_open};
    CHECK_RESULT(kith_observer_new(s->world, &def, &observer), KITH_OK);
    kith_entity e = KITH_SPAWN(s->world, KITH_VALUE(Velocity));
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

/* An observer of the despawn of Byte that asks for one value of the first entity, or of the next. */
static uint32_t asked_at;

static void ask_for_value(const kith_observed *observed)
{
    CHECK_PTR_NULL(kith_observed_value(observed, asked_at, asked));
}

static void ask_for_one(stage *s, uint32_t at, const kith_type *type)
{
    asked = type;
    asked_at = at;
    const kith_observer_def def = {.kind = KITH_ON_DESPAWN,
                                   .type = &Byte_type,
                                   .also = KITH_TERMS(KITH_READ(Position)),
                                   .run = ask_for_value};
    CHECK_RESULT(kith_observer_new(s->world, &def, &observer), KITH_OK);
    kith_entity e = KITH_SPAWN(s->world, KITH_VALUE(Byte, {10}), KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(kith_despawn(s->world, e), KITH_OK);
    CHECK_RESULT(kith_observers_flush(s->world), KITH_OK);
    kith_observer_free(observer);
}

static void value_of_no_entity(stage *s)
{
    ask_for_one(s, 1, &Position_type);
}

static void value_of_own_type(stage *s)
{
    ask_for_one(s, 0, &Byte_type);
}

static void value_of_another_type(stage *s)
{
    ask_for_one(s, 0, &Velocity_type);
}

static void values_not_kept(stage *s)
{
    ask_in_observer(s, false, &Byte_type);
}

static void values_of_another_type(stage *s)
{
    ask_in_observer(s, true, &Position_type);
}

/* ---- Within a query system ------------------------------------------------------------------- */

/* Runs one tick with this system, which visits Position and may read Byte, the resource Health and
 * events of it, and Name as it was, and send Byte. */
static void in_a_system(stage *s, void (*run)(kith_iter *it), bool parallel)
{
    const kith_system_def def = {
        .name = "tripping",
        .run = run,
        .user = s,
        .parallel = parallel,
        .query.terms = KITH_TERMS(KITH_WRITE(Position), KITH_READ(Byte), KITH_WITH(Frozen)),
        .lookups = KITH_TERMS(KITH_BEFORE(Name)),
        .resources = KITH_TERMS(KITH_READ(Health)),
        .events = KITH_TERMS(KITH_READ(Health), KITH_WRITE(Byte)),
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
TRIP_WITHIN(undeclared_lookup, false,
            CHECK_RESULT(KITH_LOOKUP(it, Velocity).result, KITH_ERR_MISUSE))
TRIP_WITHIN(undeclared_resource, false, CHECK_PTR_NULL(KITH_RESOURCE(it, Extra)))
TRIP_WITHIN(undeclared_event, false, CHECK_RESULT(KITH_SEND(it, Extra, {0}), KITH_ERR_MISUSE))
TRIP_WITHIN(writes_what_is_read, false,
            CHECK_RESULT(kith_system_get_mut(it, s->e, &Byte_type, &value), KITH_ERR_MISUSE))
TRIP_WITHIN(writes_what_was, false,
            CHECK_RESULT(kith_system_get_mut(it, s->e, &Name_type, &value), KITH_ERR_MISUSE))
TRIP_WITHIN(sends_what_is_read, false, CHECK_RESULT(KITH_SEND(it, Health, {0}), KITH_ERR_MISUSE))
TRIP_WITHIN(reads_what_is_sent, false, CHECK_PTR_NULL(KITH_EVENT(it, 0, Byte)))
TRIP_WITHIN(reads_what_is_written, true, CHECK_PTR_NULL(KITH_GET(it, s->e, Position)))
TRIP_WITHIN(type_is_null, false, CHECK_PTR_NULL(kith_system_get(it, s->e, NULL)))
TRIP_WITHIN(loop_in_a_query_system, false,
            CHECK_RESULT(kith_system_parallel(it, s->query, run_nothing, NULL), KITH_ERR_MISUSE))
TRIP_WITHIN(component_nowhere, false,
            CHECK_RESULT(kith_system_get_mut(it, s->e, &Position_type, NULL), KITH_ERR_MISUSE))
TRIP_WITHIN(resource_nowhere, false,
            CHECK_RESULT(kith_system_resource_mut(it, &Health_type, NULL), KITH_ERR_MISUSE))

static void iterator_of_ones_own(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    CHECK_RESULT(kith_system_query(&it, 1).result, KITH_ERR_MISUSE);
    kith_iter_close(&it);
}

static void in_a_system_with_queries(stage *s, void (*run)(kith_iter *it))
{
    const kith_system_def def = {
        .name = "tripping",
        .run = run,
        .query.terms = KITH_TERMS(KITH_WRITE(Position)),
        .queries = {{.terms = KITH_TERMS(KITH_READ(Byte))}},
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

/* ---- Within a plain system ------------------------------------------------------------------- */

static kith_iter plain_kept;

/* Runs one tick with this system, which succeeds. */
static void in_a_plain_system(stage *s, kith_result (*update)(kith_world *, kith_iter *))
{
    const kith_system_def def = {.name = "tripping",
                                 .update = update,
                                 .user = s,
                                 .no_commands = true,
                                 .queries = {{.terms = KITH_TERMS(KITH_READ(Byte))}}};
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_OK);
    CHECK_RESULT(kith_run(s->world, 1), KITH_OK);
    CHECK_RESULT(kith_system_remove(s->world, "tripping"), KITH_OK);
}

#define TRIP_WITHIN_PLAIN(name, ...)                                                               \
    static kith_result name##_update(kith_world *world, kith_iter *it)                             \
    {                                                                                              \
        (void)world;                                                                               \
        (void)it;                                                                                  \
        __VA_ARGS__;                                                                               \
        return KITH_OK;                                                                            \
    }                                                                                              \
    static void name(stage *s)                                                                     \
    {                                                                                              \
        in_a_plain_system(s, name##_update);                                                       \
    }

TRIP_WITHIN_PLAIN(arrays_of_nothing, CHECK(!kith_next(it)))
TRIP_WITHIN_PLAIN(rows_of_nothing, CHECK(!kith_next_rows(it)))
TRIP_WITHIN_PLAIN(columns_of_nothing, CHECK_PTR_NULL(KITH_COLUMN(it, Byte)))
TRIP_WITHIN_PLAIN(no_such_plain_query,
                  CHECK_RESULT(kith_system_query(it, 0).result, KITH_ERR_MISUSE))
TRIP_WITHIN_PLAIN(queues_without_commands,
                  CHECK(kith_is_none(KITH_SPAWN(it->commands, KITH_VALUE(Byte)))))
TRIP_WITHIN_PLAIN(keeps_its_iterator, plain_kept = *it)
TRIP_WITHIN_PLAIN(loop_over_no_query,
                  CHECK_RESULT(kith_system_parallel(it, NULL, run_nothing, NULL), KITH_ERR_MISUSE))
TRIP_WITHIN_PLAIN(loop_of_no_function,
                  CHECK_RESULT(kith_system_parallel(it, ((stage *)it->user)->query, NULL, NULL),
                               KITH_ERR_MISUSE))

static void loop_again(kith_iter *it)
{
    stage *s = it->user;
    CHECK_RESULT(kith_system_parallel(it, s->query, run_nothing, s), KITH_ERR_MISUSE);
}

TRIP_WITHIN_PLAIN(loop_in_a_loop, stage *s = it->user;
                  CHECK_RESULT(kith_system_parallel(it, s->query, loop_again, s), KITH_OK))

static void send_in_a_loop(kith_iter *it)
{
    CHECK_RESULT(KITH_SEND(it, Byte, {0}), KITH_ERR_MISUSE);
}

TRIP_WITHIN_PLAIN(loop_that_sends, stage *s = it->user;
                  CHECK_RESULT(kith_system_parallel(it, s->query, send_in_a_loop, s), KITH_OK))

static void read_in_a_loop(kith_iter *it)
{
    const stage *s = it->user;
    CHECK_PTR_NULL(KITH_GET(it, s->e, Name));
}

TRIP_WITHIN_PLAIN(loop_that_reads_more, stage *s = it->user;
                  CHECK_RESULT(kith_system_parallel(it, s->query, read_in_a_loop, s), KITH_OK))

static void spawn_in_a_loop(kith_iter *it)
{
    const stage *s = it->user;
    CHECK(kith_is_none(kith_spawn_empty(s->world)));
}

TRIP_WITHIN_PLAIN(loop_that_uses_the_world, stage *s = it->user;
                  CHECK_RESULT(kith_system_parallel(it, s->query, spawn_in_a_loop, s), KITH_OK))

TRIP_WITHIN_PLAIN(loop_while_a_query_is_open, stage *s = it->user;
                  kith_iter open = kith_query_iter(s->query);
                  CHECK_RESULT(kith_system_parallel(it, s->query, run_nothing, NULL),
                               KITH_ERR_MISUSE);
                  kith_iter_close(&open))

TRIP_WITHIN_PLAIN(loop_over_another_world, kith_world *other = kith_world_new(NULL);
                  kith_query *query = KITH_QUERY(other, KITH_READ(Byte));
                  CHECK_RESULT(kith_system_parallel(it, query, run_nothing, NULL),
                               KITH_ERR_MISUSE);
                  kith_world_free(other))

static void loop_of_an_earlier_call(stage *s)
{
    keeps_its_iterator(s);
    CHECK_RESULT(kith_system_parallel(&plain_kept, s->query, run_nothing, NULL), KITH_ERR_MISUSE);
}

static void random_of_an_earlier_call(stage *s)
{
    keeps_its_iterator(s);
    CHECK_UINT(kith_system_random(&plain_kept), 0);
}

static void query_of_an_earlier_call(stage *s)
{
    keeps_its_iterator(s);
    CHECK_RESULT(kith_system_query(&plain_kept, 1).result, KITH_ERR_MISUSE);
}

/* ---- All of them ----------------------------------------------------------------------------- */

#define NO_QUERY                                                                                   \
    "%s: the iterator of plain system \"%s\" has no query to loop over; open one that the system"  \
    " declares in `queries` by kith_system_query, or any other by kith_query_iter"
#define NO_LOOP                                                                                    \
    "%s: called from within query system \"%s\"; it is for plain systems (`update`): the query of" \
    " this one is split if it is `parallel`"
#define LOOP_CANNOT                                                                                \
    "%s: a loop of system \"%s\" cannot use %s %s: by a handle it reads what its query reads and"  \
    " does not write, and it sends nothing; do the rest before or after it"
#define NOT_ITS_CALL                                                                               \
    "%s: the iterator is good for the call of the system that was given it, in that call's thread"

static kith_result open_and_bind(kith_world *world, kith_iter *it)
{
    kith_iter all = kith_system_query(it, 1);
    CHECK_RESULT(kith_system_bind(world, "binds", "x", 1), KITH_ERR_MISUSE);
    kith_iter_close(&all);
    return KITH_OK;
}

static void bind_open_query_of_system(stage *s)
{
    const kith_system_def def = {
        .name = "binds",
        .update = open_and_bind,
        .queries = {{.terms = KITH_TERMS(KITH_IF(Position, x, <, kith_bound("x")))}}};
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_OK);
    CHECK_RESULT(kith_system_bind(s->world, "binds", "x", 0), KITH_OK);
    kith_run(s->world, 1);
    CHECK_RESULT(kith_system_remove(s->world, "binds"), KITH_OK);
}

static void bind_without_name(stage *s)
{
    CHECK_RESULT(kith_system_bind(s->world, "look", NULL, 1), KITH_ERR_MISUSE);
}

static void explain_without_name(stage *s)
{
    CHECK_RESULT(kith_system_explain(s->world, NULL, 0, NULL, 0, NULL), KITH_ERR_MISUSE);
}

static const trip trips[] = {
    {"kith_system_bind: %s is open (%s); end its iteration first",
     bind_open_query_of_system},
    {"kith_system_bind: the name of the %s is NULL", bind_without_name},
    {"kith_system_explain: the %s is NULL", explain_without_name},
    {"kith_run: `%s` of system \"%s\" returned with a query open (%s); call kith_iter_close when"
     " leaving a loop early",
     query_left_open},
    {"kith_observers_flush: observer '%s' returned with a query open (%s); call kith_iter_close"
     " when leaving a loop early",
     query_left_open_by_observer},
    {"kith_observed_values: the observer was made without `values`, so none are kept",
     values_not_kept},
    {"kith_observed_values: the observer is of '%s', not of '%s'", values_of_another_type},
    {"kith_observed_value: number %u of %u entities", value_of_no_entity},
    {"kith_observed_value: no values of '%s' are kept for the observer; set `values` when it is "
     "made",
     value_of_own_type},
    {"kith_observed_value: no values of '%s' are kept for the observer; name the type in `also` "
     "when"
     " it is made",
     value_of_another_type},
    {"%s: called from within query system \"%s\", which may use the world only through its"
     " iterator: queue changes on it->commands, read and write by KITH_GET(it, ...),"
     " KITH_RESOURCE(it, ...) and so on, open its other queries by kith_system_query (in C++ by"
     " parameters, or a kith::context); a plain system (`update`) may do anything",
     calls_the_world},
    {"kith_query_iter: called from within query system \"%s\", which may use the world only through"
     " its iterator: queue changes on it->commands, read and write by KITH_GET(it, ...),"
     " KITH_RESOURCE(it, ...) and so on, open its other queries by kith_system_query (in C++ by"
     " parameters, or a kith::context); a plain system (`update`) may do anything (%s:%d)",
     opens_a_query},
    {"%s: system \"%s\" does not declare %s %s: .%s = KITH_TERMS(KITH_%s(%s)) in its definition; "
     "in C++"
     " a parameter kith::%s%s>",
     undeclared_component},
    {"%s: system \"%s\" does not declare %s %s: .%s = KITH_TERMS(KITH_%s(%s)) in its definition; "
     "in C++"
     " a parameter kith::%s%s>",
     undeclared_lookup},
    {"%s: system \"%s\" does not declare %s %s: .%s = KITH_TERMS(KITH_%s(%s)) in its definition; "
     "in C++"
     " a parameter kith::%s%s>",
     undeclared_resource},
    {"%s: system \"%s\" does not declare %s %s: .%s = KITH_TERMS(KITH_%s(%s)) in its definition; "
     "in C++"
     " a parameter kith::%s%s>",
     undeclared_event},
    {"%s: system \"%s\" declares %s %s as %s; declare it as KITH_%s(%s), in C++ by a parameter"
     " kith::%s%s>",
     writes_what_is_read},
    {"%s: system \"%s\" declares %s as KITH_BEFORE, which is to read; write it by the query, or "
     "queue"
     " commands",
     writes_what_was},
    {"%s: system \"%s\" declares event %s as %s; declare KITH_%s(%s) too, in C++ by a"
     " parameter kith::%s%s>",
     sends_what_is_read},
    {"%s: system \"%s\" declares event %s as %s; declare KITH_%s(%s) too, in C++ by a"
     " parameter kith::%s%s>",
     reads_what_is_sent},
    {"%s: system \"%s\" is parallel and writes component %s: other calls of it may be writing the"
     " value; %s, or do without `parallel`",
     reads_what_is_written},
    {"%s: the type is NULL", type_is_null},
    {"%s: the iterator is not one that a system was given", iterator_of_ones_own},
    {"kith_system_query: system \"%s\" has no query number %u: there are %u in `queries`, counted"
     " from 1",
     no_such_query},
    {"kith_system_query: query number %u of system \"%s\" is open %u times already; call"
     " kith_iter_close when leaving a loop early",
     query_forgotten},
    {NOT_ITS_CALL, iterator_of_an_earlier_call},
    {NO_QUERY, arrays_of_nothing},
    {NO_QUERY, rows_of_nothing},
    {"%s: there is no batch; kith_next has to return true first", columns_of_nothing},
    {"kith_system_query: system \"%s\" has no query number %u: there are %u in `queries`, counted"
     " from 1",
     no_such_plain_query},
    {"%s: the command buffer is NULL: system \"%s\" is `no_commands`, and so its iterator has none;"
     " leave `no_commands` out of its definition",
     queues_without_commands},
    {NO_LOOP, loop_in_a_query_system},
    {"%s: called from within a loop of system \"%s\"; let that end first", loop_in_a_loop},
    {LOOP_CANNOT, loop_that_sends},
    {LOOP_CANNOT, loop_that_reads_more},
    {"%s: called from within a loop of system \"%s\", which may use the world only through its"
     " iterator: do the rest before the loop, or after it",
     loop_that_uses_the_world},
    {"%s: in system \"%s\" the %s is NULL", loop_over_no_query},
    {"%s: in system \"%s\" the %s is NULL", loop_of_no_function},
    {"%s: in system \"%s\" the query is of another world", loop_over_another_world},
    {"%s: in system \"%s\" a query is open (%s); close that first", loop_while_a_query_is_open},
    {NOT_ITS_CALL, loop_of_an_earlier_call},
    {NOT_ITS_CALL, random_of_an_earlier_call},
    {NOT_ITS_CALL, query_of_an_earlier_call},
    {"kith_system_get_mut: there is no place for the pointer", component_nowhere},
    {"kith_system_resource_mut: there is no place for the pointer", resource_nowhere},
};

TEST_WITHIN(10, every_rule_is_told_when_it_is_broken)
{
    take_trips(trips, sizeof(trips) / sizeof(trips[0]));
}
