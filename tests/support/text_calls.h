/* Calls about interned texts, on a stage. */
#ifndef KITH_TEST_TEXT_CALLS_H
#define KITH_TEST_TEXT_CALLS_H

#include "label.h"
#include "stage.h"

kith_result text_call_intern(stage *s);
kith_result text_call_intern_long(stage *s);
kith_result text_call_parse(stage *s);
kith_result text_call_parse_entity(stage *s);
uint64_t text_call_ask(stage *s);
uint64_t text_call_ask_error(stage *s);
kith_result text_call_select(stage *s);
kith_result text_call_bind(stage *s);
kith_result text_call_run(stage *s);
void text_call_prepare_select(stage *s);
void text_call_prepare_sums(stage *s);
kith_result text_call_query(stage *s);
kith_result text_call_tidy(stage *s);

/* Has Label registered, and as many texts as there is room for before something grows. */
void text_call_prepare(stage *s);
void text_call_prepare_label(stage *s);
kith_result text_call_parse_field(stage *s);

#endif
