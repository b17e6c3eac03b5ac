/* Timers. What is left of a time is a double, so that adding up many short ticks loses nothing that a
 * player would notice within years. */
#include <kith/floats.h>

#include <float.h>
#include <math.h>

#include "game/systems.h"

static bool timer_repeats(const kith_timer *timer)
{
    return timer->period > 0 && timer->period <= DBL_MAX;
}

/* The time is over, by `late` seconds. How many whole periods fit into them is exact, by fmod. */
static void timer_finish(kith_timer *timer, double late)
{
    timer->finished = 1;
    timer->remaining = 0;
    if (timer_repeats(timer)) {
        const double begun = fmod(late, timer->period);
        const double times = floor((late - begun) / timer->period + 0.5);
        timer->finished = times < UINT32_MAX ? (uint32_t)times + 1 : UINT32_MAX;
        timer->remaining = timer->period - begun;
    }
}

static void timer_pass(kith_timer *timer, double dt)
{
    timer->finished = 0;
    if (timer->paused || !(fabs(timer->remaining) <= DBL_MAX)) {
        return;
    }
    if (timer->remaining <= 0) {
        timer->remaining = timer_repeats(timer) ? timer->period : 0;
    }
    if (timer->remaining > 0) {
        timer->remaining -= dt;
        if (timer->remaining <= 0) {
            timer_finish(timer, -timer->remaining);
        }
    }
}

static void timer(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            timer_pass(KITH_AT_MUT(it, i, kith_timer), (double)it->dt);
        }
    }
}

kith_result ki_game_add_timer(kith_world *world)
{
    return kith_system_add(world,
                           &(kith_system_def){.name = "timer",
                                              .priority = -100,
                                              .run = timer,
                                              .query.terms = KITH_TERMS(KITH_WRITE(kith_timer)),
                                              .parallel = true,
                                              .no_commands = true,
                                              .group = KI_GAME_GROUP});
}
