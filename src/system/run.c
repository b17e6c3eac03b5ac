/* One tick: stage after stage. */
#include <kith/floats.h>

#include <kith/clock.h>

#include "system/system.h"

/* Leaves a message that names the system, and why it failed if the world's own tells that. */
static kith_result run_fail(kith_world *world, const ki_system *system, kith_result result,
                            bool told)
{
    ki_context *context = &world->store.context;
    char why[sizeof context->error];
    memcpy(why, context->error, sizeof why);
    told = told && why[0] != '\0';
    return ki_fail(context, result, "kith_run: system '%s' failed: %s%s%s", system->name,
                   kith_result_name(result), told ? ": " : "", told ? why : "");
}

/* Ends the queries that a function of a system left open. */
static kith_result run_close_queries(kith_world *world, const ki_system *system,
                                     const char *function)
{
    char where[256];
    ki_query_print_open(&world->store, NULL, where, sizeof where);
    ki_queries_close(&world->store);
    kith_result result = ki_misuse(
        &world->store.context,
        "kith_run: `%s` of system \"%s\" returned with a query open (%s); call kith_iter_end"
        " when leaving a loop early",
        function, system->name, where);
    return run_fail(world, system, result, false);
}

/* Counts the time of a system that does not run in each tick. */
static bool run_is_time(ki_system *system)
{
    system->since += (double)system->dt;
    system->due += (double)system->dt;
    system->ticks++;
    return system->every > 1 ? system->ticks >= system->every
                             : system->due >= (double)system->interval;
}

static void run_reset_time(ki_system *system)
{
    system->dt = system->since < (double)FLT_MAX ? (float)system->since : FLT_MAX;
    system->since = 0;
    system->ticks = 0;
    /* What is due more than once is not made up for. */
    system->due = system->interval > 0 ? system->due - (double)system->interval : 0;
    system->due = system->due >= (double)system->interval ? 0 : system->due;
}

/* Whether a system runs in this tick; sets `runs`. */
static kith_result run_ask(kith_world *world, ki_system *system, float dt)
{
    bool timed = system->every > 1 || system->interval > 0;
    system->dt = dt;
    system->runs = system->enabled && (!timed || run_is_time(system));
    if (system->runs && system->when != NULL) {
        system->runs = system->when(world, system->user);
        if (world->store.open != NULL) {
            system->runs = false;
            return run_close_queries(world, system, "when");
        }
    }
    if (system->runs && timed) {
        run_reset_time(system);
    }
    return KITH_OK;
}

static kith_result run_plain(ki_systems *systems, ki_system *system)
{
    kith_world *world = systems->world;
    kith_result result = system->update(world, system->dt, system->user);
    if (systems->profile != NULL) {
        ki_profile_plain(systems, system);
    }
    if (KI_UNLIKELY(world->store.open != NULL)) {
        return run_close_queries(world, system, "update");
    }
    return result == KITH_OK ? KITH_OK : run_fail(world, system, result, false);
}

/* Does what a system's calls left to be done, if all went well. */
static kith_result run_finish(ki_systems *systems, ki_system *system)
{
    kith_result result = system->result;
    bool told = false;
    if (result == KITH_OK) {
        const ki_task *only = &systems->tasks[system->first_task];
        bool simple = system->task_count == 1 && !system->query->looks;
        result = simple ? only->result : ki_tasks_result(systems, system);
    }
    if (systems->profile != NULL) {
        ki_profile_tasks(systems, system);
    }
    if (ki_outboxes_used(systems, system)) {
        double began = systems->profile != NULL ? kith_clock_now() : 0;
        if (result == KITH_OK) {
            told = true;
            result = ki_outboxes_deliver(systems, system);
        }
        ki_outboxes_clear(systems, system);
        if (systems->profile != NULL) {
            ki_profile_applied(systems, system, began);
        }
    }
    return result == KITH_OK ? KITH_OK : run_fail(systems->world, system, result, told);
}

/* The first failure counts, and its message; `*first` has room for one. */
static void run_keep_failure(kith_world *world, kith_result result, kith_result *first,
                             char *message)
{
    ki_context *context = &world->store.context;
    if (*first == KITH_OK) {
        *first = result;
        memcpy(message, context->error, sizeof context->error);
    }
}

/* Runs query systems side by side. */
static kith_result run_queries(ki_systems *systems, ki_system *const *stage, uint32_t count)
{
    kith_world *world = systems->world;
    kith_result first = KITH_OK;
    char message[sizeof world->store.context.error];
    systems->task_count = 0;
    systems->outbox_used = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (stage[i]->runs) {
            stage[i]->result = ki_tasks_add(systems, stage[i]);
        }
    }
    if (systems->task_count != 0) {
        ki_tasks_run(systems);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (stage[i]->runs) {
            kith_result result = run_finish(systems, stage[i]);
            if (result != KITH_OK) {
                run_keep_failure(world, result, &first, message);
            }
        }
    }
    if (first != KITH_OK) {
        memcpy(world->store.context.error, message, sizeof message);
    }
    return first;
}

static kith_result run_stage(ki_systems *systems, ki_system *const *stage, uint32_t count, float dt)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        KI_TRY(run_ask(systems->world, stage[i], dt));
        any = any || stage[i]->runs;
    }
    if (!any) {
        return KITH_OK;
    }
    if (systems->profile != NULL) {
        ki_profile_stage(systems->profile);
    }
    return stage[0]->run == NULL ? run_plain(systems, stage[0])
                                 : run_queries(systems, stage, count);
}

static kith_result run_all(ki_systems *systems, float dt)
{
    kith_result result = KITH_OK;
    uint32_t end;
    if (systems->observers != NULL) {
        KI_TRY(ki_observers_deliver(systems, "kith_run"));
    }
    for (uint32_t first = 0; first < systems->count && result == KITH_OK; first = end) {
        end = first + 1;
        while (end < systems->count &&
               systems->staged[end]->stage == systems->staged[first]->stage) {
            end++;
        }
        result = run_stage(systems, systems->staged + first, end - first, dt);
        if (systems->observers != NULL && result == KITH_OK) {
            result = ki_observers_deliver(systems, "kith_run");
        }
    }
    return result;
}

kith_result kith_run(kith_world *world, float dt)
{
    KI_BEGIN_CHANGE(world, "kith_run", KITH_ERR_MISUSE);
    ki_context *context = &world->store.context;
    KITH_REQUIRE(context, !world->running, KITH_ERR_MISUSE,
                 "kith_run: it is under way; a system cannot start another tick");
    KITH_REQUIRE(context, !world->observing, KITH_ERR_MISUSE,
                 "kith_run: observers are being called; an observer cannot start a tick");
    if (!(dt >= 0 && dt <= FLT_MAX)) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_run: %g seconds cannot be simulated; `dt` is 0 or more, and finite",
                       (double)dt);
    }
    ki_systems *systems = ki_systems_of(world);
    if (systems != NULL) {
        KI_TRY(ki_schedule_build(systems, "kith_run"));
    }
    world->tick++;
    world->running = true;
    ki_events_begin_tick(world);
    kith_result result = systems == NULL ? KITH_OK : run_all(systems, dt);
    world->running = false;
    return result;
}

uint64_t kith_tick(const kith_world *world)
{
    KI_REQUIRE_READER(world, "kith_tick", 0);
    return world->tick;
}
