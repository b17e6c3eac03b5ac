/* Each task is taken by one thread. Which thread takes it changes nothing in the result. */
#include "system/task.h"

#include <kith/clock.h>

#include "query/iterator.h"
#include "system/asked.h"
#include "system/system_state.h"
#include "system/workers.h"

void ki_tasks_free(ki_heap *heap, ki_tasks *tasks)
{
    ki_heap_free(heap, tasks->list, tasks->capacity * sizeof *tasks->list, _Alignof(max_align_t));
}

/* Makes sure that a system has a cursor for each of `count` workers. KITH_ERR_MEMORY. */
static kith_result task_reserve_cursors(ki_systems *systems, ki_system *system, uint32_t count)
{
    if (count <= system->cursor_count) {
        return KITH_OK;
    }
    ki_heap *heap = &systems->world->store.context.heap;
    kith_cursor **cursors = ki_heap_alloc(heap, count * sizeof *cursors, _Alignof(max_align_t));
    if (cursors == NULL) {
        return KITH_ERR_MEMORY;
    }
    uint32_t made = 0;
    for (; made < count; made++) {
        cursors[made] =
            made < system->cursor_count ? system->cursors[made] : ki_cursor_take(system->query);
        if (cursors[made] == NULL) {
            break;
        }
    }
    if (made < count) {
        while (made > system->cursor_count) {
            ki_cursor_give(cursors[--made]);
        }
        ki_heap_free(heap, cursors, count * sizeof *cursors, _Alignof(max_align_t));
        return KITH_ERR_MEMORY;
    }
    ki_heap_free(heap, system->cursors, system->cursor_count * sizeof *cursors,
                 _Alignof(max_align_t));
    system->cursors = cursors;
    system->cursor_count = count;
    return KITH_OK;
}

void ki_task_cursors_free(ki_heap *heap, ki_system *system)
{
    if (system->cursor != NULL) {
        ki_cursor_give(system->cursor);
    }
    for (uint32_t i = 0; i < system->cursor_count; i++) {
        ki_cursor_give(system->cursors[i]);
    }
    ki_heap_free(heap, system->cursors, system->cursor_count * sizeof *system->cursors,
                 _Alignof(max_align_t));
}

/* Makes the workers' cursors ready for the scan that the system's own cursor was prepared for. */
static kith_result task_prepare_cursors(ki_systems *systems, ki_system *system)
{
    uint32_t workers = ki_workers_count(systems->workers);
    KI_TRY(task_reserve_cursors(systems, system, workers));
    for (uint32_t i = 0; i < workers; i++) {
        KI_TRY(ki_cursor_follow(system->cursors[i], system->cursor));
    }
    return KITH_OK;
}

/* Makes room for so many more tasks and outputs. KITH_ERR_MEMORY. */
static kith_result tasks_reserve(ki_systems *systems, uint32_t tasks, uint32_t outputs)
{
    tasks += systems->tasks.count;
    outputs += systems->outputs.used;
    if (tasks > systems->tasks.capacity) {
        KI_TRY(ki_heap_grow(&systems->world->store.context.heap, &systems->tasks.list,
                            &systems->tasks.capacity, tasks, sizeof *systems->tasks.list, 4));
    }
    return outputs > systems->outputs.count ? ki_outputs_reserve(systems, outputs) : KITH_OK;
}

/* Copies the blocks that calls write while others read them, to find their parents' values. */
static kith_result tasks_unshare(ki_systems *systems, const ki_system *system)
{
    const kith_query *query = system->query;
    for (uint32_t i = 0; i < query->term_count && systems->world->store.columns.shared; i++) {
        if (query->terms[i].access == KITH_ACCESS_WRITE) {
            KI_TRY(ki_scan_unshare(&system->cursor->scan, query->terms[i].component));
        }
    }
    return KITH_OK;
}

