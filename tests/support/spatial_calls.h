/* What the table of calls that can fail (calls.h) does with spatial indexes. */
#ifndef KITH_TEST_SPATIAL_CALLS_H
#define KITH_TEST_SPATIAL_CALLS_H

#include "stage.h"

/* What comes before: an index of Position that was not asked yet; or that was, and then most moved. */
void spatial_call_prepare(stage *s);
void spatial_call_prepare_moved(stage *s);

kith_result spatial_call_box(stage *s);
kith_result spatial_call_radius(stage *s);
kith_result spatial_call_nearest(stage *s);
kith_result spatial_call_along(stage *s);
kith_result spatial_call_pairs(stage *s);

#endif
