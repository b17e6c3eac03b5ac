#include "system/system_query.h"

#include "query/iterator.h"
#include "query/term_list.h"
#include "system/system_state.h"
#include "world/queries.h"

/* Iterators of one further query that a call may have at a time. More come of loops that were left
 * without kith_iter_close. */
#define SYSTEM_QUERY_OPEN_MAX 16u

uint32_t ki_system_queries_count(const kith_query_def *queries)
{
    uint32_t count = 0;
    while (count < KITH_SYSTEM_QUERIES &&
           (queries[count].terms != NULL || queries[count].name != NULL ||
            queries[count].driver != NULL || queries[count].order != KITH_SCAN_ORDER)) {
        count++;
    }
    return count;
}

kith_result ki_system_queries_make(kith_world *world, const char *call, const kith_system_def *def,
                                   ki_system *system)
{
    uint32_t count = ki_system_queries_count(def->queries);
    if (count == 0) {
        return KITH_OK;
    }
    system->queries = ki_heap_alloc_zeroed(
        &world->store.context.heap, count * sizeof *system->queries, _Alignof(ki_system_query));
    if (system->queries == NULL) {
        return KITH_ERR_MEMORY;
    }
    system->query_count = count;
    for (uint32_t i = 0; i < count; i++) {
        kith_query_def query = def->queries[i];
        query.name = query.name != NULL ? query.name : def->name;
        KI_TRY(ki_query_new(world, call, &query, &system->queries[i].query));
        if (def->run == NULL) {
            continue;
        }
        system->queries[i].prepared = ki_cursor_take(system->queries[i].query);
        if (system->queries[i].prepared == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
}

void ki_system_queries_free(kith_world *world, ki_system *system)
{
    for (uint32_t i = 0; i < system->query_count; i++) {
        if (system->queries[i].prepared != NULL) {
            ki_cursor_give(system->queries[i].prepared);
        }
        kith_query_free(system->queries[i].query);
    }
    ki_heap_free(&world->store.context.heap, system->queries,
                 system->query_count * sizeof *system->queries, _Alignof(ki_system_query));
}

kith_result ki_system_queries_prepare(ki_system *system)
{
    for (uint32_t i = 0; i < system->query_count; i++) {
        KI_TRY(ki_cursor_prepare(system->queries[i].prepared));
        ki_cursor_plan(system->queries[i].prepared, 1);
    }
    return KITH_OK;
}

void ki_system_queries_looked(const ki_system *system)
{
    for (uint32_t i = 0; i < system->query_count; i++) {
        ki_cursor_looked(system->queries[i].prepared);
    }
}

/* Takes a cursor for one more iterator; NULL if memory ran out. Other calls may do so too. */
static kith_cursor *system_query_take(ki_task *task, const ki_system_query *query)
{
    ki_systems *systems = ki_systems_of(task->world);
    ki_lock_acquire(&systems->lock);
    kith_cursor *cursor = ki_cursor_take(query->query);
    if (cursor != NULL && ki_cursor_follow(cursor, query->prepared) != KITH_OK) {
        ki_cursor_give(cursor);
        cursor = NULL;
    }
    ki_lock_release(&systems->lock);
    if (cursor != NULL) {
        cursor->failed = false;
        cursor->outer = task->opened;
        task->opened = cursor;
    }
    return cursor;
}

/* A cursor of the call whose iterator has ended, ready for the next one; NULL: there is none. Counts
 * those that have not. */
static kith_cursor *system_query_find_ended(const ki_task *task, const ki_system_query *query,
                                            uint32_t *open)
{
    for (kith_cursor *cursor = task->opened; cursor != NULL; cursor = cursor->outer) {
        if (cursor->query == query->query && cursor->token.serial == 0) {
            ki_cursor_follow(cursor, query->prepared); /* it has all that it needs */
            return cursor;
        }
        *open += cursor->query == query->query;
    }
    return NULL;
}

/* Opens a query of a query system for one of its calls. */
static kith_iter system_query_lend(ki_task *task, uint32_t number)
{
    const ki_system *system = task->system;
    const ki_context *context = &task->world->store.context;
    const ki_system_query *query = &system->queries[number - 1];
    kith_iter opened = {.result = KITH_ERR_MISUSE, .context = context, .task = task};
    uint32_t open = 0;
    kith_cursor *cursor = system_query_find_ended(task, query, &open);
    if (KI_CHECKED && cursor == NULL && open == SYSTEM_QUERY_OPEN_MAX) {
        ki_misuse(
            context,
            "kith_system_query: query number %u of system \"%s\" is open %u times already; call"
            " kith_iter_close when leaving a loop early",
            number, system->name, open);
        return opened;
    }
    cursor = cursor != NULL ? cursor : system_query_take(task, query);
    if (cursor == NULL) {
        task->result = KITH_ERR_MEMORY;
        opened.result = KITH_ERR_MEMORY;
        return opened;
    }
    return ki_cursor_iter(cursor, task, NULL, NULL);
}

/* Opens a query of a plain system, as a program opens one. */
static kith_iter system_query_open_plain(ki_task *task, uint32_t number, const char *file, int line)
{
    kith_iter opened = kith_query_iter_at(task->system->queries[number - 1].query, file, line);
    if (opened.cursor != NULL) {
        opened.task = task;
        opened.plain = true;
    }
    return opened;
}

kith_iter ki_system_query_open(ki_task *task, const kith_iter *it, uint32_t number,
                               const char *file, int line)
{
    const ki_system *system = task->system;
    if (KI_CHECKED && (number == 0 || number > system->query_count)) {
        const ki_context *context = &task->world->store.context;
        ki_misuse(context,
                  "kith_system_query: system \"%s\" has no query number %u: there are %u in"
                  " `queries`, counted from 1",
                  system->name, number, system->query_count);
        return (kith_iter){.result = KITH_ERR_MISUSE, .context = context, .task = task};
    }
    kith_iter opened = it->plain ? system_query_open_plain(task, number, file, line)
                                 : system_query_lend(task, number);
    opened.dt = it->dt;
    opened.user = it->user;
    opened.commands = it->commands;
    return opened;
}

void ki_system_queries_end(ki_systems *systems, ki_task *task)
{
    ki_lock_acquire(&systems->lock);
    while (task->opened != NULL) {
        kith_cursor *cursor = task->opened;
        task->opened = cursor->outer;
        task->result = cursor->failed ? KITH_ERR_MEMORY : task->result;
        ki_cursor_give(cursor);
    }
    ki_lock_release(&systems->lock);
}

kith_result ki_system_reject_open(kith_world *world, const ki_system *system, const char *function)
{
    char where[256];
    ki_query_print_open(&world->store, NULL, where, sizeof where);
    ki_queries_close(&world->store);
    return ki_misuse(
        &world->store.context,
        "kith_run: `%s` of system \"%s\" returned with a query open (%s); call kith_iter_close"
        " when leaving a loop early",
        function, system->name, where);
}
