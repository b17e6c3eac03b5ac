/* Only the thread that calls kith_run notes anything. */
#include <kith/floats.h>

#include "system/profile.h"

#include <kith/clock.h>

static size_t profile_bytes(uint32_t spans)
{
    return sizeof(ki_profile) + ki_heap_bytes(spans, sizeof(ki_span));
}

void ki_profile_free(ki_systems *systems)
{
    ki_profile *profile = systems->profile;
    ki_heap *heap = &systems->world->store.context.heap;
    if (profile == NULL) {
        return;
    }
    for (uint32_t i = 0; i < profile->name_count; i++) {
        ki_heap_free_text(heap, profile->names[i]);
    }
    ki_heap_free(heap, profile->names, profile->name_capacity * sizeof *profile->names,
                 _Alignof(max_align_t));
    ki_heap_free(heap, profile, profile_bytes(profile->capacity), _Alignof(ki_profile));
    systems->profile = NULL;
}

kith_result kith_profile_start(kith_world *world, uint32_t spans)
{
    KI_TRY(ki_world_require_owner(world, "kith_profile_start"));
    if (KI_CHECKED && ki_systems_run(world)) {
        return ki_misuse(&world->store.context,
                         "kith_profile_start: kith_run is under way; start between ticks");
    }
    ki_systems *systems = ki_systems_make(world);
    ki_profile *profile = systems == NULL
                              ? NULL
                              : ki_heap_alloc_zeroed(&world->store.context.heap,
                                                     profile_bytes(spans), _Alignof(ki_profile));
    if (profile == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_profile_free(systems);
    profile->capacity = spans;
    profile->start = kith_clock_now();
    systems->profile = profile;
    for (uint32_t i = 0; i < systems->count; i++) {
        systems->in_order[i]->stats = (kith_system_stats){0};
        systems->in_order[i]->profile_name = 0;
    }
    return KITH_OK;
}

void kith_profile_stop(kith_world *world)
{
    if (ki_world_require_owner(world, "kith_profile_stop") != KITH_OK) {
        return;
    }
    if (KI_CHECKED && ki_systems_run(world)) {
        ki_misuse(&world->store.context,
                  "kith_profile_stop: kith_run is under way; stop between ticks");
        return;
    }
    if (ki_systems_of(world) != NULL) {
        ki_profile_free(ki_systems_of(world));
    }
}

kith_result kith_profile_system(const kith_world *world, const char *name, kith_system_stats *stats)
{
    KI_TRY(ki_world_require_owner(world, "kith_profile_system"));
    if (KI_CHECKED && (name == NULL || stats == NULL)) {
        return ki_misuse(ki_world_error_context(world),
                         "kith_profile_system: the name, or the place for the numbers, is NULL");
    }
    const ki_systems *systems = ki_systems_of(world);
    const ki_system *system = ki_system_find(systems, name);
    if (system == NULL) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_UNKNOWN);
    }
    if (systems->profile == NULL) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_ABSENT);
    }
    *stats = system->stats;
    return KITH_OK;
}

/* ---- Noting ---------------------------------------------------------------------------------- */

/* 1 + the index of the system's name, which may outlive the system; 0: out of memory. */
static uint32_t profile_name(ki_systems *systems, ki_system *system)
{
    ki_profile *profile = systems->profile;
    ki_heap *heap = &systems->world->store.context.heap;
    if (system->profile_name == 0 &&
        ki_heap_grow(heap, &profile->names, &profile->name_capacity, profile->name_count + 1,
                     sizeof *profile->names, 8) == KITH_OK) {
        char *name = ki_heap_copy_text(heap, system->name);
        if (name != NULL) {
            profile->names[profile->name_count++] = name;
            system->profile_name = profile->name_count;
        }
    }
    return system->profile_name;
}

/* Keeps a span for the trace. */
static void profile_keep(ki_systems *systems, ki_system *system, ki_span span)
{
    ki_profile *profile = systems->profile;
    if (profile->capacity == 0) {
        return;
    }
    uint32_t name = profile_name(systems, system);
    if (name == 0) {
        profile->nameless++;
        return;
    }
    span.name = name - 1;
    span.began -= profile->start;
    span.tick = systems->world->tick;
    profile->spans[profile->count++ % profile->capacity] = span;
}

void ki_profile_stage(ki_profile *profile)
{
    profile->stage = kith_clock_now();
}

/* Resets what is about the last tick only. */
static kith_system_stats *profile_begin(ki_systems *systems, ki_system *system)
{
    kith_system_stats *stats = &system->stats;
    *stats = (kith_system_stats){
        .runs = stats->runs + 1, .total = stats->total, .tick = systems->world->tick};
    return stats;
}

void ki_profile_tasks(ki_systems *systems, ki_system *system)
{
    kith_system_stats *stats = profile_begin(systems, system);
    double first = 0;
    double last = 0;
    for (uint32_t i = 0; i < system->task_count; i++) {
        const ki_task *task = &systems->tasks.list[system->first_task + i];
        first = i == 0 || task->began < first ? task->began : first;
        last = task->done > last ? task->done : last;
        stats->busy += task->done - task->began;
        stats->batches += task->batches;
        stats->entities += task->entities;
        profile_keep(systems, system,
                     (ki_span){.began = task->began,
                               .lasted = task->done - task->began,
                               .entities = task->entities,
                               .batches = task->batches,
                               .worker = (uint16_t)task->worker});
    }
    stats->calls = system->task_count;
    stats->wait = system->task_count == 0 ? 0 : first - systems->profile->stage;
    stats->elapsed = last - first;
    stats->total += stats->busy;
    ki_outputs_count(systems, system, &stats->commands, &stats->events);
}

void ki_profile_applied(ki_systems *systems, ki_system *system, double began)
{
    system->stats.apply = kith_clock_now() - began;
    profile_keep(systems, system,
                 (ki_span){.began = began, .lasted = system->stats.apply, .applies = true});
}
