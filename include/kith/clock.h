/* Kith: a clock for the loop around kith_run: how long a frame took, and how many steps of fixed
 * length that is.
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
 * A clock is a struct of the program's, and no part of a world. Steps of fixed length give the same
 * bits on every run; what a clock measures does not. Calls on one clock are made by one thread at a
 * time. */
#ifndef KITH_CLOCK_H
#define KITH_CLOCK_H

#include <kith/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a clock goes. All zero is a good default. Times are in seconds. */
typedef struct kith_clock_def {
    double step;        /* length of a step; 0: steps are as long as their frames, one each */
    double scale;       /* how fast game time passes: 0.5 is slow motion; 0 is 1 */
    double frame_max;   /* a frame counts as no longer than this; 0 is 0.25 */
    uint32_t steps_max; /* steps that one frame makes at most; 0 is 8 */
    double frame_fixed; /* for tests: each frame takes so long, no time is measured; 0: not so */
} kith_clock_def;

/* A clock. Read what you like; `scale`, `paused` and `single` may be written between frames. */
typedef struct kith_clock {
    double step;     /* of game time, to be handed to kith_run */
    double frame;    /* real time that the last frame took, as it was measured */
    double time;     /* game time of all steps so far */
    double alpha;    /* how far game time is into the step that comes next: from 0 up to, not
                        including, 1. For drawing between the last two steps */
    double dropped;  /* game time that was never simulated: of frames longer than frame_max, and of
                        more steps than steps_max */
    uint64_t frames; /* so far */
    uint64_t steps;  /* so far */
    double scale;    /* as in the def; but if it is written here, time stands still with 0, and with
                        what is negative, infinite or NaN */
    bool paused;     /* frames make no steps */
    uint32_t single; /* steps to make while paused, one a frame: counts down */
    kith_clock_def def; /* private from here on */
    double pending;
    double last;
} kith_clock;

/* Starts a clock. NULL `def` is a def of zeros. Negative numbers, NaN and infinity are taken for
 * 0. */
KITH_API void kith_clock_start(kith_clock *clock, const kith_clock_def *def);

/* Begins a frame: measures the time since the last one, and returns how many steps are to be made
 * now. Time that is too long to be simulated is dropped and counted, so that slow steps never pile
 * up. */
KITH_API uint32_t kith_clock_frame(kith_clock *clock);

/* Seconds on a clock of the system's that only goes forward, from some start. */
KITH_API double kith_clock_now(void);

#ifdef __cplusplus
}
#endif
#endif
