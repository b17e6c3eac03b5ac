/* When timed systems run: what counts their time, what resets it, and what does not. */
#include <kith/kith.h>
#include <math.h>

#include "components.h"
#include "test.h"

typedef struct calls {
    uint32_t count;
    float dt; /* of the last one */
} calls;

static kith_result note_call(kith_world *world, kith_iter *it)
{
    (void)world;
    calls *c = it->user;
    c->count++;
    c->dt = it->dt;
    return KITH_OK;
}

static void note_query_call(kith_iter *it)
{
    calls *c = it->user;
    c->count++;
    c->dt = it->dt;
}

/* Plain and query systems, by seconds and by ticks: due in each fourth tick of 0.25 seconds. */
static const kith_system_def fourth[] = {
    {.name = "timed", .update = note_call, .interval = 1},
    {.name = "timed", .update = note_call, .every_ticks = 4},
    {.name = "timed", .run = note_query_call, .interval = 1},
    {.name = "timed", .run = note_query_call, .every_ticks = 4},
};
enum { KINDS = sizeof(fourth) / sizeof(fourth[0]) };

static void add_timed(kith_world *world, const kith_system_def *of, calls *c,
                      bool (*when)(const kith_world *, void *))
{
    kith_system_def def = *of;
    def.user = c;
    def.run_if = when;
    def.group = "all";
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

static void tick(kith_world *world, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        CHECK_RESULT(kith_run(world, 0.25f), KITH_OK);
        CHECK_WORLD(world);
    }
}

/* Only a system that was disabled begins anew. */
TEST(switching_on_what_is_on_leaves_its_clock_alone)
{
    for (int kind = 0; kind < KINDS; kind++) {
        for (int group = 0; group < 2; group++) {
            fixture f = fixture_new();
            calls c = {0};
            add_timed(f.world, &fourth[kind], &c, NULL);
            tick(f.world, 3);
            uint64_t hash = kith_world_hash(f.world);
            CHECK_RESULT(group == 1 ? kith_system_group_enable(f.world, "all", true)
                                    : kith_system_enable(f.world, "timed", true),
                         KITH_OK);
            CHECK(kith_world_hash(f.world) == hash);
            tick(f.world, 1);
            CHECK_UINT(c.count, 1);
            CHECK_FLOAT(c.dt, 1);
            tick(f.world, 3);
            CHECK_RESULT(kith_system_enable(f.world, "timed", false), KITH_OK);
            CHECK_RESULT(kith_system_enable(f.world, "timed", true), KITH_OK);
            tick(f.world, 3);
            CHECK_UINT(c.count, 1);
            tick(f.world, 1);
            CHECK_UINT(c.count, 2);
            CHECK_FLOAT(c.dt, 1);
            fixture_free(&f);
        }
    }
}

static bool after_tick_six(const kith_world *world, void *user)
{
    (void)user;
    return kith_tick_count(world) > 6;
}

/* `run_if` is called again in each tick, and the time goes on. The system gets all of it when it
 * runs. */
TEST(what_is_due_stays_due_while_its_condition_says_no)
{
    for (int kind = 0; kind < KINDS; kind++) {
        fixture f = fixture_new();
        calls c = {0};
        add_timed(f.world, &fourth[kind], &c, after_tick_six);
        tick(f.world, 6);
        CHECK_UINT(c.count, 0);
        tick(f.world, 1);
        CHECK_UINT(c.count, 1);
        CHECK_FLOAT(c.dt, 7 * 0.25);
        fixture_free(&f);
    }
}

static uint32_t asked;

static bool count_question(const kith_world *world, void *user)
{
    (void)world;
    (void)user;
    asked++;
    return true;
}

/* `run_if` is not called while the system is disabled. */
TEST(a_condition_is_asked_when_its_system_is_due)
{
    for (int kind = 0; kind < KINDS; kind++) {
        fixture f = fixture_new();
        calls c = {0};
        add_timed(f.world, &fourth[kind], &c, count_question);
        asked = 0;
        tick(f.world, 9);
        CHECK_UINT(asked, 2);
        CHECK_UINT(c.count, 2);
        CHECK_RESULT(kith_system_enable(f.world, "timed", false), KITH_OK);
        tick(f.world, 9);
        CHECK_UINT(asked, 2);
        fixture_free(&f);
    }
}

TEST(intervals_that_make_no_sense_are_refused)
{
    static const struct {
        float interval;
        uint32_t every;
        kith_result result;
    } cases[] = {{(float)NAN, 0, KITH_ERR_INPUT},
                 {-1, 0, KITH_ERR_INPUT},
                 {-INFINITY, 0, KITH_ERR_INPUT},
                 {-1e-30f, 0, KITH_ERR_INPUT},
                 {1, 1, KITH_ERR_INPUT},
                 {1e-30f, 2, KITH_ERR_INPUT},
                 {0, 1, KITH_OK},
                 {-0.0f, 1, KITH_OK},
                 {1e-30f, 0, KITH_OK},
                 {INFINITY, 0, KITH_OK}};
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        fixture f = fixture_new();
        calls c = {0};
        const kith_system_def def = {.name = "it",
                                     .update = note_call,
                                     .user = &c,
                                     .interval = cases[i].interval,
                                     .every_ticks = cases[i].every};
        CHECK_RESULT(kith_system_add(f.world, &def), cases[i].result);
        if (cases[i].result != KITH_OK) {
            CHECK_CONTAINS(kith_error(f.world), "'it' has an interval of ");
            CHECK_PTR_NULL(kith_system_at(f.world, 0, NULL, NULL));
        }
        tick(f.world, 2);
        CHECK_UINT(c.count, cases[i].result == KITH_OK && cases[i].interval < 1 ? 2 : 0);
        fixture_free(&f);
    }
}
