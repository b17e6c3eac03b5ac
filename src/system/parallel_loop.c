#include "system/parallel_loop.h"

#include "query/condition.h"
#include "system/system_state.h"
#include "system/system_uses.h"

static const char loop_call[] = "kith_system_parallel";

/* Finds out what the loop uses, and whether its calls could disturb each other. */
static kith_result loop_declare(kith_world *world, ki_system *loop)
{
    const kith_query *query = loop->query;
    ki_heap *heap = &world->store.context.heap;
    const size_t bytes = (query->given_count + (size_t)1) * sizeof(kith_term);
    kith_term *terms = ki_heap_alloc_zeroed(heap, bytes, _Alignof(kith_term));
    if (terms == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0, count = 0; i < query->given_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->via == NULL) {
            terms[count++] = (kith_term){.type = term->component->type, .access = term->access};
        }
    }
    const kith_system_def def = {.query = {.terms = terms}};
    kith_result result = ki_system_uses_make(world, loop_call, &def, loop);
    ki_heap_free(heap, terms, bytes, _Alignof(kith_term));
    return result;
}

/* Runs a loop in place of the stage's tasks. Its calls are counted on from the one of the plain
 * system, as random numbers go by that. */
static kith_result loop_run(ki_systems *systems, ki_system *loop, ki_task *plain)
{
    const ki_tasks outer = systems->tasks;
    systems->tasks = systems->loop_tasks;
    systems->tasks.count = 0;
    kith_result result = ki_tasks_add(systems, loop);
    if (result == KITH_OK) {
        for (uint32_t i = 0; i < systems->tasks.count; i++) {
            systems->tasks.list[i].number = ++plain->loop_calls;
        }
        ki_tasks_run(systems);
        result = ki_tasks_result(systems, loop);
    }
    systems->loop_tasks = systems->tasks;
    systems->tasks = outer;
    return result;
}

static kith_result loop_check(const ki_task *task, const kith_iter *it, const kith_query *query,
                              void (*run)(kith_iter *it))
{
    const ki_store *store = &task->world->store;
    const char *name = task->system->name;
    if (task->system->is_loop) {
        return ki_misuse(&store->context,
                         "%s: called from within a loop of system \"%s\"; let that end first",
                         loop_call, name);
    }
    if (!it->plain) {
        return ki_misuse(&store->context,
                         "%s: called from within query system \"%s\"; it is for plain systems"
                         " (`update`): the query of this one is split if it is `parallel`",
                         loop_call, name);
    }
    if (query == NULL || run == NULL) {
        return ki_misuse(&store->context, "%s: in system \"%s\" the %s is NULL", loop_call, name,
                         query == NULL ? "query" : "function");
    }
    if (query->store != store) {
        return ki_misuse(&store->context, "%s: in system \"%s\" the query is of another world",
                         loop_call, name);
    }
    if (store->open != NULL) {
        char where[256];
        ki_query_print_open(store, NULL, where, sizeof where);
        return ki_misuse(&store->context,
                         "%s: in system \"%s\" a query is open (%s); close that first", loop_call,
                         name, where);
    }
    return KITH_OK;
}

kith_result ki_parallel_loop_run(ki_task *task, const kith_iter *it, kith_query *query,
                                 void (*run)(kith_iter *it), void *user)
{
    KI_TRY(KI_CHECKED ? loop_check(task, it, query, run) : KITH_OK);
    if (query->conditions != NULL) {
        KI_TRY(ki_conditions_require_bound(query, loop_call));
    }
    kith_world *world = task->world;
    ki_heap *heap = &world->store.context.heap;
    ki_system loop = {.run = run,
                      .query = query,
                      .cursor = ki_cursor_take(query),
                      .name = task->system->name,
                      .user = user,
                      .parallel = true,
                      .no_commands = true,
                      .is_loop = true,
                      .dt = it->dt};
    kith_result result = loop.cursor == NULL ? KITH_ERR_MEMORY : loop_declare(world, &loop);
    if (result == KITH_OK) {
        result = loop_run(ki_systems_of(world), &loop, task);
    }
    ki_task_cursors_free(heap, &loop);
    ki_uses_free(heap, &loop);
    return result;
}
