/* What the tables of calls (calls.h) do with types and tables. */
#ifndef KITH_TEST_TYPE_CALLS_H
#define KITH_TEST_TYPE_CALLS_H

#include "stage.h"

kith_result type_call_register_type(stage *s);
kith_result type_call_register_many(stage *s);
kith_result type_call_set_first(stage *s);
kith_result type_call_add_first(stage *s);
kith_result type_call_set_bytes_first(stage *s);
kith_result type_call_set_several_first(stage *s);
kith_result type_call_spawn_first(stage *s);
kith_result type_call_spawn_many_first(stage *s);
kith_result type_call_query_first(stage *s);
kith_result type_call_tracker_first(stage *s);
kith_result type_call_lookup_first(stage *s);
kith_result type_call_observer_first(stage *s);
kith_result type_call_system_first(stage *s);
kith_result type_call_table_memory(stage *s);
void type_call_exchange_tables(stage *s);
kith_result type_call_all_tables_memory(stage *s);

#endif
