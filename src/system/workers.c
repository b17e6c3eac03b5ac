/* Kith's own workers sleep until there is work. The host's are asked for through its callbacks. */
#include "system/workers.h"

#include "base/threads.h"
#include "system/system_state.h"

#define THREADS_MAX 64u

typedef struct worker_thread {
    ki_workers *workers;
    uint32_t number; /* from 1 */
    ki_os_thread thread;
    void *handle; /* from `enqueue` */
} worker_thread;

struct ki_workers {
    kith_workers_def def;
    uint32_t count; /* in `list` */
    void (*work)(void *context, uint32_t worker);
    void *context;

    ki_lock lock; /* of all fields below */
    ki_condition wake;
    ki_condition done;
    uint64_t round;   /* counts the calls of ki_workers_run */
    uint32_t helpers; /* workers that this round calls */
    uint32_t busy;
    uint32_t started;
    bool stop;
    worker_thread list[];
};

static size_t workers_bytes(uint32_t count)
{
    return sizeof(ki_workers) + count * sizeof(worker_thread);
}

uint32_t ki_workers_count(const ki_workers *workers)
{
    return workers == NULL ? 0 : workers->count;
}

static void worker_main(void *user)
{
    const worker_thread *self = user;
    ki_workers *workers = self->workers;
    uint64_t seen = 0;
    ki_lock_acquire(&workers->lock);
    for (;;) {
        while (!workers->stop && workers->round == seen) {
            ki_condition_wait(&workers->wake, &workers->lock);
        }
        if (workers->stop) {
            break;
        }
        seen = workers->round;
        if (self->number > workers->helpers) {
            continue;
        }
        ki_lock_release(&workers->lock);
        workers->work(workers->context, self->number);
        ki_lock_acquire(&workers->lock);
        if (--workers->busy == 0) {
            ki_condition_wake_one(&workers->done);
        }
    }
    ki_lock_release(&workers->lock);
}

static void workers_run_own(ki_workers *workers, uint32_t helpers)
{
    ki_lock_acquire(&workers->lock);
    workers->round++;
    workers->helpers = helpers;
    workers->busy = helpers;
    ki_condition_wake_all(&workers->wake);
    ki_lock_release(&workers->lock);
    workers->work(workers->context, 0);
    ki_lock_acquire(&workers->lock);
    while (workers->busy != 0) {
        ki_condition_wait(&workers->done, &workers->lock);
    }
    ki_lock_release(&workers->lock);
}

static void worker_job(void *job)
{
    const worker_thread *self = job;
    self->workers->work(self->workers->context, self->number);
}

static void workers_run_host(ki_workers *workers, uint32_t helpers)
{
    for (uint32_t i = 0; i < helpers; i++) {
        workers->list[i].handle =
            workers->def.enqueue(worker_job, &workers->list[i], workers->def.context);
    }
    workers->work(workers->context, 0);
    for (uint32_t i = 0; i < helpers; i++) {
        if (workers->list[i].handle != NULL) {
            workers->def.finish(workers->list[i].handle, workers->def.context);
        }
    }
}

void ki_workers_run(ki_workers *workers, uint32_t helpers,
                    void (*work)(void *context, uint32_t worker), void *context)
{
    workers->work = work;
    workers->context = context;
    if (workers->def.enqueue != NULL) {
        workers_run_host(workers, helpers);
    } else {
        workers_run_own(workers, helpers);
    }
}

void ki_workers_free(kith_world *world, ki_workers *workers)
{
    if (workers == NULL) {
        return;
    }
    ki_lock_acquire(&workers->lock);
    workers->stop = true;
    ki_condition_wake_all(&workers->wake);
    ki_lock_release(&workers->lock);
    for (uint32_t i = 0; i < workers->started; i++) {
        ki_os_thread_join(&workers->list[i].thread);
    }
    ki_condition_end(&workers->done);
    ki_condition_end(&workers->wake);
    ki_lock_end(&workers->lock);
    ki_heap_free(&world->store.context.heap, workers, workers_bytes(workers->count),
                 _Alignof(ki_workers));
}

static kith_result workers_new(kith_world *world, const kith_workers_def *def, ki_workers **made)
{
    ki_heap *heap = &world->store.context.heap;
    uint32_t count = def->threads - 1;
    ki_workers *workers = ki_heap_alloc_zeroed(heap, workers_bytes(count), _Alignof(ki_workers));
    if (workers == NULL) {
        return KITH_ERR_MEMORY;
    }
    workers->def = *def;
    workers->count = count;
    ki_lock_init(&workers->lock);
    ki_condition_init(&workers->wake);
    ki_condition_init(&workers->done);
    for (uint32_t i = 0; i < count; i++) {
        worker_thread *worker = &workers->list[i];
        worker->workers = workers;
        worker->number = i + 1;
        if (def->enqueue != NULL) {
            continue;
        }
        if (!ki_os_thread_start(&worker->thread, worker_main, worker)) {
            ki_workers_free(world, workers);
            return ki_fail(&world->store.context, KITH_ERR_LIMIT,
                           "kith_workers_set: the operating system started %u threads of %u", i,
                           count);
        }
        workers->started++;
    }
    *made = workers;
    return KITH_OK;
}

kith_result kith_workers_set(kith_world *world, const kith_workers_def *def)
{
    static const kith_workers_def none;
    KI_TRY(ki_world_require_writer(world, "kith_workers_set"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && ki_systems_run(world)) {
        return ki_misuse(context,
                         "kith_workers_set: kith_run is under way; set workers between ticks");
    }
    def = def == NULL ? &none : def;
    if (def->threads > THREADS_MAX) {
        return ki_fail(context, KITH_ERR_INPUT, "kith_workers_set: %u threads; at most %u",
                       def->threads, THREADS_MAX);
    }
    if ((def->enqueue == NULL) != (def->finish == NULL)) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_workers_set: only one of `enqueue` and `finish` is given");
    }
    ki_systems *systems = ki_systems_make(world);
    if (systems == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_workers *workers = NULL;
    if (def->threads > 1) {
        KI_TRY(workers_new(world, def, &workers));
    }
    ki_workers_free(world, systems->workers);
    systems->workers = workers;
    return KITH_OK;
}

uint32_t kith_thread_count(const kith_world *world)
{
    if (ki_world_require_owner(world, "kith_thread_count") != KITH_OK) {
        return 0;
    }
    const ki_systems *systems = ki_systems_of(world);
    return systems == NULL ? 1 : ki_workers_count(systems->workers) + 1;
}
