/* What the tables of calls (calls.h) do with values that are kept for an observer. */
#ifndef KITH_TEST_KEPT_CALLS_H
#define KITH_TEST_KEPT_CALLS_H

#include "stage.h"

kith_result kept_call_observer_new(stage *s);
kith_result kept_call_observer_also(stage *s);
kith_result kept_call_remove(stage *s);
kith_result kept_call_despawn(stage *s);
kith_result kept_call_clear(stage *s);
kith_result kept_call_despawn_many(stage *s);
kith_result kept_call_apply(stage *s);

/* What comes before them: values that are lost are kept from here on; then such changes are
 * queued; then they are applied. The same of what despawned entities had. */
void kept_call_keep(stage *s);
void kept_call_keep_also(stage *s);
void kept_call_end_one(stage *s);
void kept_call_queue(stage *s);
void kept_call_lose(stage *s);

#endif
