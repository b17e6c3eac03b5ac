/* What the table of calls that can fail (calls.h) does with snapshots. */
#ifndef KITH_TEST_SNAPSHOT_CALLS_H
#define KITH_TEST_SNAPSHOT_CALLS_H

#include "stage.h"

/* What comes before: no snapshot; none, and things that go back with the world; one, and then changes;
 * one, and then nothing is left of the world; two, before and after changes; one, with texts; two, with
 * the difference as bytes; one, and what has no bytes despawned; that, saved and gone back. */
void snapshot_call_prepare_first(stage *s);
void snapshot_call_prepare_attached(stage *s);
void snapshot_call_prepare(stage *s);
void snapshot_call_prepare_restore(stage *s);
void snapshot_call_prepare_diff(stage *s);
void snapshot_call_prepare_view(stage *s);
void snapshot_call_prepare_apply(stage *s);
void snapshot_call_prepare_save(stage *s);
void snapshot_call_prepare_load(stage *s);

kith_result snapshot_call_take(stage *s);
kith_result snapshot_call_restore(stage *s);
kith_result snapshot_call_diff(stage *s);
kith_result snapshot_call_view(stage *s);
kith_result snapshot_call_fork(stage *s);
kith_result snapshot_call_diff_bytes(stage *s);
kith_result snapshot_call_apply(stage *s);
kith_result snapshot_call_save(stage *s);
kith_result snapshot_call_load(stage *s);
kith_result snapshot_call_save_file(stage *s);
kith_result snapshot_call_load_file(stage *s);

#endif