/* Makes the tasks of a parallel system. */
static kith_result tasks_add_ranges(ki_systems *systems, ki_system *system)
{
    ki_range ranges[KI_RANGES_MAX];
    uint32_t count = ki_scan_split(&system->cursor->scan, ranges);
    uint32_t threads = systems->workers == NULL ? 1 : ki_workers_count(systems->workers) + 1;
    ki_cursor_plan(system->cursor, ki_min_u32(count, threads));
    uint32_t outputs = system->is_loop ? 0 : systems->workers == NULL ? 1 : count;
    KI_TRY(tasks_reserve(systems, count, outputs));
    if (count > 1) {
        KI_TRY(system->reads_parents ? tasks_unshare(systems, system) : KITH_OK);
        system->scan = system->cursor->scan;
        system->ended = 0;
        KI_TRY(task_prepare_cursors(systems, system));
    }
    for (uint32_t i = 0; i < count; i++) {
        systems->tasks.list[systems->tasks.count + i] = (ki_task){
            .system = system,
            .range = ranges[i],
            .output = outputs == 0 ? NULL
                                   : systems->outputs.list[systems->outputs.used + i % outputs],
            .number = i};
    }
    system->task_count = count;
    system->output_count = outputs;
    return KITH_OK;
}

kith_result ki_tasks_add(ki_systems *systems, ki_system *system)
{
    system->first_task = systems->tasks.count;
    system->first_output = systems->outputs.used;
    system->task_count = 0;
    system->output_count = 0;
    if (system->keeps) {
        KI_TRY(ki_uses_keep(systems->world, system));
    }
    if (system->asked_count != 0) {
        KI_TRY(ki_asked_prepare(systems, system));
    }
    if (system->run != NULL) {
        KI_TRY(ki_cursor_prepare(system->cursor));
        KI_TRY(system->query_count == 0 ? KITH_OK : ki_system_queries_prepare(system));
    }
    if (system->parallel) {
        KI_TRY(tasks_add_ranges(systems, system));
    } else {
        if (system->run != NULL) {
            ki_cursor_plan(system->cursor, 1);
        }
        bool plain = system->run == NULL; /* which sends at once */
        uint32_t outputs = plain && system->no_commands ? 0 : 1;
        KI_TRY(tasks_reserve(systems, 1, outputs));
        ki_task *task = &systems->tasks.list[systems->tasks.count];
        task->system = system;
        task->output = outputs == 0 ? NULL : systems->outputs.list[systems->outputs.used];
        task->number = 0;
        task->loop_calls = 0;
        task->seeded = false;
        task->opened = NULL;
        task->result = KITH_OK;
        system->task_count = 1;
        system->output_count = outputs;
    }
    systems->tasks.count += system->task_count;
    systems->outputs.used += system->output_count;
    return KITH_OK;
}

static const char task_remedy[] =
    "\", which may use the world only through its iterator: queue changes on it->commands, read and"
    " write by KITH_GET(it, ...), KITH_RESOURCE(it, ...) and so on, open its other queries by"
    " kith_system_query (in C++ by parameters, or a"
    " kith::context); a plain system (`update`) may do anything";

static const char loop_remedy[] = "\", which may use the world only through its iterator: do the"
                                  " rest before the loop, or after it";

static void task_run(ki_systems *systems, ki_task *task, uint32_t worker)
{
    ki_system *system = task->system;
    bool alone = system->task_count == 1;
    kith_cursor *cursor = alone || worker == 0 ? system->cursor : system->cursors[worker - 1];
    kith_iter it = ki_cursor_iter(cursor, task, &system->scan, alone ? NULL : &task->range);
    it.dt = system->dt;
    it.user = system->user;
    it.commands = system->no_commands ? NULL : task->output->commands;
    const ki_inside inside = {.context = &systems->world->store.context,
                              .before = system->is_loop ? "called from within a loop of system \""
                                                        : "called from within query system \"",
                              .name = system->name,
                              .after = system->is_loop ? loop_remedy : task_remedy,
                              .no_commands = system->no_commands,
                              .key = task};
    const ki_inside *outer = ki_thread_enter(&inside);
    bool timed = systems->profile != NULL;
    task->world = systems->world;
    task->grants = (struct kith_grants_){0};
    task->began = timed ? kith_clock_now() : 0;
    ki_asked_lend(system, worker, task);
    system->run(&it);
    ki_asked_lend(system, worker, NULL);
    task->done = timed ? kith_clock_now() : 0;
    ki_thread_enter(outer);
    ki_cursor_retire(cursor, &it);
    if (task->opened != NULL) {
        ki_system_queries_end(systems, task);
    }
    task->worker = worker;
    task->batches = cursor->batches;
    task->entities = cursor->entities;
    task->ended = cursor->ended;
    task->result = task->result != KITH_OK ? task->result : it.result;
}

