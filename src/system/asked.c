#include "system/asked.h"

#include "system/system_state.h"
#include "system/workers.h"
#include "world/askable.h"

static uint32_t asked_count(kith_index *const *indexes)
{
    uint32_t count = 0;
    while (indexes != NULL && indexes[count] != NULL) {
        count++;
    }
    return count;
}

kith_result ki_asked_make(kith_world *world, const char *call, const kith_system_def *def,
                          ki_system *system)
{
    const uint32_t count = asked_count(def->indexes);
    for (uint32_t i = 0; i < count; i++) {
        const ki_askable *askable = (const ki_askable *)(const void *)def->indexes[i];
        if (KI_CHECKED && askable->world != world) {
            return ki_misuse(&world->store.context,
                             "%s: '%s': index number %u of `indexes` is of another world", call,
                             system->name, i);
        }
    }
    if (count == 0) {
        return KITH_OK;
    }
    system->asked = ki_heap_alloc(&world->store.context.heap, count * sizeof *system->asked,
                                  _Alignof(ki_askable *));
    if (system->asked == NULL) {
        return KITH_ERR_MEMORY;
    }
    system->asked_count = count;
    for (uint32_t i = 0; i < count; i++) {
        system->asked[i] = (ki_askable *)(void *)def->indexes[i];
        system->asked[i]->declared++;
    }
    return KITH_OK;
}

void ki_asked_free(ki_heap *heap, ki_system *system)
{
    for (uint32_t i = 0; i < system->asked_count; i++) {
        system->asked[i]->declared--;
    }
    ki_heap_free(heap, system->asked, system->asked_count * sizeof *system->asked,
                 _Alignof(ki_askable *));
}

/* What is brought up to date side by side. */
typedef struct asked_round {
    ki_lock *lock;
    ki_askable *all; /* that have begun */
    ki_askable *next; /* whose turn it is */
    uint32_t count;
} asked_round;

static void asked_begin(asked_round *round, const ki_system *system)
{
    for (uint32_t i = 0; i < system->asked_count; i++) {
        ki_askable *askable = system->asked[i];
        if (!askable->begun && askable->begin(askable)) {
            askable->begun = true;
            askable->next = round->all;
            round->all = askable;
            round->count++;
        }
    }
}

static ki_askable *asked_take(asked_round *round)
{
    ki_lock_acquire(round->lock);
    ki_askable *askable = round->next;
    round->next = askable == NULL ? NULL : askable->next;
    ki_lock_release(round->lock);
    return askable;
}

static void asked_work(void *context, uint32_t worker)
{
    (void)worker;
    for (ki_askable *askable = asked_take(context); askable != NULL;
         askable = asked_take(context)) {
        askable->work(askable);
    }
}

void ki_asked_refresh(ki_systems *systems, ki_system *const *stage, uint32_t count)
{
    asked_round round = {.lock = &systems->lock};
    for (uint32_t i = 0; i < count && systems->workers != NULL; i++) {
        if (stage[i]->active) {
            asked_begin(&round, stage[i]);
        }
    }
    if (round.count == 0) {
        return;
    }
    ki_heap *heap = &systems->world->store.context.heap;
    round.next = round.all;
    heap->lock = &systems->memory;
    ki_workers_run(systems->workers,
                   ki_min_u32(ki_workers_count(systems->workers), round.count - 1), asked_work,
                   &round);
    heap->lock = NULL;
    for (ki_askable *askable = round.all; askable != NULL; askable = askable->next) {
        askable->begun = false;
        askable->end(askable);
    }
}

kith_result ki_asked_prepare(ki_systems *systems, const ki_system *system)
{
    const uint32_t threads = systems->workers == NULL ? 1 : ki_workers_count(systems->workers) + 1;
    for (uint32_t i = 0; i < system->asked_count; i++) {
        KI_TRY(system->asked[i]->prepare(system->asked[i], threads));
    }
    return KITH_OK;
}

void ki_asked_lend(const ki_system *system, uint32_t thread, const void *key)
{
    for (uint32_t i = 0; i < system->asked_count; i++) {
        system->asked[i]->lend(system->asked[i], thread, key);
    }
}
