/* What the tables of calls (calls.h) do with queries and trackers. */
#ifndef KITH_TEST_QUERY_CALLS_H
#define KITH_TEST_QUERY_CALLS_H

#include "stage.h"

kith_result query_call_new(stage *s);
kith_result query_call_new_or_null(stage *s);
kith_result query_call_new_conditions(stage *s);
kith_result query_call_bind(stage *s);
kith_result query_call_iterate(stage *s);
kith_result query_call_iterate_rows(stage *s);
kith_result query_call_iterate_by_depth(stage *s);
kith_result query_call_iterate_one(stage *s);
kith_result query_call_iterate_first(stage *s);
kith_result query_call_iterate_again(stage *s);
kith_result query_call_iterate_changed(stage *s);
kith_result query_call_tracker_new(stage *s);
kith_result query_call_tracker_new_another(stage *s);
kith_result query_call_iterate_one_first(stage *s);

/* What comes before: so many new tables that a query finds them all again. */
void query_call_make_tables(stage *s);

#endif
