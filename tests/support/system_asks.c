#include "system_asks.h"

#include <kith/profile.h>
#include <kith/schedule.h>

#include "mix.h"
#include "test.h"

uint64_t system_ask_remove(stage *s)
{
    return kith_system_remove(s->world, "look");
}

uint64_t system_ask_enable(stage *s)
{
    return kith_system_enable(s->world, "look", false);
}

uint64_t system_ask_explain(stage *s)
{
    size_t length = 0;
    uint64_t answer = kith_system_explain(s->world, "look", 0, NULL, 0, &length);
    answer = mix(answer, kith_system_explain(s->world, "look", 1, NULL, 0, NULL));
    return mix(answer, length);
}

uint64_t system_ask_observed_values(stage *s)
{
    const kith_entity full = s->full;
    const Byte value = {3};
    const kith_observed observed = {
        .world = s->world, .entities = &full, .count = 1, .type = &Byte_type, .values = &value};
    return KITH_COLUMN(&observed, Byte)->value;
}

uint64_t system_ask_observed_value(stage *s)
{
    const kith_entity full = s->full;
    const Byte values[] = {{3}, {4}};
    const kith_observed observed = {
        .world = s->world, .entities = &full, .count = 2, .type = &Byte_type, .values = values};
    return KITH_AT(&observed, 1, Byte)->value;
}

uint64_t system_ask_observer_free(stage *s)
{
    kith_observer_free(s->observer);
    s->observer = NULL;
    return 0;
}

uint64_t system_ask_profile_stop(stage *s)
{
    kith_profile_stop(s->world);
    return 0;
}

uint64_t system_ask_profile_system(stage *s)
{
    kith_system_stats stats;
    return kith_profile_system(s->world, "look", &stats);
}

static bool write_nowhere(const char *text, size_t length, void *context)
{
    (void)text;
    (void)length;
    (void)context;
    return true;
}

uint64_t system_ask_profile_trace(stage *s)
{
    return kith_profile_trace(s->world, write_nowhere, NULL);
}

uint64_t system_ask_group_enable(stage *s)
{
    return kith_system_group_enable(s->world, "lookers", false);
}

uint64_t system_ask_schedule_build(stage *s)
{
    return kith_schedule_build(s->world);
}

uint64_t system_ask_schedule_print(stage *s)
{
    char text[500];
    size_t length;
    CHECK_RESULT(kith_schedule_print(s->world, text, sizeof(text), &length), KITH_OK);
    return mix_text(length, text);
}

uint64_t system_ask_schedule_dot(stage *s)
{
    char text[500];
    size_t length;
    CHECK_RESULT(kith_schedule_dot(s->world, text, sizeof(text), &length), KITH_OK);
    return mix_text(length, text);
}

uint64_t system_ask_phase_at(stage *s)
{
    return mix_text(0, kith_phase_at(s->world, 3));
}

uint64_t system_ask_thread_count(stage *s)
{
    return kith_thread_count(s->world);
}

uint64_t system_ask_at(stage *s)
{
    return mix_text(0, kith_system_at(s->world, 0, NULL, NULL));
}
