#include <kith/floats.h>

#include "system/system_definition.h"

#include <string.h>

#include "query/condition.h"
#include "query/query.h"
#include "query/term_list.h"
#include "system/asked.h"
#include "system/name.h"
#include "system/system_uses.h"
#include "world/queries.h"

void ki_system_free(kith_world *world, ki_system *system)
{
    ki_heap *heap = &world->store.context.heap;
    ki_task_cursors_free(heap, system);
    kith_query_free(system->query);
    ki_system_queries_free(world, system);
    ki_uses_free(heap, system);
    ki_asked_free(heap, system);
    ki_constraints_free(heap, &system->constraints);
    ki_heap_free_text(heap, system->group);
    ki_heap_free_text(heap, system->name);
    ki_heap_free(heap, system, sizeof *system, _Alignof(ki_system));
}

/* Checks that each list has an end. Those of `queries` are checked by ki_query_new. */
static kith_result definition_check_lists(ki_context *context, const char *call,
                                          const kith_system_def *def)
{
    KI_TRY(ki_terms_check(context, call, "query", def->query.terms));
    KI_TRY(ki_terms_check(context, call, "lookups", def->lookups));
    KI_TRY(ki_terms_check(context, call, "resources", def->resources));
    KI_TRY(ki_terms_check(context, call, "events", def->events));
    return KITH_OK;
}

static kith_result definition_check(kith_world *world, const char *call, const kith_system_def *def)
{
    ki_context *context = &world->store.context;
    if (def->name == NULL) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: the system has no name; set `name`", call);
    }
    if (!ki_name_is_valid(def->name)) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: a system's name has 1 to %d bytes, not '%.140s'", call,
                       KI_SYSTEM_NAME_MAX, def->name);
    }
    if (!ki_name_is_listable(def->name)) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: '%s': a system's name has no comma, and no space at its ends, since"
                       " `before` and `after` are lists of names",
                       call, def->name);
    }
    KI_TRY(ki_constraints_check(context, call, def));
    if ((def->run == NULL) == (def->update == NULL)) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: '%s' has %s of `run` and `update`", call,
                       def->name, def->run == NULL ? "neither" : "both");
    }
    KI_TRY(definition_check_lists(context, call, def));
    bool asks = ki_terms_count(def->query.terms) != 0 || def->query.driver != NULL ||
                def->query.order != KITH_SCAN_ORDER;
    bool declares = ki_terms_count(def->lookups) != 0 || ki_terms_count(def->resources) != 0 ||
                    ki_terms_count(def->events) != 0 ||
                    (def->indexes != NULL && def->indexes[0] != NULL);
    if (def->update != NULL && (asks || declares || def->parallel)) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: '%s' is a plain system (`update`), and has %s",
                       call, def->name,
                       asks ? "a `query`; its queries are in `queries`, and it opens them itself"
                       : declares ? "a list of what it uses, which may be anything"
                                  : "`parallel`, but runs alone");
    }
    if (!(def->interval >= 0) || (def->interval > 0 && def->every_ticks != 0)) {
        return ki_fail(
            context, KITH_ERR_INPUT,
            "%s: '%s' has an interval of %g seconds, and runs every %u ticks; one of them"
            " has to be 0, and the interval must not be negative",
            call, def->name, (double)def->interval, def->every_ticks);
    }
    return KITH_OK;
}

static kith_result definition_fill(kith_world *world, const char *call, const kith_system_def *def,
                                   ki_system *system)
{
    ki_systems *systems = ki_systems_of(world);
    ki_heap *heap = &world->store.context.heap;
    const char *phase = def->phase == NULL ? KITH_PHASE_UPDATE : def->phase;
    system->phase = ki_phase_find(&systems->phases, phase);
    if (system->phase == NULL) {
        return ki_fail(&world->store.context, KITH_ERR_UNKNOWN,
                       "%s: '%s' is to run in phase '%.100s', which is not there%s", call,
                       def->name, phase, ki_phase_hint(&systems->phases, phase).text);
    }
    system->name = ki_heap_copy_text(heap, def->name);
    system->group = def->group == NULL ? NULL : ki_heap_copy_text(heap, def->group);
    if (system->name == NULL || (def->group != NULL && system->group == NULL)) {
        return KITH_ERR_MEMORY;
    }
    KI_TRY(ki_constraints_init(heap, def, system));
    system->whole = (ki_use){.access = def->run == NULL ? KITH_ACCESS_WRITE : KITH_ACCESS_READ,
                             .kind = KI_USE_COMPONENT,
                             .system = system,
                             .thing = &systems->things.world};
    KI_TRY(ki_system_queries_make(world, call, def, system));
    if (def->run == NULL) {
        return KITH_OK;
    }
    kith_query_def query = def->query;
    query.name = query.name != NULL ? query.name : def->name;
    KI_TRY(ki_query_new(world, call, &query, &system->query));
    KI_TRY(ki_asked_make(world, call, def, system));
    KI_TRY(ki_system_uses_make(world, call, def, system));
    system->cursor = ki_cursor_take(system->query);
    return system->cursor == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

/* Makes the terms of KITH_SYSTEM, if there are any, those of the query. */
static kith_result definition_take_terms(ki_context *context, const char *call,
                                         kith_system_def *def)
{
    const uint32_t end = sizeof def->terms / sizeof def->terms[0] - 1;
    if (def->terms[1].type == NULL) {
        return KITH_OK;
    }
    if (def->terms[end].type != NULL || def->query.terms != NULL) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: '%s' has %s; write all of them as .query.terms = KITH_TERMS(...)", call,
                       def->name,
                       def->query.terms != NULL ? "terms in KITH_SYSTEM and in `query`"
                                                : "more than 16 terms in KITH_SYSTEM");
    }
    def->query.terms = &def->terms[1];
    return KITH_OK;
}

kith_result ki_system_make(kith_world *world, const char *call, const kith_system_def *given,
                           ki_system **made)
{
    kith_system_def copy = *given;
    const kith_system_def *def = &copy;
    KI_TRY(definition_take_terms(&world->store.context, call, &copy));
    KI_TRY(definition_check(world, call, def));
    ki_system *system =
        ki_heap_alloc(&world->store.context.heap, sizeof *system, _Alignof(ki_system));
    if (system == NULL) {
        return KITH_ERR_MEMORY;
    }
    *system = (ki_system){.priority = def->priority,
                          .enabled = !def->disabled,
                          .parallel = def->parallel,
                          .no_commands = def->no_commands,
                          .run = def->run,
                          .update = def->update,
                          .run_if = def->run_if,
                          .user = def->user,
                          .interval = def->interval,
                          .every_ticks = def->every_ticks};
    kith_result result = definition_fill(world, call, def, system);
    if (result != KITH_OK) {
        ki_system_free(world, system);
        return result;
    }
    *made = system;
    return KITH_OK;
}
