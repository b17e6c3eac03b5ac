/* Kith: a clock for the loop around kith_run. It measures how long a frame took, and how many steps
 * of fixed length that is.
 *
 *     kith_clock clock;
 *     kith_clock_start(&clock, &(kith_clock_def){.step = 1.0 / 60});
 *     while (playing) {
 *         for (uint32_t steps = kith_clock_frame(&clock); steps > 0; steps--) {
 *             kith_run(world, (float)clock.step);
 *         }
 *         draw(world, clock.alpha);
 *     }
 *
 * A clock is a struct that the program owns; it is not part of a world. Steps of fixed length give
 * the same bits on every run; measured times do not. Only one thread at a time may use a clock. */
#ifndef KITH_CLOCK_H
#define KITH_CLOCK_H

#include <kith/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a clock runs. All zero is a good default. Times are in seconds. */
typedef struct kith_clock_def {
    double step;        /* length of a step; 0: one step for each frame, as long as the frame */
    double scale;       /* how fast game time passes: 0.5 is slow motion; 0 is 1 */
    double frame_max;   /* a frame counts as no longer than this; 0 is 0.25 */
    uint32_t steps_max; /* steps that one frame makes at most; 0 is 8 */
    double frame_fixed; /* for tests: every frame takes this long, nothing is measured; 0: off */
} kith_clock_def;

/* A clock. All fields up to `single` may be read. `scale`, `paused` and `single` may be written
 * between frames. */
typedef struct kith_clock {
    double step;     /* game time of a step, for kith_run */
    double frame;    /* real time that the last frame took, as measured */
    double time;     /* game time of all steps so far */
    double alpha;    /* how far game time is into the next step: from 0 up to, but not including,
                        1. For drawing between the last two steps */
    double dropped;  /* game time that was never simulated: from frames longer than frame_max, and
                        from steps beyond steps_max */
    uint64_t frames; /* so far */
    uint64_t steps;  /* so far */
    double scale;    /* as in the def, except that writing 0 here stops game time; so does a number
                        that is negative, infinite or NaN */
    bool paused;     /* frames make no steps */
    uint32_t single; /* steps to make while paused, one per frame: counts down */
    kith_clock_def def; /* private from here on */
    double pending;
    double last;
} kith_clock;

/* Starts a clock. NULL `def` is a def of zeros. Negative numbers, NaN and infinity count as 0. */
KITH_API void kith_clock_start(kith_clock *clock, const kith_clock_def *def);

/* Begins a frame: measures the time since the last one, and returns how many steps to make now.
 * Time that is too long to be simulated is dropped and counted in `dropped`, so that slow steps
 * never pile up. */
KITH_API uint32_t kith_clock_frame(kith_clock *clock);

/* Seconds on a monotonic clock of the operating system, from an arbitrary start. */
KITH_API double kith_clock_now(void);

#ifdef __cplusplus
}
#endif
#endif
