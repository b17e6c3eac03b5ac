/* Clocks: how many steps a frame makes, what is left for the next, what is dropped. */
#define _POSIX_C_SOURCE 200809L

#include <kith/kith.h>
#include <math.h>
#include <time.h>

#include "test.h"

TEST(steps_of_fixed_length)
{
    kith_clock clock;
    kith_clock_start(&clock, &(kith_clock_def){.step = 0.25, .frame_fixed = 0.1875});
    static const uint32_t expected[] = {0, 1, 1, 1, 0, 1, 1, 1};
    static const double alpha[] = {0.75, 0.5, 0.25, 0, 0.75, 0.5, 0.25, 0};
    for (int i = 0; i < 8; i++) {
        CHECK_UINT(kith_clock_frame(&clock), expected[i]);
        CHECK_FLOAT(clock.alpha, alpha[i]);
        CHECK_FLOAT(clock.step, 0.25);
        CHECK_FLOAT(clock.frame, 0.1875);
    }
    CHECK_UINT(clock.frames, 8);
    CHECK_UINT(clock.steps, 6);
    CHECK_FLOAT(clock.time, 1.5);
    CHECK_FLOAT(clock.dropped, 0);
}

TEST(steps_as_long_as_frames)
{
    kith_clock clock;
    kith_clock_start(&clock, &(kith_clock_def){.frame_fixed = 0.125});
    for (int i = 1; i <= 4; i++) {
        CHECK_UINT(kith_clock_frame(&clock), 1);
        CHECK_FLOAT(clock.step, 0.125);
        CHECK_FLOAT(clock.time, 0.125 * i);
        CHECK_FLOAT(clock.alpha, 0);
    }
    /* A pause in a debugger is clamped, and counted. */
    kith_clock_start(&clock, &(kith_clock_def){.frame_fixed = 30});
    CHECK_UINT(kith_clock_frame(&clock), 1);
    CHECK_FLOAT(clock.step, 0.25);
    CHECK_FLOAT(clock.frame, 30);
    CHECK_FLOAT(clock.dropped, 29.75);
}

/* Steps that take longer than the time they simulate do not pile up. */
TEST(no_spiral)
{
    kith_clock clock;
    kith_clock_start(
        &clock,
        &(kith_clock_def){.step = 0.0625, .steps_max = 3, .frame_max = 1, .frame_fixed = 0.71875});
    for (int i = 1; i <= 100; i++) {
        CHECK_UINT(kith_clock_frame(&clock), 3);
        CHECK(clock.alpha >= 0 && clock.alpha < 1);
    }
    CHECK_FLOAT(clock.time, 100 * 3 * 0.0625);
    CHECK_FLOAT(clock.time + clock.dropped + clock.alpha * 0.0625, 71.875);
    /* With exactly as many steps as are allowed, nothing is dropped. */
    kith_clock_start(&clock,
                     &(kith_clock_def){.step = 0.0625, .steps_max = 3, .frame_fixed = 0.1875});
    CHECK_UINT(kith_clock_frame(&clock), 3);
    CHECK_UINT(kith_clock_frame(&clock), 3);
    CHECK_FLOAT(clock.dropped, 0);
    /* A step so short that a frame has more of them than a number can count. */
    kith_clock_start(&clock,
                     &(kith_clock_def){.step = 1e-300, .frame_max = 1e9, .frame_fixed = 1e9});
    CHECK_UINT(kith_clock_frame(&clock), 8);
    CHECK(clock.alpha >= 0 && clock.alpha < 1);
    CHECK_FLOAT(clock.dropped, 1e9);
}

/* Over a long time no part of a step is lost or added, whatever the lengths are. */
TEST(a_long_time)
{
    kith_clock clock;
    kith_clock_start(&clock, &(kith_clock_def){.step = 1.0 / 60, .frame_fixed = 1.0 / 144});
    for (int i = 0; i < 144 * 1000; i++) {
        CHECK(kith_clock_frame(&clock) <= 1);
        CHECK(clock.alpha >= 0 && clock.alpha < 1);
    }
    CHECK(clock.steps >= 60 * 1000 - 1 && clock.steps <= 60 * 1000);
    CHECK_FLOAT(clock.dropped, 0);
}

