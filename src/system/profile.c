/* Profiles: times and counts of systems, noted by the thread that runs the tick. */
#include <kith/floats.h>

#include <kith/clock.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "system/system.h"

/* A slice of a trace. */
typedef struct profile_span {
    double began; /* since measuring began */
    double lasted;
    uint64_t tick;
    uint64_t entities;
    uint32_t name;
    uint32_t batches;
    uint16_t thread;
    bool applies; /* it is what was queued that is done */
} profile_span;

struct ki_profile {
    double start;
    double stage; /* when the stage began */
    char **names; /* of systems that ran, also of those that are gone */
    uint32_t name_count;
    uint32_t name_capacity;
    uint32_t capacity;
    uint64_t count;    /* spans that were noted; the newest are kept, in a ring */
    uint64_t nameless; /* for whose name there was no memory */
    profile_span spans[];
};

static size_t profile_bytes(uint32_t spans)
{
    return sizeof(ki_profile) + ki_heap_bytes(spans, sizeof(profile_span));
}

void ki_profile_free(ki_systems *systems)
{
    ki_profile *profile = systems->profile;
    ki_heap *heap = &systems->world->store.context.heap;
    if (profile == NULL) {
        return;
    }
    for (uint32_t i = 0; i < profile->name_count; i++) {
        ki_heap_give_text(heap, profile->names[i]);
    }
    ki_heap_give(heap, profile->names, profile->name_capacity * sizeof *profile->names,
                 _Alignof(max_align_t));
    ki_heap_give(heap, profile, profile_bytes(profile->capacity), _Alignof(ki_profile));
    systems->profile = NULL;
}

