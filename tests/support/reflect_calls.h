/* What the tables of calls (calls.h) do with definitions, fields and texts. */
#ifndef KITH_TEST_REFLECT_CALLS_H
#define KITH_TEST_REFLECT_CALLS_H

#include "stage.h"

kith_result reflect_call_define(stage *s);
kith_result reflect_call_define_relation(stage *s);
kith_result reflect_call_define_many_fields(stage *s);
kith_result reflect_call_set_field(stage *s);
void reflect_call_prepare_sort(stage *s);
kith_result reflect_call_sort(stage *s);
kith_result reflect_call_sort_by_comparing(stage *s);
kith_result reflect_call_field_from_text(stage *s);
kith_result reflect_call_parse_value(stage *s);
kith_result reflect_call_parse_known(stage *s);
kith_result reflect_call_parse_new(stage *s);
kith_result reflect_call_parse_over(stage *s);

/* All that needs no memory. */
uint64_t reflect_call_ask(stage *s);

#endif
