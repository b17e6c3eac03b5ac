/* What the table of calls that can fail (calls.h) does with events and resources. */
#ifndef KITH_TEST_EVENT_CALLS_H
#define KITH_TEST_EVENT_CALLS_H

#include "stage.h"

kith_result event_call_send_from(stage *s);
kith_result event_call_register(stage *s);
kith_result event_call_send_first(stage *s);
kith_result event_call_send_more(stage *s);
kith_result event_call_send_many_more(stage *s);
kith_result event_call_send_many_first(stage *s);
kith_result event_call_reserve_first(stage *s);
kith_result event_call_reserve_more(stage *s);
kith_result event_call_resource_add(stage *s);
kith_result event_call_resource_over(stage *s);
kith_result event_call_resource_get_mut(stage *s);
kith_result event_call_resource_mut(stage *s);

#endif
