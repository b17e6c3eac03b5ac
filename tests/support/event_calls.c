#include "event_calls.h"

#include <kith/kith.h>

kith_result event_call_send_from(stage *s)
{
    uint32_t count = kith_event_count(s->world, &Position_type);
    Position expected = *KITH_EVENT(s->world, count - 1, Position);
    kith_result result =
        kith_event_send(s->world, &Position_type, KITH_EVENT(s->world, count - 1, Position));
    if (result == KITH_OK) {
        CHECK_FLOAT(KITH_EVENT(s->world, count, Position)->x, expected.x);
        CHECK_FLOAT(KITH_EVENT(s->world, count, Position)->y, expected.y);
    }
    return result;
}

kith_result event_call_register(stage *s)
{
    return kith_event_register(s->world, &Extra_type, &(kith_event_def){.keep = 2});
}

kith_result event_call_send_first(stage *s)
{
    return KITH_SEND(s->world, Extra, {1, 2, 3});
}

kith_result event_call_send_more(stage *s)
{
    return KITH_SEND(s->world, Position, {1, 2});
}

/* Those behind the first fill a block and begin another. */
kith_result event_call_send_many_more(stage *s)
{
    static Position values[3000];
    values[2999].x = 7;
    uint32_t count = kith_event_count(s->world, &Position_type);
    kith_result result = kith_event_send_many(s->world, &Position_type, values, 3000);
    CHECK_UINT(kith_event_count(s->world, &Position_type), count + (result == KITH_OK ? 3000 : 0));
    if (result == KITH_OK) {
        CHECK_FLOAT(KITH_EVENT(s->world, count + 2999, Position)->x, 7);
    }
    return result;
}

kith_result event_call_send_many_first(stage *s)
{
    return kith_event_send_many(s->world, &Extra_type, NULL, 3);
}

/* What is reserved can be sent, whatever memory there is. */
kith_result event_call_reserve_first(stage *s)
{
    kith_result result = kith_event_reserve(s->world, &Extra_type, 2000);
    if (result != KITH_OK) {
        return result;
    }
    fail_from(&s->f, 1);
    CHECK_RESULT(kith_event_send_many(s->world, &Extra_type, NULL, 2000), KITH_OK);
    CHECK(!fail_nothing(&s->f));
    return KITH_OK;
}

kith_result event_call_reserve_more(stage *s)
{
    return kith_event_reserve(s->world, &Position_type, 3000);
}

kith_result event_call_resource_add(stage *s)
{
    return KITH_RESOURCE_SET(s->world, Big, {.words = {1}});
}

kith_result event_call_resource_over(stage *s)
{
    return KITH_RESOURCE_SET(s->world, Health, {1, 2});
}

kith_result event_call_resource_get_mut(stage *s)
{
    void *value = s;
    kith_result result = kith_resource_get_mut(s->world, &Health_type, &value);
    CHECK_INT(value == s, result != KITH_OK);
    if (result == KITH_OK) {
        ((Health *)value)->max = 77;
    }
    return result;
}

kith_result event_call_resource_mut(stage *s)
{
    Health *value = KITH_RESOURCE_MUT(s->world, Health);
    if (value != NULL) {
        value->max = 77;
    }
    return value == NULL ? KITH_ERR_MEMORY : KITH_OK;
}