kith_result kith_profile_start(kith_world *world, uint32_t spans)
{
    KI_REQUIRE_OWNER(world, "kith_profile_start", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, !world->running, KITH_ERR_MISUSE,
                 "kith_profile_start: kith_run is under way; start between ticks");
    ki_systems *systems = ki_systems_make(world);
    ki_profile *profile = systems == NULL
                              ? NULL
                              : ki_heap_take_zeroed(&world->store.context.heap,
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
    KI_REQUIRE_OWNER(world, "kith_profile_stop", );
    KITH_REQUIRE(&world->store.context, !world->running, ,
                 "kith_profile_stop: kith_run is under way; stop between ticks");
    if (ki_systems_of(world) != NULL) {
        ki_profile_free(ki_systems_of(world));
    }
}

kith_result kith_profile_system(const kith_world *world, const char *name, kith_system_stats *stats)
{
    KI_REQUIRE_OWNER(world, "kith_profile_system", KITH_ERR_MISUSE);
    KITH_REQUIRE(ki_world_judge(world), name != NULL && stats != NULL, KITH_ERR_MISUSE,
                 "kith_profile_system: the name, or the place for the numbers, is NULL");
    const ki_systems *systems = ki_systems_of(world);
    const ki_system *system = ki_system_find(systems, name);
    if (system == NULL) {
        return ki_untold(&world->store.context.heap, KITH_ERR_UNKNOWN);
    }
    if (systems->profile == NULL) {
        return ki_untold(&world->store.context.heap, KITH_ERR_ABSENT);
    }
    *stats = system->stats;
    return KITH_OK;
}

/* ---- Noting ---------------------------------------------------------------------------------- */

/* The number of the system's name, which may outlive the system; 0 if there is no memory for it. */
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

static void profile_keep(ki_systems *systems, ki_system *system, profile_span span)
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

static kith_system_stats *profile_begin(ki_systems *systems, ki_system *system)
{
    kith_system_stats *stats = &system->stats;
    *stats = (kith_system_stats){
        .runs = stats->runs + 1, .total = stats->total, .tick = systems->world->tick};
    return stats;
}

void ki_profile_plain(ki_systems *systems, ki_system *system)
{
    double began = systems->profile->stage;
    kith_system_stats *stats = profile_begin(systems, system);
    stats->calls = 1;
    stats->busy = stats->elapsed = kith_clock_now() - began;
    stats->total += stats->busy;
    profile_keep(systems, system, (profile_span){.began = began, .lasted = stats->busy});
}

void ki_profile_tasks(ki_systems *systems, ki_system *system)
{
    kith_system_stats *stats = profile_begin(systems, system);
    double first = 0;
    double last = 0;
    for (uint32_t i = 0; i < system->task_count; i++) {
        const ki_task *task = &systems->tasks[system->first_task + i];
        first = i == 0 || task->began < first ? task->began : first;
        last = task->done > last ? task->done : last;
        stats->busy += task->done - task->began;
        stats->batches += task->batches;
        stats->entities += task->entities;
        profile_keep(systems, system,
                     (profile_span){.began = task->began,
                                    .lasted = task->done - task->began,
                                    .entities = task->entities,
                                    .batches = task->batches,
                                    .thread = (uint16_t)task->member});
    }
    stats->calls = system->task_count;
    stats->wait = system->task_count == 0 ? 0 : first - systems->profile->stage;
    stats->elapsed = last - first;
    stats->total += stats->busy;
    ki_outboxes_count(systems, system, &stats->commands, &stats->events);
}

void ki_profile_applied(ki_systems *systems, ki_system *system, double began)
{
    system->stats.apply = kith_clock_now() - began;
    profile_keep(systems, system,
                 (profile_span){.began = began, .lasted = system->stats.apply, .applies = true});
}

/* ---- As a trace ------------------------------------------------------------------------------ */

/* A text on its way out, in pieces. */
typedef struct profile_text {
    bool (*write)(const char *text, size_t length, void *context);
    void *context;
    bool ended; /* by whoever reads */
    size_t length;
    char text[1024];
} profile_text;

static void profile_flush(profile_text *out)
{
    if (!out->ended && out->length != 0) {
        out->ended = !out->write(out->text, out->length, out->context);
    }
    out->length = 0;
}

KITH_FORMAT_(2, 3) static void profile_write(profile_text *out, const char *format, ...)
{
    if (out->length > sizeof out->text - 200) {
        profile_flush(out);
    }
    char *place = out->text + out->length;
    va_list arguments;
    va_start(arguments, format);
    ki_format(place, sizeof out->text - out->length, format, arguments);
    va_end(arguments);
    out->length += strlen(place);
}

static void profile_write_name(profile_text *out, const char *name)
{
    const unsigned char *at = (const unsigned char *)name;
    for (size_t left = strlen(name), size = 1; left > 0; at += size, left -= size) {
        size = *at < 0x80 ? 1 : ki_utf8_length(at, left);
        if (size == 0) {
            size = 1;
            profile_write(out, "\\ufffd"); /* JSON has no other bytes than UTF-8 */
        } else if (*at < 0x20) {
            profile_write(out, "\\u%04x", *at);
        } else {
            profile_write(out, "%s%.*s", *at == '"' || *at == '\\' ? "\\" : "", (int)size,
                          (const char *)at);
        }
    }
}

/* Microseconds with three digits behind the point, whatever the locale says about that. */
static void profile_write_time(profile_text *out, const char *key, double seconds)
{
    uint64_t ns = seconds > 0 ? (uint64_t)(seconds * 1e9) : 0;
    profile_write(out, ",\"%s\":%llu.%03u", key, (unsigned long long)(ns / 1000),
                  (unsigned)(ns % 1000));
}

static void profile_write_span(profile_text *out, const ki_profile *profile,
                               const profile_span *span)
{
    profile_write(out, ",\n{\"name\":\"");
    profile_write_name(out, profile->names[span->name]);
    profile_write(out, "%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":1,\"tid\":%u",
                  span->applies ? ": commands" : "", span->applies ? "apply" : "system",
                  span->thread);
    profile_write_time(out, "ts", span->began);
    profile_write_time(out, "dur", span->lasted);
    profile_write(out, ",\"args\":{\"tick\":%llu,\"batches\":%u,\"entities\":%llu}}",
                  (unsigned long long)span->tick, span->batches,
                  (unsigned long long)span->entities);
}

kith_result kith_profile_trace(const kith_world *world,
                               bool (*write)(const char *text, size_t length, void *context),
                               void *context)
{
    KI_REQUIRE_OWNER(world, "kith_profile_trace", KITH_ERR_MISUSE);
    KITH_REQUIRE(ki_world_judge(world), write != NULL, KITH_ERR_MISUSE,
                 "kith_profile_trace: the function to write with is NULL");
    const ki_systems *systems = ki_systems_of(world);
    if (systems == NULL || systems->profile == NULL) {
        return ki_untold(&world->store.context.heap, KITH_ERR_ABSENT);
    }
    const ki_profile *profile = systems->profile;
    uint64_t first = profile->count > profile->capacity ? profile->count - profile->capacity : 0;
    profile_text out = {.write = write, .context = context};
    profile_write(&out,
                  "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"lost\":%llu},"
                  "\"traceEvents\":[\n",
                  (unsigned long long)first + (unsigned long long)profile->nameless);
    for (uint32_t i = 0; i <= ki_crew_count(systems->crew); i++) {
        profile_write(&out,
                      "%s{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%u,"
                      "\"args\":{\"name\":\"%s %u\"}}",
                      i == 0 ? "" : ",\n", i, i == 0 ? "kith_run" : "worker", i);
    }
    for (uint64_t i = first; i < profile->count && !out.ended; i++) {
        profile_write_span(&out, profile, &profile->spans[i % profile->capacity]);
    }
    profile_write(&out, "\n]}\n");
    profile_flush(&out);
    return out.ended ? ki_untold(&world->store.context.heap, KITH_ERR_SYSTEM) : KITH_OK;
}
