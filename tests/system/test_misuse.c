/* Misuse of systems: each rule is broken once. */
#include "../world/trips.h"

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
    {"kith_run: system \"%s\" returned with a query open (%s); call kith_iter_end when leaving a"
     " loop early",
     query_left_open, false},
};

TEST_WITHIN(10, every_rule_is_told_when_it_is_broken)
{
    take_trips(trips, sizeof(trips) / sizeof(trips[0]));
}
