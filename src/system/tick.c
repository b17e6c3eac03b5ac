/* One tick: stage after stage. */
#include <kith/floats.h>

#include <kith/clock.h>

#include "system/asked.h"
#include "system/profile.h"
#include "system/schedule.h"
#include "system/system_state.h"

/* Fails with a message that names the system. With `explained`, the world's message says why. */
static kith_result tick_fail(kith_world *world, const ki_system *system, kith_result result,
                             bool explained)
{
    ki_context *context = &world->store.context;
    char why[sizeof context->error];
    memcpy(why, context->error, sizeof why);
    explained = explained && why[0] != '\0';
    return ki_fail(context, result, "kith_run: system '%s' failed: %s%s%s", system->name,
                   kith_result_name(result), explained ? ": " : "", explained ? why : "");
}

/* Counts the time of a system that does not run in every tick. Returns whether it runs in this one. */
static bool tick_is_time(ki_system *system)
{
    system->since += (double)system->dt;
    system->due += (double)system->dt;
    system->ticks++;
    return system->every_ticks > 1 ? system->ticks >= system->every_ticks
                                   : system->due >= (double)system->interval;
}

static void tick_reset_time(ki_system *system)
{
    system->dt = system->since < (double)FLT_MAX ? (float)system->since : FLT_MAX;
    system->since = 0;
    system->ticks = 0;
    /* Runs that were missed are not made up for. */
    system->due = system->interval > 0 ? system->due - (double)system->interval : 0;
    system->due = system->due >= (double)system->interval ? 0 : system->due;
}

/* Decides whether a system runs in this tick: sets `active`. */
static kith_result tick_activate(kith_world *world, ki_system *system, float dt)
{
    bool timed = system->every_ticks > 1 || system->interval > 0;
    system->dt = dt;
    system->active = system->enabled && (!timed || tick_is_time(system));
    if (system->active && system->run_if != NULL) {
        system->active = system->run_if(world, system->user);
        if (world->store.open != NULL) {
            system->active = false;
            return tick_fail(world, system, ki_system_reject_open(world, system, "run_if"), false);
        }
    }
    if (system->active && system->run != NULL) {
        KI_TRY(ki_system_require_bound(system, "kith_run"));
    }
    if (system->active && timed) {
        tick_reset_time(system);
    }
    return KITH_OK;
}

static bool tick_has_output(const ki_systems *systems, const ki_system *system)
{
    for (uint32_t i = 0; i < system->output_count; i++) {
        if (ki_output_is_used(systems->outputs.list[system->first_output + i])) {
            return true;
        }
    }
    return false;
}

/* Applies what a system's calls queued and sent, if none of them failed. */
static kith_result tick_finish(ki_systems *systems, ki_system *system)
{
    kith_result result =
        system->result != KITH_OK ? system->result : ki_tasks_result(systems, system);
    bool applied = false;
    if (systems->profile != NULL) {
        ki_profile_tasks(systems, system);
    }
    if (tick_has_output(systems, system)) {
        double began = systems->profile != NULL ? kith_clock_now() : 0;
        if (result == KITH_OK) {
            applied = true;
            result = ki_outputs_apply(systems, system);
        }
        ki_outputs_clear(systems, system);
        if (systems->profile != NULL) {
            ki_profile_applied(systems, system, began);
        }
    }
    return result == KITH_OK ? KITH_OK : tick_fail(systems->world, system, result, applied);
}

/* Runs the systems of a stage side by side. The first failure counts, with its message. */
static kith_result tick_systems(ki_systems *systems, ki_system *const *stage, uint32_t count)
{
    kith_world *world = systems->world;
    kith_result first = KITH_OK;
    char message[sizeof world->store.context.error];
    systems->tasks.count = 0;
    systems->outputs.used = 0;
    ki_asked_refresh(systems, stage, count);
    for (uint32_t i = 0; i < count; i++) {
        if (stage[i]->active) {
            stage[i]->result = ki_tasks_add(systems, stage[i]);
        }
    }
    if (systems->tasks.count != 0) {
        ki_tasks_run(systems);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (stage[i]->active && stage[i]->keeps) {
            ki_uses_let_go(world, stage[i]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (stage[i]->active) {
            kith_result result = tick_finish(systems, stage[i]);
            if (result != KITH_OK && first == KITH_OK) {
                first = result;
                memcpy(message, world->store.context.error, sizeof message);
            }
        }
    }
    if (first != KITH_OK) {
        memcpy(world->store.context.error, message, sizeof message);
    }
    return first;
}

static kith_result tick_stage(ki_systems *systems, ki_system *const *stage, uint32_t count,
                              float dt)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        KI_TRY(tick_activate(systems->world, stage[i], dt));
        any = any || stage[i]->active;
    }
    if (!any) {
        return KITH_OK;
    }
    if (systems->profile != NULL) {
        ki_profile_stage(systems->profile);
    }
    return tick_systems(systems, stage, count);
}

static kith_result tick_all(ki_systems *systems, float dt)
{
    kith_result result = KITH_OK;
    uint32_t end;
    if (systems->observers.first != NULL) {
        KI_TRY(ki_observers_deliver(systems, "kith_run"));
    }
    for (uint32_t first = 0; first < systems->count && result == KITH_OK; first = end) {
        end = first + 1;
        while (end < systems->count &&
               systems->by_stage[end]->stage == systems->by_stage[first]->stage) {
            end++;
        }
        result = tick_stage(systems, systems->by_stage + first, end - first, dt);
        if (systems->observers.first != NULL && result == KITH_OK) {
            result = ki_observers_deliver(systems, "kith_run");
        }
    }
    return result;
}

kith_result kith_run(kith_world *world, float dt)
{
    KI_TRY(ki_world_begin_change(world, "kith_run"));
    ki_context *context = &world->store.context;
    ki_systems *systems = ki_systems_of(world);
    if (KI_CHECKED && systems != NULL && systems->running) {
        return ki_misuse(context, "kith_run: it is under way; a system cannot start another tick");
    }
    if (KI_CHECKED && systems != NULL && systems->observing) {
        return ki_misuse(context,
                         "kith_run: observers are being called; an observer cannot start a tick");
    }
    if (!(dt >= 0 && dt <= FLT_MAX)) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_run: %g seconds cannot be simulated; `dt` is 0 or more, and finite",
                       (double)dt);
    }
    if (systems != NULL) {
        KI_TRY(ki_schedule_build(systems, "kith_run"));
    }
    world->tick++;
    ki_events_begin_tick(world);
    kith_result result = KITH_OK;
    if (systems != NULL) {
        systems->running = true;
        result = tick_all(systems, dt);
        systems->running = false;
    }
    ki_events_end_tick(world);
    return result;
}

uint64_t kith_tick_count(const kith_world *world)
{
    if (ki_world_require_reader(world, "kith_tick_count") != KITH_OK) {
        return 0;
    }
    return world->tick;
}
