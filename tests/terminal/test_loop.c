/* The loop: steps, frames and what happens when they take too long, on a clock that the test moves. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include <kith/terminal.h>
#include <math.h>
#include <time.h>

#include "test.h"

#define SECOND UINT64_C(1000000000)

static uint64_t now;

static kith_loop start(kith_loop_def def)
{
    kith_loop loop;
    now = 5 * SECOND;
    def.clock = kith_loop_clock_virtual(&now);
    CHECK_RESULT(kith_loop_start(&loop, &def), KITH_OK);
    return loop;
}

static uint32_t take_steps(kith_loop *loop)
{
    uint32_t steps = 0;
    while (kith_loop_next_step(loop)) {
        steps++;
    }
    CHECK(loop->alpha >= 0 && loop->alpha < 1);
    return steps;
}

/* Every rate gives all its steps, to the last one, however frames and steps divide. */
TEST(a_second_has_as_many_steps_as_were_asked_for)
{
    static const uint32_t rates[] = {10, 24, 30, 59, 60, 100, 120};
    static const uint32_t steps[] = {1, 10, 30, 60, 77, 144, 480};
    for (int r = 0; r < 7; r++) {
        for (int s = 0; s < 7; s++) {
            kith_loop loop = start((kith_loop_def){
                .rate = rates[r], .steps = steps[s], .steps_max = 50, .frames = rates[r] * 10 + 1});
            uint32_t taken = 0;
            while (kith_loop_next_frame(&loop)) {
                taken += take_steps(&loop);
            }
            CHECK_UINT(now, 15 * SECOND);
            CHECK_UINT(taken, steps[s] * 10);
            CHECK_UINT(loop.step, taken);
            CHECK_UINT(loop.frame, rates[r] * 10 + 1);
            CHECK_FLOAT(loop.dt, 1.0f / (float)steps[s]);
            kith_loop_stats stats = kith_loop_statistics(&loop);
            CHECK_UINT(stats.late, 0);
            CHECK_UINT(stats.dropped_ns, 0);
            CHECK(stats.longest_ns - stats.shortest_ns <= 1);
        }
    }
}

TEST(frames_between_steps_know_how_far_they_are)
{
    kith_loop loop = start((kith_loop_def){.rate = 40, .steps = 10});
    for (int i = 0; i < 8; i++) {
        CHECK(kith_loop_next_frame(&loop));
        CHECK_UINT(take_steps(&loop), i == 4);
        CHECK_FLOAT(loop.alpha, 0.25f * (float)(i % 4));
    }
}

TEST(a_frame_that_is_late_is_made_up_for)
{
    kith_loop loop = start((kith_loop_def){.rate = 10, .steps = 10, .steps_max = 4});
    CHECK(kith_loop_next_frame(&loop));
    CHECK_UINT(take_steps(&loop), 0);
    now += SECOND / 4; /* in a tenth of a second there should be the next frame */
    CHECK(kith_loop_next_frame(&loop));
    CHECK_UINT(now, 5 * SECOND + SECOND / 4); /* at once */
    CHECK_UINT(take_steps(&loop), 2);
    CHECK_FLOAT(loop.alpha, 0.5f);
    CHECK(kith_loop_next_frame(&loop));
    CHECK_UINT(now, 5 * SECOND + 3 * SECOND / 10); /* and then in time */
    CHECK_UINT(take_steps(&loop), 1);
    CHECK_UINT(kith_loop_statistics(&loop).late, 1);
    CHECK_UINT(kith_loop_statistics(&loop).dropped_ns, 0);
}

/* One that is less than half of a frame behind its time is not late. */
TEST(a_little_late_is_in_time)
{
    kith_loop loop = start((kith_loop_def){.rate = 100});
    CHECK(kith_loop_next_frame(&loop));
    now = 5 * SECOND + SECOND * 14 / 1000;
    CHECK(kith_loop_next_frame(&loop));
    CHECK_UINT(kith_loop_statistics(&loop).late, 0);
    now = 5 * SECOND + SECOND * 26 / 1000;
    CHECK(kith_loop_next_frame(&loop));
    CHECK_UINT(kith_loop_statistics(&loop).late, 1);
}