/* Calls a plain system. It is alone in its stage. */
static void task_run_plain(ki_systems *systems, ki_task *task)
{
    kith_world *world = systems->world;
    const ki_system *system = task->system;
    kith_iter it = {.dt = system->dt,
                    .user = system->user,
                    .commands = system->no_commands ? NULL : task->output->commands,
                    .context = &world->store.context,
                    .task = task,
                    .plain = true};
    const ki_inside inside = {.context = &world->store.context,
                              .name = system->name,
                              .no_commands = system->no_commands,
                              .plain = true,
                              .key = task};
    const ki_inside *outer = ki_thread_enter(&inside);
    bool timed = systems->profile != NULL;
    task->world = world;
    task->grants = (struct kith_grants_){0};
    task->worker = 0;
    task->batches = 0;
    task->entities = 0;
    task->ended = false;
    task->began = timed ? kith_clock_now() : 0;
    task->result = system->update(world, &it);
    task->done = timed ? kith_clock_now() : 0;
    ki_thread_enter(outer);
    task->result = task->result != KITH_OK ? task->result : it.result;
    if (world->store.open != NULL) {
        task->result = ki_system_reject_open(world, system, "update");
    }
}

/* Whether a system's tasks wait for one another: those of a level for the levels before. */
static bool task_has_levels(const ki_task *task)
{
    return task->system->task_count > 1 && task->system->query->levels != NULL;
}

/* Waits for the tasks that a task comes after. Other threads have taken them: tasks are taken in their
 * order. */
static void task_wait(ki_systems *systems, const ki_task *task)
{
    ki_lock_acquire(&systems->lock);
    while (task->system->ended < task->range.after) {
        ki_condition_wait(&systems->ended, &systems->lock);
    }
    ki_lock_release(&systems->lock);
}

static void task_end(ki_systems *systems, const ki_task *task)
{
    ki_lock_acquire(&systems->lock);
    task->system->ended++;
    ki_condition_wake_all(&systems->ended);
    ki_lock_release(&systems->lock);
}

static void tasks_work(void *context, uint32_t worker)
{
    ki_systems *systems = context;
    for (;;) {
        uint32_t next = KI_FETCH_ADD(&systems->tasks.next, 1);
        if (next >= systems->tasks.count) {
            return;
        }
        ki_task *task = &systems->tasks.list[next];
        if (!task_has_levels(task)) {
            task_run(systems, task, worker);
            continue;
        }
        task_wait(systems, task);
        task_run(systems, task, worker);
        task_end(systems, task);
    }
}

void ki_tasks_run(ki_systems *systems)
{
    if (systems->tasks.list[0].system->run == NULL) {
        task_run_plain(systems, &systems->tasks.list[0]);
        return;
    }
    kith_world *world = systems->world;
    uint32_t helpers =
        systems->workers == NULL || systems->tasks.count == 1
            ? 0
            : ki_min_u32(ki_workers_count(systems->workers), systems->tasks.count - 1);
    ki_world_close(world, "query systems of the world are running; its owner may call when"
                          " kith_run has returned, other threads may not");
    if (helpers == 0) {
        for (uint32_t i = 0; i < systems->tasks.count; i++) {
            task_run(systems, &systems->tasks.list[i], 0);
        }
    } else {
        systems->tasks.next = 0;
        world->store.columns.lock = &systems->lock;
        world->store.context.heap.lock = &systems->memory;
        ki_workers_run(systems->workers, helpers, tasks_work, systems);
        world->store.context.heap.lock = NULL;
        world->store.columns.lock = NULL;
    }
    ki_world_open(world);
}

kith_result ki_tasks_result(const ki_systems *systems, const ki_system *system)
{
    bool ended = true;
    for (uint32_t i = 0; i < system->task_count; i++) {
        const ki_task *task = &systems->tasks.list[system->first_task + i];
        if (task->result != KITH_OK) {
            return task->result;
        }
        ended = ended && task->ended;
    }
    if (ended) {
        ki_cursor_looked(system->cursor);
        ki_system_queries_looked(system);
    }
    return KITH_OK;
}
