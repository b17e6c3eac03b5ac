#include <kith/floats.h>

#include <string.h>

#include "terminal/terminal_clock.h"

/* Time to be simulated is counted in nanoseconds times steps a second, so that a step is a whole
 * number of them at any rate and nothing is lost to rounding. */
#define FULL_STEP UINT64_C(1000000000)
#define SECOND_NS UINT64_C(1000000000)

/* A frame that took longer than this was no frame: the machine slept. */
#define LONGEST_FRAME (1000 * SECOND_NS)

static uint64_t or_usual(uint64_t value, uint64_t usual)
{
    return value == 0 ? usual : value;
}

kith_result kith_loop_start(kith_loop *loop, const kith_loop_def *def)
{
    static const kith_loop_def defaults;
    if (loop == NULL) {
        return KITH_ERR_MISUSE;
    }
    kith_loop_def own = def == NULL ? defaults : *def;
    own.steps = (uint32_t)or_usual(own.steps, 60);
    own.rate = (uint32_t)or_usual(own.rate, 60);
    own.steps_max = (uint32_t)or_usual(own.steps_max, 8);
    if (own.steps > 1000 || own.rate < 10 || own.rate > 120 || own.spin_us > 2000 ||
        !ki_clock_is_whole(&own.clock)) {
        return KITH_ERR_INPUT;
    }
    *loop = (kith_loop){.dt = 1.0f / (float)own.steps, .speed = 1, .def = own};
    return KITH_OK;
}

/* Waits for the time of the next frame, which is a whole number of frames from the start, so that
 * errors do not add up. Returns when it is. */
static uint64_t wait_for_slot(kith_loop *loop)
{
    const uint64_t rate = loop->def.rate;
    uint64_t now = ki_clock_now(&loop->def.clock);
    loop->slots++;
    uint64_t due = loop->started + loop->slots * SECOND_NS / rate;
    if (now < due) {
        ki_clock_wait(&loop->def.clock, due, loop->def.spin_us * UINT64_C(1000));
        uint64_t woke = ki_clock_now(&loop->def.clock);
        loop->idle_ns = woke > now ? woke - now : 0;
        now = woke;
    } else {
        loop->idle_ns = 0;
        loop->slots += (now - due) * rate / SECOND_NS; /* frames that were missed */
    }
    loop->late += now > due + SECOND_NS / rate / 2;
    return now;
}

/* What is more than the steps that a frame may take is dropped, in whole steps. */
static void drop_time(kith_loop *loop)
{
    uint64_t steps = loop->debt / FULL_STEP;
    if (steps > loop->def.steps_max) {
        uint64_t dropped = steps - loop->def.steps_max;
        loop->debt -= dropped * FULL_STEP;
        loop->dropped_ns += dropped * SECOND_NS / loop->def.steps;
    }
}

static void let_time_pass(kith_loop *loop, uint64_t elapsed)
{
    if (loop->paused) {
        loop->debt %= FULL_STEP;
        loop->debt += loop->single ? FULL_STEP : 0;
        return;
    }
    loop->single = false;
    if (elapsed > LONGEST_FRAME) {
        loop->dropped_ns += elapsed - LONGEST_FRAME;
        elapsed = LONGEST_FRAME;
    }
    bool usual = !(loop->speed >= 0 && loop->speed <= 100) || loop->speed == 1;
    if (!usual) {
        elapsed = (uint64_t)((double)elapsed * (double)loop->speed);
    }
    loop->debt += elapsed * loop->def.steps;
    drop_time(loop);
}

bool kith_loop_next_frame(kith_loop *loop)
{
    if (loop == NULL || loop->def.rate == 0 || loop->stopped ||
        (loop->def.frames != 0 && loop->frame >= loop->def.frames)) {
        return false;
    }
    if (loop->frame == 0) {
        loop->started = loop->woke = ki_clock_now(&loop->def.clock);
        let_time_pass(loop, 0);
    } else {
        uint64_t now = wait_for_slot(loop);
        uint64_t elapsed = now > loop->woke ? now - loop->woke : 0;
        loop->woke = now;
        loop->history[(loop->frame - 1) % KITH_LOOP_HISTORY] =
            elapsed > UINT32_MAX ? UINT32_MAX : (uint32_t)elapsed;
        let_time_pass(loop, elapsed);
    }
    loop->frame++;
    loop->steps_left = (uint32_t)(loop->debt / FULL_STEP);
    return true;
}

bool kith_loop_next_step(kith_loop *loop)
{
    if (loop == NULL) {
        return false;
    }
    if (loop->steps_left == 0 || (loop->paused && !loop->single)) {
        float alpha = (float)((double)(loop->debt % FULL_STEP) / (double)FULL_STEP);
        loop->alpha = alpha < 1 ? alpha : 0x1.fffffep-1f; /* what lies in between rounds up to 1 */
        return false;
    }
    loop->single = false;
    loop->steps_left--;
    loop->debt -= FULL_STEP;
    loop->step++;
    return true;
}

void kith_loop_single_step(kith_loop *loop)
{
    if (loop != NULL) {
        loop->single = loop->paused;
    }
}

void kith_loop_stop(kith_loop *loop)
{
    if (loop != NULL) {
        loop->stopped = true;
    }
}

kith_loop_stats kith_loop_statistics(const kith_loop *loop)
{
    kith_loop_stats stats = {0};
    if (loop == NULL) {
        return stats;
    }
    stats.frames = loop->frame;
    stats.steps = loop->step;
    stats.late = loop->late;
    stats.dropped_ns = loop->dropped_ns;
    uint64_t count = loop->frame == 0 ? 0 : loop->frame - 1;
    count = count > KITH_LOOP_HISTORY ? KITH_LOOP_HISTORY : count;
    if (count == 0) {
        return stats;
    }
    stats.shortest_ns = UINT64_MAX;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t ns = loop->history[i];
        stats.mean_ns += ns;
        stats.shortest_ns = ns < stats.shortest_ns ? ns : stats.shortest_ns;
        stats.longest_ns = ns > stats.longest_ns ? ns : stats.longest_ns;
    }
    stats.mean_ns /= count;
    stats.last_ns = loop->history[(loop->frame - 2) % KITH_LOOP_HISTORY];
    stats.busy_ns = stats.last_ns > loop->idle_ns ? stats.last_ns - loop->idle_ns : 0;
    return stats;
}
