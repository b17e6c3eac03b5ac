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