/* Steps that take longer than the time they simulate: time is dropped, and told; frames stay short. */
TEST(there_is_no_spiral_of_death)
{
    kith_loop loop = start((kith_loop_def){.rate = 60, .steps = 60, .steps_max = 5});
    for (int i = 0; i < 100; i++) {
        CHECK(kith_loop_next_frame(&loop));
        uint32_t steps = 0;
        while (kith_loop_next_step(&loop)) {
            now += SECOND / 20; /* three times too slow */
            steps++;
        }
        CHECK(steps <= 5);
        now += i == 0 ? SECOND / 10 : 0;
    }
    kith_loop_stats stats = kith_loop_statistics(&loop);
    CHECK(stats.late >= 98);
    uint64_t simulated = stats.steps * SECOND / 60;
    uint64_t passed = loop.woke - 5 * SECOND;
    CHECK(simulated + stats.dropped_ns <= passed + 100);
    CHECK(passed - simulated - stats.dropped_ns < SECOND / 60 + 100);
    now += 3600 * SECOND; /* a night's sleep */
    CHECK(kith_loop_next_frame(&loop));
    CHECK_UINT(take_steps(&loop), 5);
    CHECK(kith_loop_statistics(&loop).dropped_ns > 3599 * SECOND);
    now -= 3600 * SECOND; /* a clock that is broken */
    CHECK(kith_loop_next_frame(&loop));
    CHECK_UINT(take_steps(&loop), 0);
}

TEST(a_pause_and_single_steps)
{
    kith_loop loop = start((kith_loop_def){.rate = 30, .steps = 60});
    CHECK(kith_loop_next_frame(&loop));
    CHECK(kith_loop_next_frame(&loop));
    loop.paused = true; /* after the frame began: it takes no steps any more */
    CHECK_UINT(take_steps(&loop), 0);
    for (int i = 0; i < 10; i++) {
        CHECK(kith_loop_next_frame(&loop));
        CHECK_UINT(take_steps(&loop), 0);
    }
    kith_loop_single_step(&loop);
    CHECK(kith_loop_next_frame(&loop));
    CHECK_UINT(take_steps(&loop), 1);
    CHECK(kith_loop_next_frame(&loop));
    CHECK_UINT(take_steps(&loop), 0);
    loop.paused = false;
    kith_loop_single_step(&loop); /* nothing, while it runs */
    CHECK(kith_loop_next_frame(&loop));
    CHECK_UINT(take_steps(&loop), 2);
    CHECK_UINT(loop.step, 3);
    CHECK_UINT(kith_loop_statistics(&loop).dropped_ns, 0);
}

TEST(time_can_be_slow_or_fast)
{
    static const float speeds[] = {0.25f, 0, 3, 1, -1, 1000, NAN};
    static const uint32_t steps[] = {15, 0, 180, 60, 60, 60, 60};
    for (int i = 0; i < 7; i++) {
        kith_loop loop = start((kith_loop_def){0});
        uint32_t taken = 0;
        loop.speed = speeds[i];
        for (int frame = 0; frame < 61; frame++) {
            CHECK(kith_loop_next_frame(&loop));
            taken += take_steps(&loop);
        }
        CHECK(taken == steps[i] || taken + 1 == steps[i]);
        CHECK(speeds[i] != 1 || taken == 60);
    }
}

TEST(steps_that_are_not_taken_wait)
{
    kith_loop loop = start((kith_loop_def){.rate = 10, .steps = 20, .steps_max = 6});
    CHECK(kith_loop_next_frame(&loop));
    CHECK(kith_loop_next_frame(&loop));
    CHECK(kith_loop_next_step(&loop)); /* one of two */
    CHECK(kith_loop_next_frame(&loop));
    CHECK_UINT(take_steps(&loop), 3);
    for (int i = 0; i < 10; i++) {
        CHECK(kith_loop_next_frame(&loop));
    }
    CHECK_UINT(take_steps(&loop), 6);
}

