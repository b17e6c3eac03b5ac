/* One tick: all systems, one after another. */
#include "system/system.h"

/* Ends the queries that a system left open: nobody else will. */
static void run_close_queries(kith_world *world)
{
    while (world->store.open != NULL) {
        ki_cursor_close(world->store.open);
    }
}

static kith_result run_query_system(const ki_system *system, kith_commands *commands, float dt)
{
    kith_iter it = kith_query_iter_at(system->query, system->name, 0);
    if (it.result != KITH_OK) {
        return it.result;
    }
    it.dt = dt;
    it.user = system->user;
    it.commands = commands;
    system->run(&it);
    kith_iter_end(&it);
    return it.result;
}

/* Leaves a message that names the system, and why it failed if the world's own tells that. */
KI_COLD static kith_result run_fail(kith_world *world, const ki_system *system, kith_result result,
                                    bool told)
{
    ki_context *context = &world->store.context;
    char why[sizeof context->error];
    memcpy(why, context->error, sizeof why);
    return ki_fail(context, result, "kith_run: system '%s' failed: %s%s%s", system->name,
                   kith_result_name(result), told ? ": " : "", told ? why : "");
}

/* Applies what the system queued, if it went well. */
static kith_result run_commands(kith_world *world, const ki_system *system, kith_result result)
{
    kith_commands *commands = ki_systems_of(world)->commands;
    bool ready = result == KITH_OK && world->store.open == NULL;
    if (ready) {
        result = kith_commands_apply(commands, NULL);
    }
    if (result != KITH_OK) {
        run_fail(world, system, result, ready);
    }
    if (!ready || result != KITH_OK) {
        kith_commands_clear(commands);
    }
    return result;
}

static kith_result run_system(kith_world *world, const ki_system *system, float dt)
{
    kith_result result;
    if (system->run != NULL) {
        kith_commands *commands = ki_systems_of(world)->commands;
        result = run_commands(world, system, run_query_system(system, commands, dt));
    } else {
        result = system->update(world, dt, system->user);
        if (result != KITH_OK) {
            run_fail(world, system, result, false);
        }
    }
    if (KI_LIKELY(world->store.open == NULL)) {
        return result;
    }
    char where[256];
    ki_query_print_open(&world->store, NULL, where, sizeof where);
    run_close_queries(world);
    return ki_misuse(
        &world->store.context,
        "kith_run: system \"%s\" returned with a query open (%s); call kith_iter_end when"
        " leaving a loop early",
        system->name, where);
}

kith_result kith_run(kith_world *world, float dt)
{
    KI_BEGIN_CHANGE(world, "kith_run", KITH_ERR_MISUSE);
    ki_context *context = &world->store.context;
    KITH_REQUIRE(context, !world->running, KITH_ERR_MISUSE,
                 "kith_run: it is under way; a system cannot start another tick");
    if (!(dt >= 0)) {
        return ki_fail(context, KITH_ERR_INPUT, "kith_run: %g seconds cannot be simulated",
                       (double)dt);
    }
    world->tick++;
    world->running = true;
    ki_events_begin_tick(world);
    const ki_systems *systems = ki_systems_of(world);
    kith_result result = KITH_OK;
    for (uint32_t i = 0; systems != NULL && i < systems->count && result == KITH_OK; i++) {
        const ki_system *system = systems->in_order[i];
        if (system->enabled) {
            result = run_system(world, system, dt);
        }
    }
    world->running = false;
    return result;
}

uint64_t kith_tick(const kith_world *world)
{
    KI_REQUIRE_WORLD(world, "kith_tick", 0);
    return world->tick;
}
