/* Tasks: the calls of query systems in one stage. Each is taken by one thread; which one decides
 * nothing. */
#include <kith/clock.h>

#include "query/iterator.h"
#include "system/system.h"

/* Cursors for helpers, who all follow that of the thread that runs the tick. */
static kith_result task_ready_cursors(ki_systems *systems, ki_system *system)
{
    uint32_t helpers = ki_crew_count(systems->crew);
    if (helpers == 0) {
        return KITH_OK;
    }
    if (helpers > system->cursor_count) {
        ki_heap *heap = &systems->world->store.context.heap;
        kith_cursor **cursors =
            ki_heap_take(heap, helpers * sizeof *cursors, _Alignof(max_align_t));
        if (cursors == NULL) {
            return KITH_ERR_MEMORY;
        }
        uint32_t count = 0;
        for (; count < helpers; count++) {
            cursors[count] = count < system->cursor_count ? system->cursors[count]
                                                          : ki_cursor_take(system->query);
            if (cursors[count] == NULL) {
                break;
            }
        }
        if (count < helpers) {
            while (count > system->cursor_count) {
                ki_cursor_give(cursors[--count]);
            }
            ki_heap_give(heap, cursors, helpers * sizeof *cursors, _Alignof(max_align_t));
            return KITH_ERR_MEMORY;
        }
        ki_heap_give(heap, system->cursors, system->cursor_count * sizeof *cursors,
                     _Alignof(max_align_t));
        system->cursors = cursors;
        system->cursor_count = helpers;
    }
    for (uint32_t i = 0; i < helpers; i++) {
        KI_TRY(ki_cursor_follow(system->cursors[i], system->cursor));
    }
    return KITH_OK;
}

/* Room for so many more tasks, and for what they leave in so many outboxes. */
static kith_result tasks_reserve(ki_systems *systems, uint32_t tasks, uint32_t outboxes)
{
    tasks += systems->task_count;
    outboxes += systems->outbox_used;
    if (tasks > systems->task_capacity) {
        KI_TRY(ki_heap_grow(&systems->world->store.context.heap, &systems->tasks,
                            &systems->task_capacity, tasks, sizeof *systems->tasks, 4));
    }
    return outboxes > systems->outbox_count ? ki_outboxes_make(systems, outboxes) : KITH_OK;
}

/* Makes the tasks of a parallel system. */
static kith_result tasks_add_ranges(ki_systems *systems, ki_system *system)
{
    ki_range ranges[KI_RANGES_MAX];
    uint32_t count = ki_scan_split(&system->cursor->scan, ranges);
    uint32_t outboxes = systems->crew == NULL ? 1 : count;
    KI_TRY(tasks_reserve(systems, count, outboxes));
    if (count > 1) {
        system->scan = system->cursor->scan;
        KI_TRY(task_ready_cursors(systems, system));
    }
    for (uint32_t i = 0; i < count; i++) {
        systems->tasks[systems->task_count + i] =
            (ki_task){.system = system,
                      .range = ranges[i],
                      .outbox = systems->outboxes[systems->outbox_used + i % outboxes],
                      .number = i};
    }
    system->task_count = count;
    system->outbox_count = outboxes;
    return KITH_OK;
}

kith_result ki_tasks_add(ki_systems *systems, ki_system *system)
{
    system->first_task = systems->task_count;
    system->first_outbox = systems->outbox_used;
    system->task_count = 0;
    system->outbox_count = 0;
    KI_TRY(ki_cursor_prepare(system->cursor));
    if (system->parallel) {
        KI_TRY(tasks_add_ranges(systems, system));
    } else {
        KI_TRY(tasks_reserve(systems, 1, 1));
        ki_task *task = &systems->tasks[systems->task_count];
        task->system = system;
        task->outbox = systems->outboxes[systems->outbox_used];
        task->number = 0;
        task->drawn = false;
        task->result = KITH_OK;
        system->task_count = 1;
        system->outbox_count = 1;
    }
    systems->task_count += system->task_count;
    systems->outbox_used += system->outbox_count;
    return KITH_OK;
}

static inline void task_run(const ki_systems *systems, ki_task *task, uint32_t member)
{
    ki_system *system = task->system;
    bool alone = system->task_count == 1;
    kith_cursor *cursor = alone || member == 0 ? system->cursor : system->cursors[member - 1];
    kith_iter it = ki_cursor_iter(cursor, task, &system->scan, alone ? NULL : &task->range);
    it.dt = system->dt;
    it.user = system->user;
    it.commands = system->quiet ? NULL : task->outbox->commands;
    const ki_inside inside = {.context = &systems->world->store.context,
                              .system = system->name,
                              .quiet = system->quiet,
                              .task = task};
    const ki_inside *outer = ki_thread_enter(&inside);
    bool timed = systems->profile != NULL;
    task->world = systems->world;
    task->began = timed ? kith_clock_now() : 0;
    system->run(&it);
    task->done = timed ? kith_clock_now() : 0;
    ki_thread_enter(outer);
    ki_cursor_retire(cursor, &it);
    task->member = member;
    task->batches = cursor->batches;
    task->entities = cursor->entities;
    task->ended = cursor->ended;
    task->result = task->result != KITH_OK ? task->result : it.result;
}

static void tasks_work(void *context, uint32_t member)
{
    ki_systems *systems = context;
    for (;;) {
        uint32_t next = KI_FETCH_ADD(&systems->next_task, 1);
        if (next >= systems->task_count) {
            return;
        }
        task_run(systems, &systems->tasks[next], member);
    }
}

void ki_tasks_run(ki_systems *systems)
{
    kith_world *world = systems->world;
    uint32_t helpers = systems->crew == NULL || systems->task_count == 1
                           ? 0
                           : ki_min_u32(ki_crew_count(systems->crew), systems->task_count - 1);
    ki_world_close(world);
    if (helpers == 0) {
        for (uint32_t i = 0; i < systems->task_count; i++) {
            task_run(systems, &systems->tasks[i], 0);
        }
    } else {
        systems->next_task = 0;
        world->store.space.lock = &systems->lock;
        ki_crew_run(systems->crew, helpers, tasks_work, systems);
        world->store.space.lock = NULL;
    }
    ki_world_open(world);
}

kith_result ki_tasks_result(const ki_systems *systems, const ki_system *system)
{
    bool ended = true;
    for (uint32_t i = 0; i < system->task_count; i++) {
        const ki_task *task = &systems->tasks[system->first_task + i];
        if (task->result != KITH_OK) {
            return task->result;
        }
        ended = ended && task->ended;
    }
    if (ended) {
        ki_cursor_looked(system->cursor);
    }
    return KITH_OK;
}
