/* Timers: once, again and again, in ticks of any length; on every layout. */
#include <kith/floats.h>

#include <float.h>
#include <kith/reflect.h>
#include <math.h>

#include "worlds.h"

static const Timer *timer_of(const fixture *f, kith_entity e)
{
    return KITH_GET(f->world, e, Timer);
}

static kith_entity spawn_timer(fixture *f, Timer timer)
{
    return KITH_SPAWN(f->world, KITH_VALUE(Timer, timer));
}

/* Runs a tick, and returns how often the timer finished in it. */
static uint32_t finished_in(fixture *f, kith_entity e, float dt)
{
    game_tick(f, dt);
    return timer_of(f, e)->finished;
}

TEST_EACH_LAYOUT(a_timer_finishes_once, layout)
{
    fixture f = game_new(layout, KITH_GAME_TIMER);
    const kith_entity e = spawn_timer(&f, (Timer){.remaining = 1});
    CHECK_UINT(finished_in(&f, e, 0.5f), 0);
    CHECK(timer_of(&f, e)->remaining == 0.5);
    CHECK_UINT(finished_in(&f, e, 0.5f), 1); /* to the bit: 0 is over */
    CHECK(timer_of(&f, e)->remaining == 0);
    for (int i = 0; i < 3; i++) {
        CHECK_UINT(finished_in(&f, e, 10), 0);
    }
    CHECK(timer_of(&f, e)->remaining == 0);
    KITH_GET_MUT(f.world, e, Timer)->remaining = 0.25; /* it starts again */
    CHECK_UINT(finished_in(&f, e, 1), 1);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(a_period_finishes_again_and_again, layout)
{
    fixture f = game_new(layout, KITH_GAME_TIMER);
    const kith_entity whole = spawn_timer(&f, (Timer){.period = 1});
    const kith_entity offset = spawn_timer(&f, (Timer){.remaining = 0.25, .period = 1});
    for (uint32_t tick = 1; tick <= 40; tick++) {
        game_tick(&f, 0.25f);
        CHECK_UINT(timer_of(&f, whole)->finished, tick % 4 == 0);
        CHECK_UINT(timer_of(&f, offset)->finished, tick % 4 == 1);
    }
    fixture_free(&f);
}

/* A tick of several periods finishes as often as they fit, and what is left counts for the next. */
TEST_EACH_LAYOUT(a_long_tick_skips_nothing, layout)
{
    fixture f = game_new(layout, KITH_GAME_TIMER);
    const kith_entity e = spawn_timer(&f, (Timer){.period = 0.5});
    CHECK_UINT(finished_in(&f, e, 1.75f), 3);
    CHECK(timer_of(&f, e)->remaining == 0.25);
    CHECK_UINT(finished_in(&f, e, 0.25f), 1);
    CHECK_UINT(finished_in(&f, e, 4), 8);
    CHECK(timer_of(&f, e)->remaining == 0.5);
    const kith_entity once = spawn_timer(&f, (Timer){.remaining = 0.5});
    CHECK_UINT(finished_in(&f, once, 100), 1);
    /* 806 periods, which divide to a little less. */
    const kith_entity odd = spawn_timer(&f, (Timer){.period = 0.830035693274327});
    CHECK_UINT(finished_in(&f, odd, 670.3055419921875f), 807);
    fixture_free(&f);
}

/* However the time is cut into ticks, the same number of finishes. */
TEST_EACH_LAYOUT(timers_do_not_drift, layout)
{
    static const double periods[] = {0.1, 1.0 / 3, 0.7, 1e-3, 2.0 / 7};
    enum { PERIODS = sizeof periods / sizeof periods[0], TICKS = 6000 };
    fixture f = game_new(layout, KITH_GAME_TIMER);
    kith_entity timers[PERIODS];
    uint64_t finished[PERIODS] = {0};
    for (uint32_t i = 0; i < PERIODS; i++) {
        timers[i] = spawn_timer(&f, (Timer){.period = periods[i]});
    }
    double time = 0;
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        const float dt = 1.0f / 60 + (float)(tick % 7) * 0.01f;
        CHECK_RESULT(kith_run(f.world, dt), KITH_OK);
        time += (double)dt;
        for (uint32_t i = 0; i < PERIODS; i++) {
            finished[i] += timer_of(&f, timers[i])->finished;
            const double total =
                (double)finished[i] * periods[i] + periods[i] - timer_of(&f, timers[i])->remaining;
            CHECK(fabs(total - time) < 1e-9);
        }
    }
    for (uint32_t i = 0; i < PERIODS; i++) {
        CHECK(fabs((double)finished[i] - time / periods[i]) < 1.001);
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(a_paused_timer_waits, layout)
{
    fixture f = game_new(layout, KITH_GAME_TIMER);
    const kith_entity e = spawn_timer(&f, (Timer){.period = 1});
    CHECK_UINT(finished_in(&f, e, 1), 1);
    KITH_GET_MUT(f.world, e, Timer)->paused = true;
    for (int i = 0; i < 3; i++) {
        CHECK_UINT(finished_in(&f, e, 1), 0); /* and what it told before is over */
    }
    CHECK(timer_of(&f, e)->remaining == 1);
    KITH_GET_MUT(f.world, e, Timer)->paused = false;
    CHECK_UINT(finished_in(&f, e, 0), 0);
    CHECK_UINT(finished_in(&f, e, 1), 1);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(any_bits_are_safe, layout)
{
    static const struct {
        Timer timer;
        uint32_t finished; /* in a tick of a second */
    } cases[] = {
        {{0}, 0},
        {{.remaining = -1}, 0},
        {{.remaining = NAN, .period = 1}, 0},
        {{.remaining = INFINITY, .period = 1}, 0},
        {{.remaining = -INFINITY, .period = 1}, 0},
        {{.remaining = 0.5, .period = NAN}, 1},
        {{.remaining = 0.5, .period = INFINITY}, 1},
        {{.remaining = 0.5, .period = -1}, 1},
        {{.remaining = 0.5, .period = 5e-324}, UINT32_MAX},
        {{.period = 5e-324}, UINT32_MAX},
        {{.period = 1e-300}, UINT32_MAX},
        {{.remaining = 5e-324, .period = 1e300}, 1},
        {{.remaining = 1e308, .period = 1}, 0},
        {{.remaining = -5, .period = 0.25}, 4},
        {{.remaining = 1, .finished = 77}, 1},
        {{.finished = 77}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f = game_new(layout, KITH_GAME_TIMER);
        const kith_entity e = spawn_timer(&f, cases[i].timer);
        CHECK_UINT(finished_in(&f, e, 1), cases[i].finished);
        const double remaining = timer_of(&f, e)->remaining;
        CHECK(!(fabs(cases[i].timer.remaining) <= DBL_MAX) || fabs(remaining) <= DBL_MAX);
        fixture_free(&f);
    }
}

/* A system of the usual priority sees it in the same tick. */
static void count_finishes(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            *(uint32_t *)it->user += KITH_AT(it, i, Timer)->finished;
        }
    }
}

TEST_EACH_LAYOUT(systems_see_what_finished_in_the_same_tick, layout)
{
    fixture f = game_new(layout, KITH_GAME_TIMER);
    uint32_t count = 0;
    const kith_system_def def = {.name = "count",
                                 .run = count_finishes,
                                 .user = &count,
                                 .query.terms = KITH_TERMS(KITH_READ(Timer))};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    for (uint32_t i = 0; i < 3000; i++) {
        spawn_timer(&f, (Timer){.period = i % 2 == 0 ? 1 : 2});
    }
    game_tick(&f, 1);
    CHECK_UINT(count, 1500);
    game_tick(&f, 1);
    CHECK_UINT(count, 4500);
    fixture_free(&f);
}

/* A timer in a scene, saved and read back in the middle of its time, goes on where it was. */
TEST_EACH_LAYOUT(a_timer_is_plain_data, layout)
{
    fixture f = game_new(layout, KITH_GAME_TIMER);
    const kith_entity e = spawn_timer(&f, (Timer){.period = 0.3});
    game_tick(&f, 0.1f);
    char text[200];
    CHECK_RESULT(kith_print_entity(f.world, e, text, sizeof text, NULL), KITH_OK);
    const kith_entity copy = kith_spawn_or_none(f.world, NULL, 0);
    CHECK_RESULT(kith_parse_entity(f.world, copy, text), KITH_OK);
    for (int i = 0; i < 20; i++) {
        game_tick(&f, 0.1f);
        CHECK(timer_of(&f, e)->remaining == timer_of(&f, copy)->remaining);
        CHECK_UINT(timer_of(&f, e)->finished, timer_of(&f, copy)->finished);
    }
    fixture_free(&f);
}