TEST(paused_scaled_and_stepped)
{
    kith_clock clock;
    kith_clock_start(&clock, &(kith_clock_def){.step = 0.125, .scale = 0.5, .frame_fixed = 0.125});
    CHECK_UINT(kith_clock_frame(&clock), 0);
    CHECK_UINT(kith_clock_frame(&clock), 1);
    clock.scale = 4;
    CHECK_UINT(kith_clock_frame(&clock), 4);
    clock.paused = true;
    CHECK_UINT(kith_clock_frame(&clock), 0);
    CHECK_UINT(kith_clock_frame(&clock), 0);
    clock.single = 2;
    CHECK_UINT(kith_clock_frame(&clock), 1);
    CHECK_UINT(kith_clock_frame(&clock), 1);
    CHECK_UINT(kith_clock_frame(&clock), 0);
    CHECK_UINT(clock.single, 0);
    clock.paused = false;
    clock.scale = 1;
    CHECK_UINT(kith_clock_frame(&clock), 1);
    CHECK_UINT(clock.steps, 8);
    CHECK_FLOAT(clock.time, 1);
    CHECK_FLOAT(clock.dropped, 0); /* time that passes in a pause is not missed */
    clock.scale = 0;               /* in a def that would be 1 */
    CHECK_UINT(kith_clock_frame(&clock), 0);
    clock.scale = -1; /* time does not go backwards */
    CHECK_UINT(kith_clock_frame(&clock), 0);
    clock.scale = (double)NAN;
    CHECK_UINT(kith_clock_frame(&clock), 0);
    CHECK_FLOAT(clock.time, 1);
}

/* The time that a frame is too long counts as game time: half of it at half speed. */
TEST(dropped_time_is_game_time)
{
    static const double steps[] = {0, 0.125};
    static const double scales[] = {0.5, 1, 4};
    for (int i = 0; i < 6; i++) {
        double scale = scales[i % 3];
        kith_clock clock;
        kith_clock_start(&clock, &(kith_clock_def){.step = steps[i / 3],
                                                   .scale = scale,
                                                   .steps_max = 100,
                                                   .frame_max = 0.25,
                                                   .frame_fixed = 1.5});
        for (int frame = 1; frame <= 3; frame++) {
            kith_clock_frame(&clock);
            CHECK_FLOAT(clock.time, 0.25 * scale * frame);
            CHECK_FLOAT(clock.dropped, 1.25 * scale * frame);
        }
        clock.paused = true; /* nothing is missed, since nothing was to be simulated */
        kith_clock_frame(&clock);
        CHECK_FLOAT(clock.dropped, 3 * 1.25 * scale);
    }
}

/* A single step of a paused clock is as long as other steps: fixed, or as long as its frame in
 * game time. */
TEST(single_steps_are_as_long_as_steps_are)
{
    static const double steps[] = {0, 0.0625};
    static const double scales[] = {0.5, 1, 4};
    for (int i = 0; i < 6; i++) {
        double step = steps[i / 3];
        double scale = scales[i % 3];
        double expected = step > 0 ? step : 0.125 * scale;
        kith_clock clock;
        kith_clock_start(&clock,
                         &(kith_clock_def){.step = step, .scale = scale, .frame_fixed = 0.125});
        clock.paused = true;
        for (uint32_t frame = 1; frame <= 3; frame++) {
            clock.single = 1;
            CHECK_UINT(kith_clock_frame(&clock), 1);
            CHECK_UINT(clock.single, 0);
            CHECK_FLOAT(clock.step, expected);
            CHECK_FLOAT(clock.time, expected * frame);
            CHECK_UINT(kith_clock_frame(&clock), 0);
            CHECK_FLOAT(clock.time, expected * frame);
        }
        CHECK_FLOAT(clock.dropped, 0);
    }
}

TEST(definitions_that_make_no_sense)
{
    kith_clock clock;
    kith_clock_start(&clock, &(kith_clock_def){.step = -1,
                                               .scale = (double)INFINITY,
                                               .frame_max = (double)NAN,
                                               .frame_fixed = 1});
    CHECK_UINT(kith_clock_frame(&clock), 1);
    CHECK_FLOAT(clock.step, 0.25);
    CHECK_FLOAT(clock.scale, 1);
}

TEST(real_time)
{
    kith_clock clock;
    kith_clock_start(&clock, NULL);
    double start = kith_clock_now();
    const struct timespec pause = {0, 20000000};
    CHECK_INT(nanosleep(&pause, NULL), 0);
    CHECK_UINT(kith_clock_frame(&clock), 1);
    CHECK(clock.frame >= 0.02 && clock.step >= 0.02 && clock.step <= 0.25);
    CHECK(kith_clock_now() - start >= 0.02);
    double before = kith_clock_now();
    for (int i = 0; i < 1000; i++) {
        double now = kith_clock_now();
        CHECK(now >= before);
        before = now;
    }
}
