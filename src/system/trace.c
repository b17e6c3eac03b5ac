/* The profile as a trace: JSON in the trace event format. */
#include <kith/floats.h>

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "system/profile.h"
#include "system/workers.h"

/* Text on its way to the program, in pieces. */
typedef struct trace_text {
    bool (*write)(const char *text, size_t length, void *context);
    void *context;
    bool ended; /* `write` returned false */
    size_t length;
    char text[1024];
} trace_text;

static void trace_flush(trace_text *out)
{
    if (!out->ended && out->length != 0) {
        out->ended = !out->write(out->text, out->length, out->context);
    }
    out->length = 0;
}

KITH_FORMAT_(2, 3) static void trace_write(trace_text *out, const char *format, ...)
{
    if (out->length > sizeof out->text - 200) {
        trace_flush(out);
    }
    char *place = out->text + out->length;
    va_list arguments;
    va_start(arguments, format);
    ki_format(place, sizeof out->text - out->length, format, arguments);
    va_end(arguments);
    out->length += strlen(place);
}

static void trace_write_name(trace_text *out, const char *name)
{
    const unsigned char *at = (const unsigned char *)name;
    for (size_t left = strlen(name), size = 1; left > 0; at += size, left -= size) {
        size = *at < 0x80 ? 1 : ki_utf8_length(at, left);
        if (size == 0) {
            size = 1;
            trace_write(out, "\\ufffd"); /* JSON has no other bytes than UTF-8 */
        } else if (*at < 0x20) {
            trace_write(out, "\\u%04x", *at);
        } else {
            trace_write(out, "%s%.*s", *at == '"' || *at == '\\' ? "\\" : "", (int)size,
                        (const char *)at);
        }
    }
}

/* Microseconds with three decimals, and a point in every locale. */
static void trace_write_time(trace_text *out, const char *key, double seconds)
{
    uint64_t ns = seconds > 0 ? (uint64_t)(seconds * 1e9) : 0;
    trace_write(out, ",\"%s\":%llu.%03u", key, (unsigned long long)(ns / 1000),
                (unsigned)(ns % 1000));
}

static void trace_write_span(trace_text *out, const ki_profile *profile, const ki_span *span)
{
    trace_write(out, ",\n{\"name\":\"");
    trace_write_name(out, profile->names[span->name]);
    trace_write(out, "%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":1,\"tid\":%u",
                span->applies ? ": commands" : "", span->applies ? "apply" : "system",
                span->worker);
    trace_write_time(out, "ts", span->began);
    trace_write_time(out, "dur", span->lasted);
    trace_write(out, ",\"args\":{\"tick\":%llu,\"batches\":%u,\"entities\":%llu}}",
                (unsigned long long)span->tick, span->batches, (unsigned long long)span->entities);
}

kith_result kith_profile_trace(const kith_world *world,
                               bool (*write)(const char *text, size_t length, void *context),
                               void *context)
{
    KI_TRY(ki_world_require_owner(world, "kith_profile_trace"));
    if (KI_CHECKED && write == NULL) {
        return ki_misuse(ki_world_error_context(world),
                         "kith_profile_trace: the function to write with is NULL");
    }
    const ki_systems *systems = ki_systems_of(world);
    if (systems == NULL || systems->profile == NULL) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_ABSENT);
    }
    const ki_profile *profile = systems->profile;
    uint64_t first = profile->count > profile->capacity ? profile->count - profile->capacity : 0;
    trace_text out = {.write = write, .context = context};
    trace_write(&out,
                "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"lost\":%llu},"
                "\"traceEvents\":[\n",
                (unsigned long long)first + (unsigned long long)profile->nameless);
    for (uint32_t i = 0; i <= ki_workers_count(systems->workers); i++) {
        trace_write(&out,
                    "%s{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%u,"
                    "\"args\":{\"name\":\"%s %u\"}}",
                    i == 0 ? "" : ",\n", i, i == 0 ? "kith_run" : "worker", i);
    }
    for (uint64_t i = first; i < profile->count && !out.ended; i++) {
        trace_write_span(&out, profile, &profile->spans[i % profile->capacity]);
    }
    trace_write(&out, "\n]}\n");
    trace_flush(&out);
    return out.ended ? ki_without_message(&world->store.context.heap, KITH_ERR_SYSTEM) : KITH_OK;
}
