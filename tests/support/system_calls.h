/* What the tables of calls (calls.h) do with systems, workers, profiles and observers. */
#ifndef KITH_TEST_SYSTEM_CALLS_H
#define KITH_TEST_SYSTEM_CALLS_H

#include "stage.h"

kith_result system_call_add(stage *s);
kith_result system_call_add_query(stage *s);
kith_result system_call_replace(stage *s);
void system_call_prepare_bind(stage *s);
kith_result system_call_bind(stage *s);
kith_result system_call_phase_add(stage *s);
kith_result system_call_workers_of_the_host(stage *s);
kith_result system_call_workers_of_kith(stage *s);
kith_result system_call_profile_start(stage *s);
kith_result system_call_observer_new(stage *s);
kith_result system_call_observer_of_values(stage *s);
kith_result system_call_observer_of_matches(stage *s);
kith_result system_call_observe(stage *s);

/* What comes before the one that observes. */
void system_call_burn_all(stage *s);

#endif
