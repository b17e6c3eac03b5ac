/* The crew: threads that help with a stage. Kith's own sleep until there is work; a host's are
 * asked for by its callbacks. */
#include "base/threads.h"
#include "system/system.h"

#define CREW_MAX 64u

typedef struct crew_member {
    ki_crew *crew;
    uint32_t number; /* from 1 */
    ki_os_thread thread;
    void *handle; /* of the host's */
} crew_member;

struct ki_crew {
    kith_workers_def def;
    void (*work)(void *context, uint32_t member);
    void *context;

    ki_lock lock; /* of all below */
    ki_condition wake;
    ki_condition done;
    uint64_t round;   /* grows with each call for help */
    uint32_t helpers; /* that are called */
    uint32_t busy;
    uint32_t started;
    bool stop;
    crew_member members[];
};

static size_t crew_bytes(uint32_t count)
{
    return sizeof(ki_crew) + count * sizeof(crew_member);
}

uint32_t ki_crew_count(const ki_crew *crew)
{
    return crew == NULL ? 0 : crew->def.count;
}

static void crew_main(void *user)
{
    const crew_member *self = user;
    ki_crew *crew = self->crew;
    uint64_t seen = 0;
    ki_lock_take(&crew->lock);
    for (;;) {
        while (!crew->stop && crew->round == seen) {
            ki_condition_wait(&crew->wake, &crew->lock);
        }
        if (crew->stop) {
            break;
        }
        seen = crew->round;
        if (self->number > crew->helpers) {
            continue;
        }
        ki_lock_give(&crew->lock);
        crew->work(crew->context, self->number);
        ki_lock_take(&crew->lock);
        if (--crew->busy == 0) {
            ki_condition_wake_one(&crew->done);
        }
    }
    ki_lock_give(&crew->lock);
}

static void crew_run_own(ki_crew *crew, uint32_t helpers)
{
    ki_lock_take(&crew->lock);
    crew->round++;
    crew->helpers = helpers;
    crew->busy = helpers;
    ki_condition_wake_all(&crew->wake);
    ki_lock_give(&crew->lock);
    crew->work(crew->context, 0);
    ki_lock_take(&crew->lock);
    while (crew->busy != 0) {
        ki_condition_wait(&crew->done, &crew->lock);
    }
    ki_lock_give(&crew->lock);
}

static void crew_job(void *job)
{
    const crew_member *self = job;
    self->crew->work(self->crew->context, self->number);
}

static void crew_run_host(ki_crew *crew, uint32_t helpers)
{
    for (uint32_t i = 0; i < helpers; i++) {
        crew->members[i].handle = crew->def.enqueue(crew_job, &crew->members[i], crew->def.context);
    }
    crew->work(crew->context, 0);
    for (uint32_t i = 0; i < helpers; i++) {
        if (crew->members[i].handle != NULL) {
            crew->def.finish(crew->members[i].handle, crew->def.context);
        }
    }
}

void ki_crew_run(ki_crew *crew, uint32_t helpers, void (*work)(void *context, uint32_t member),
                 void *context)
{
    crew->work = work;
    crew->context = context;
    if (crew->def.enqueue != NULL) {
        crew_run_host(crew, helpers);
    } else {
        crew_run_own(crew, helpers);
    }
}

void ki_crew_free(kith_world *world, ki_crew *crew)
{
    if (crew == NULL) {
        return;
    }
    ki_lock_take(&crew->lock);
    crew->stop = true;
    ki_condition_wake_all(&crew->wake);
    ki_lock_give(&crew->lock);
    for (uint32_t i = 0; i < crew->started; i++) {
        ki_os_thread_join(&crew->members[i].thread);
    }
    ki_condition_end(&crew->done);
    ki_condition_end(&crew->wake);
    ki_lock_end(&crew->lock);
    ki_heap_give(&world->store.context.heap, crew, crew_bytes(crew->def.count), _Alignof(ki_crew));
}

static kith_result crew_new(kith_world *world, const kith_workers_def *def, ki_crew **made)
{
    ki_heap *heap = &world->store.context.heap;
    ki_crew *crew = ki_heap_take_zeroed(heap, crew_bytes(def->count), _Alignof(ki_crew));
    if (crew == NULL) {
        return KITH_ERR_MEMORY;
    }
    crew->def = *def;
    ki_lock_init(&crew->lock);
    ki_condition_init(&crew->wake);
    ki_condition_init(&crew->done);
    for (uint32_t i = 0; i < def->count; i++) {
        crew_member *member = &crew->members[i];
        member->crew = crew;
        member->number = i + 1;
        if (def->enqueue != NULL) {
            continue;
        }
        if (!ki_os_thread_start(&member->thread, crew_main, member)) {
            ki_crew_free(world, crew);
            return ki_fail(&world->store.context, KITH_ERR_LIMIT,
                           "kith_workers_set: the system gave %u threads of %u", i, def->count);
        }
        crew->started++;
    }
    *made = crew;
    return KITH_OK;
}

kith_result kith_workers_set(kith_world *world, const kith_workers_def *def)
{
    static const kith_workers_def none;
    KI_REQUIRE_OWNER(world, "kith_workers_set", KITH_ERR_MISUSE);
    ki_context *context = &world->store.context;
    KITH_REQUIRE(context, !world->running, KITH_ERR_MISUSE,
                 "kith_workers_set: kith_run is under way; set workers between ticks");
    def = def == NULL ? &none : def;
    if (def->count > CREW_MAX) {
        return ki_fail(context, KITH_ERR_INPUT, "kith_workers_set: %u workers; at most %u",
                       def->count, CREW_MAX);
    }
    if ((def->enqueue == NULL) != (def->finish == NULL)) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_workers_set: there is just one of `enqueue` and `finish`");
    }
    ki_systems *systems = ki_systems_make(world);
    if (systems == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_crew *crew = NULL;
    if (def->count != 0) {
        KI_TRY(crew_new(world, def, &crew));
    }
    ki_crew_free(world, systems->crew);
    systems->crew = crew;
    return KITH_OK;
}

uint32_t kith_workers_count(const kith_world *world)
{
    KI_REQUIRE_OWNER(world, "kith_workers_count", 0);
    const ki_systems *systems = ki_systems_of(world);
    return systems == NULL ? 0 : ki_crew_count(systems->crew);
}
