/* Kith: the terminal kit: clocks, and the game's loop: frames at a rate, steps of a fixed length.
 * What holds for all of the kit (NULL, threads) is told in <kith/terminal.h>, which includes this. */
#ifndef KITH_TERMINAL_LOOP_H
#define KITH_TERMINAL_LOOP_H

#include <kith/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where time comes from, in nanoseconds. Without functions: the system's monotonic clock. */
typedef struct kith_loop_clock {
    uint64_t (*now)(void *context);
    void (*wait)(void *context, uint64_t until); /* returns no earlier, by that clock */
    void *context;
} kith_loop_clock;

/* A clock that advances only by waiting, which takes no time: programs on it run as fast as they
 * can, and always in the same way. `*time` is what it shows. */
KITH_API kith_loop_clock kith_loop_clock_virtual(uint64_t *time);

/* All zero is a good default. */
typedef struct kith_loop_def {
    uint32_t steps;      /* of the simulation in a second, 1 to 1,000; 0: 60 */
    uint32_t rate;       /* frames in a second, 10 to 120; 0: 60 */
    uint32_t steps_max;  /* in one frame; 0: 8. Time beyond that is dropped, and counted */
    uint32_t spin_us; /* wait actively for the last so many microseconds, up to 2,000: more exact,
                              for more of the processor. Not on a clock of your own */
    uint64_t frames;  /* end after so many; 0: never */
    kith_loop_clock clock; /* kith_terminal_clock, mostly; without functions: the system's */
} kith_loop_def;

typedef struct kith_loop_stats {
    uint64_t frames;
    uint64_t steps;
    uint64_t late;       /* frames that began more than half a frame after their time */
    uint64_t dropped_ns; /* time that was not simulated: the game was that much too slow */
    uint64_t last_ns;    /* from the start of the last frame to that of this one */
    uint64_t mean_ns;    /* the same over up to 128 frames: mean, shortest and longest */
    uint64_t shortest_ns;
    uint64_t longest_ns;
    uint64_t busy_ns; /* how much of the last frame was not waiting */
} kith_loop_stats;

#define KITH_LOOP_HISTORY 128

/* A loop. Needs no memory; may be copied. The first group is for you to read, the second to change
 * at any time, the rest is its own. */
typedef struct kith_loop {
    float dt;       /* seconds a step simulates */
    float alpha;    /* the part of a step that is not full yet, 0 to less than 1: draw that far
                      between the last two steps */
    uint64_t frame; /* the number of this frame, from 1 */
    uint64_t step;  /* of the last step, from 1 */

    bool paused; /* frames go on, steps do not */
    float speed; /* of the simulation's time: 0.25 is slow motion; 0 to 100, else 1 */

    kith_loop_def def;
    uint64_t started; /* when the frames were counted from */
    uint64_t slots;   /* frames' times that have gone by since */
    uint64_t woke;    /* when this frame began */
    uint64_t idle_ns; /* waited for in between */
    uint64_t debt;    /* time to simulate, in ns times steps a second */
    uint32_t steps_left;
    bool single;
    bool stopped;
    uint64_t late;
    uint64_t dropped_ns;
    uint32_t history[KITH_LOOP_HISTORY];
} kith_loop;

/* Begins a loop. NULL `def`: all zero.
 * KITH_ERR_INPUT   a number is out of its range, or the clock has just one function */
KITH_API kith_result kith_loop_start(kith_loop *loop, const kith_loop_def *def);

/* Waits until the time of the next frame and begins it; the first one at once. False when the loop
 * was stopped, or all frames were shown. A frame that took too long makes the next one come at
 * once, and those that were missed are left out. */
KITH_API bool kith_loop_next_frame(kith_loop *loop);

/* Whether to simulate one more step of loop->dt in this frame. The last answer, false, sets
 * loop->alpha. */
KITH_API bool kith_loop_next_step(kith_loop *loop);

/* While paused: one step in the next frame. */
KITH_API void kith_loop_single_step(kith_loop *loop);

/* Makes kith_loop_next_frame return false from now on. */
KITH_API void kith_loop_stop(kith_loop *loop);

/* What the loop did so far; all 0 for NULL. */
KITH_API kith_loop_stats kith_loop_statistics(const kith_loop *loop);

#ifdef __cplusplus
}
#endif
#endif
