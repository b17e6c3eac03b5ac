/* What the table of calls that can fail (calls.h) does with hashes and ordered indexes. */
#ifndef KITH_TEST_INDEX_CALLS_H
#define KITH_TEST_INDEX_CALLS_H

#include "stage.h"

kith_result index_call_new(stage *s);
kith_result index_call_new_or_null(stage *s);
kith_result index_call_find(stage *s);
kith_result index_call_new_by_function(stage *s);
kith_result index_call_new_filter(stage *s);
kith_result index_call_find_by_function(stage *s);
kith_result index_call_range(stage *s);
kith_result index_call_prefix(stage *s);
kith_result index_call_nearest(stage *s);

/* With unique keys. */
kith_result unique_call_new(stage *s);

/* And with live queries. */
kith_result live_call_new(stage *s);
kith_result live_call_next(stage *s);
kith_result live_call_again(stage *s);

#endif
