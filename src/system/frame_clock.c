/* Clocks: how many steps the real time of a frame makes. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include <kith/floats.h>

#include <kith/clock.h>
#include <time.h>

#include "base/context.h"
#include "base/windows.h"

#if defined(_WIN32)

double kith_clock_now(void)
{
    LARGE_INTEGER ticks;
    LARGE_INTEGER per_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&per_second);
    return (double)ticks.QuadPart / (double)per_second.QuadPart;
}

#else

double kith_clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + kith_mul_f64((double)now.tv_nsec, 1e-9);
}

#endif

/* The number if it makes sense as a time, else 0. */
static double clock_sane(double seconds)
{
    return seconds > 0 && seconds <= 1e15 ? seconds : 0;
}

static double clock_or(double seconds, double usual)
{
    seconds = clock_sane(seconds);
    return seconds > 0 ? seconds : usual;
}

void kith_clock_start(kith_clock *clock, const kith_clock_def *def)
{
    static const kith_clock_def defaults;
    if (KI_CHECKED && clock == NULL) {
        ki_misuse(NULL, "kith_clock_start: the clock is NULL");
        return;
    }
    def = def == NULL ? &defaults : def;
    *clock = (kith_clock){.def = {.step = clock_sane(def->step),
                                  .frame_max = clock_or(def->frame_max, 0.25),
                                  .steps_max = def->steps_max == 0 ? 8 : def->steps_max,
                                  .frame_fixed = clock_sane(def->frame_fixed)},
                          .scale = clock_or(def->scale, 1)};
    clock->step = clock->def.step;
    clock->last = clock->def.frame_fixed > 0 ? 0 : kith_clock_now();
}

/* Real time since the last frame. */
static double clock_measure(kith_clock *clock)
{
    if (clock->def.frame_fixed > 0) {
        return clock->def.frame_fixed;
    }
    double now = kith_clock_now();
    double passed = now - clock->last;
    clock->last = now;
    return passed > 0 ? passed : 0;
}

/* Takes steps of fixed length out of the time to simulate, and returns how many. */
static uint32_t clock_take_steps(kith_clock *clock)
{
    double step = clock->def.step;
    double whole = clock->pending / step;
    uint32_t steps = clock->def.steps_max;
    if (whole < (double)steps + 1) {
        steps = whole < steps ? (uint32_t)whole : steps;
        clock->pending -= kith_mul_f64(steps, step);
    } else {
        double rest = clock->pending - kith_mul_f64(steps, step);
        double part = whole < 1e9 ? rest - kith_mul_f64((uint32_t)(rest / step), step) : 0;
        clock->dropped += rest - part;
        clock->pending = part;
    }
    /* Rounding may leave a little less than 0, or a whole step. */
    clock->pending = clock->pending < 0 ? 0 : clock->pending;
    clock->alpha = clock->pending / step;
    clock->alpha = clock->alpha < 1 ? clock->alpha : 0x1.fffffffffffffp-1;
    return steps;
}

uint32_t kith_clock_frame(kith_clock *clock)
{
    if (KI_CHECKED && clock == NULL) {
        ki_misuse(NULL, "kith_clock_frame: the clock is NULL");
        return 0;
    }
    clock->frame = clock_measure(clock);
    clock->frames++;
    double counted = clock->frame < clock->def.frame_max ? clock->frame : clock->def.frame_max;
    double scale = clock_sane(clock->scale);
    uint32_t steps;
    if (clock->paused) {
        steps = clock->single > 0 ? 1 : 0;
        clock->single -= steps;
        /* A single step without a length of its own is as long as a frame. */
        clock->step = clock->def.step > 0 ? clock->def.step : counted * scale;
    } else {
        clock->dropped += kith_mul_f64(clock->frame - counted, scale);
        clock->pending += kith_mul_f64(counted, scale);
        if (clock->def.step > 0) {
            steps = clock_take_steps(clock);
        } else {
            steps = 1;
            clock->step = clock->pending;
            clock->pending = 0;
        }
    }
    clock->steps += steps;
    clock->time += kith_mul_f64(steps, clock->step);
    return steps;
}