TEST(a_loop_ends)
{
    kith_loop loop = start((kith_loop_def){.frames = 2});
    CHECK(kith_loop_next_frame(&loop));
    CHECK(kith_loop_next_frame(&loop));
    CHECK(!kith_loop_next_frame(&loop));
    loop = start((kith_loop_def){0});
    CHECK(kith_loop_next_frame(&loop));
    kith_loop_stop(&loop);
    CHECK(!kith_loop_next_frame(&loop));
    CHECK(!kith_loop_next_frame(&loop));
}

TEST(numbers_out_of_range_are_refused)
{
    static const kith_loop_def bad[] = {
        {.rate = 9}, {.rate = 121}, {.steps = 1001}, {.spin_us = 2001}, {.rate = UINT32_MAX}};
    kith_loop loop = {.step = 77};
    for (int i = 0; i < 5; i++) {
        CHECK_RESULT(kith_loop_start(&loop, &bad[i]), KITH_ERR_INPUT);
    }
    kith_loop_def def = {.clock = kith_loop_clock_virtual(&now)};
    def.clock.wait = NULL;
    CHECK_RESULT(kith_loop_start(&loop, &def), KITH_ERR_INPUT);
    CHECK_UINT(loop.step, 77);
    kith_loop zero = {0};
    CHECK(!kith_loop_next_frame(&zero)); /* was never started */
    CHECK(!kith_loop_next_step(&zero));
}

TEST(statistics_are_of_the_last_frames)
{
    kith_loop loop = start((kith_loop_def){.rate = 100});
    CHECK_UINT(kith_loop_statistics(&loop).mean_ns, 0);
    for (int i = 0; i < 300; i++) {
        CHECK(kith_loop_next_frame(&loop));
        take_steps(&loop);
        now += i < 100 ? SECOND / 50 : SECOND / 1000; /* the first hundred are too slow */
    }
    kith_loop_stats stats = kith_loop_statistics(&loop);
    CHECK_UINT(stats.frames, 300);
    CHECK_UINT(stats.mean_ns, SECOND / 100);
    CHECK_UINT(stats.shortest_ns, SECOND / 100);
    CHECK_UINT(stats.longest_ns, SECOND / 100);
    CHECK_UINT(stats.last_ns, SECOND / 100);
    CHECK_UINT(stats.busy_ns, SECOND / 1000);
}

/* The last frame was none of the others. */
TEST(statistics_tell_of_the_last_frame)
{
    kith_loop loop = start((kith_loop_def){.rate = 100});
    for (int i = 0; i < 3 * KITH_LOOP_HISTORY / 2; i++) {
        CHECK(kith_loop_next_frame(&loop));
        take_steps(&loop);
    }
    now += SECOND / 40;
    CHECK(kith_loop_next_frame(&loop));
    kith_loop_stats stats = kith_loop_statistics(&loop);
    CHECK_UINT(stats.last_ns, SECOND / 40);
    CHECK_UINT(stats.longest_ns, SECOND / 40);
    CHECK_UINT(stats.shortest_ns, SECOND / 100);
    CHECK_UINT(stats.busy_ns, SECOND / 40);
}

/* On the real clock, with wide margins: no faster than it should be, and never early. */
TEST_WITHIN(10, the_systems_clock_is_kept)
{
    for (uint32_t spin = 0; spin <= 1000; spin += 1000) {
        struct timespec before;
        struct timespec after;
        kith_loop loop;
        CHECK_RESULT(kith_loop_start(&loop, &(kith_loop_def){.rate = 100,
                                                             .steps = 100,
                                                             .frames = 31,
                                                             .steps_max = 1000,
                                                             .spin_us = spin}),
                     KITH_OK);
        clock_gettime(CLOCK_MONOTONIC, &before);
        uint32_t steps = 0;
        while (kith_loop_next_frame(&loop)) {
            steps += take_steps(&loop);
        }
        clock_gettime(CLOCK_MONOTONIC, &after);
        double seconds =
            (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
        CHECK(seconds >= 0.299);
        CHECK(steps >= 29 && (double)steps <= seconds * 100 + 1);
    }
}
