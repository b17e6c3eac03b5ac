/* What the tables of calls (calls.h) ask of systems, schedules, observers and profiles. None of it
 * takes memory. */
#ifndef KITH_TEST_SYSTEM_ASKS_H
#define KITH_TEST_SYSTEM_ASKS_H

#include "stage.h"

uint64_t system_ask_remove(stage *s);
uint64_t system_ask_enable(stage *s);
uint64_t system_ask_explain(stage *s);
uint64_t system_ask_observed_values(stage *s);
uint64_t system_ask_observed_value(stage *s);
uint64_t system_ask_observer_free(stage *s);
uint64_t system_ask_profile_stop(stage *s);
uint64_t system_ask_profile_system(stage *s);
uint64_t system_ask_profile_trace(stage *s);
uint64_t system_ask_group_enable(stage *s);
uint64_t system_ask_schedule_build(stage *s);
uint64_t system_ask_schedule_print(stage *s);
uint64_t system_ask_schedule_dot(stage *s);
uint64_t system_ask_phase_at(stage *s);
uint64_t system_ask_thread_count(stage *s);
uint64_t system_ask_at(stage *s);

#endif
