/* The systems as a part of their world: freeing, checking, hashing, counting memory. */
#include "system/name.h"
#include "system/order.h"
#include "system/profile.h"
#include "system/schedule.h"
#include "system/system_definition.h"
#include "system/system_state.h"
#include "system/workers.h"

static void systems_free(kith_world *world, void *data)
{
    ki_systems *systems = data;
    ki_heap *heap = &world->store.context.heap;
    ki_workers_free(world, systems->workers);
    ki_observers_free_taken(systems, &systems->ready);
    ki_observers_free(systems);
    ki_profile_free(systems);
    for (uint32_t i = 0; i < systems->count; i++) {
        ki_system_free(world, systems->in_order[i]);
    }
    ki_phases_free(heap, &systems->phases);
    ki_map_free(heap, &systems->names);
    ki_map_free(heap, &systems->groups);
    ki_things_free(heap, &systems->things);
    ki_outputs_free(systems);
    ki_heap_free(heap, systems->in_order, ki_systems_bytes(systems->capacity),
                 _Alignof(max_align_t));
    ki_tasks_free(heap, &systems->tasks);
    ki_tasks_free(heap, &systems->loop_tasks);
    ki_condition_end(&systems->ended);
    ki_lock_end(&systems->lock);
    ki_lock_end(&systems->memory);
    ki_heap_free(heap, systems, sizeof *systems, _Alignof(ki_systems));
}

static const char *systems_check_lists(const ki_systems *systems)
{
    const ki_phases *phases = &systems->phases;
    for (uint32_t i = 0; i < systems->count; i++) {
        const ki_system *system = systems->in_order[i];
        if (system->phase->number >= phases->count ||
            phases->list[system->phase->number] != system->phase) {
            return "a system is in a phase that does not exist";
        }
        if (ki_system_find(systems, system->name) != system) {
            return "a system is not found by its name";
        }
        if (systems->sorted && system->place != i) {
            return "a system is not in its place";
        }
    }
    return NULL;
}

static const char *systems_check(const kith_world *world, const void *data)
{
    ki_systems *systems = (ki_systems *)(uintptr_t)data; /* the check uses its scratch */
    const char *wrong = systems_check_lists(systems);
    if (wrong == NULL && systems->built && (!systems->sorted || !ki_order_is_right(systems))) {
        wrong = "the systems are out of order";
    }
    wrong = wrong == NULL && systems->built ? ki_schedule_check(systems) : wrong;
    for (uint32_t i = 0; i < systems->outputs.count && wrong == NULL; i++) {
        if (systems->outputs.list[i]->sent.filling != NULL) {
            wrong = "an event that a system sent has not arrived";
        }
    }
    if (wrong != NULL) {
        return wrong;
    }
    return world->store.context.closed != NULL || world->store.columns.lock != NULL
               ? "the world is marked as running query systems"
               : NULL;
}

static const char *systems_busy(const void *data)
{
    const ki_systems *systems = data;
    return systems->running ? "kith_run" : systems->observing ? "kith_observers_flush" : NULL;
}

/* Hashes what decides about later ticks: which systems run, when, and in which order. It cannot
 * hash what their functions do. */
static uint64_t systems_hash(uint64_t hash, const void *data)
{
    ki_systems *systems = (ki_systems *)(uintptr_t)data;
    ki_order_sort(systems);
    hash = systems->count == 0 ? hash : ki_hash_u64(hash, systems->world->def.seed);
    for (uint32_t i = 0; i < systems->count; i++) {
        const ki_system_times times = ki_system_times_of(systems->in_order[i]);
        hash = ki_system_times_hash(hash, &times);
    }
    return hash;
}

/* Outputs have heaps of their own for events. Their buffers count as all buffers do. */
static void systems_count(const void *data, kith_memory_stats *stats)
{
    const ki_systems *systems = data;
    for (uint32_t i = 0; i < systems->outputs.count; i++) {
        stats->commands += systems->outputs.list[i]->heap.used;
        stats->allocations += systems->outputs.list[i]->heap.allocations;
    }
}

const ki_attachment_calls ki_systems_part = {.free = systems_free,
                                             .busy = systems_busy,
                                             .hash = systems_hash,
                                             .check = systems_check,
                                             .count = systems_count,
                                             .state = &ki_systems_state_calls};
