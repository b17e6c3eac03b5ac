/* What the tables of calls (calls.h) do with relations and hierarchies. */
#ifndef KITH_TEST_RELATION_CALLS_H
#define KITH_TEST_RELATION_CALLS_H

#include "stage.h"

kith_result relation_call_set(stage *s);
kith_result relation_call_set_target(stage *s);
kith_result relation_call_set_value(stage *s);
kith_result relation_call_set_several(stage *s);
kith_result relation_call_set_field(stage *s);
kith_result relation_call_remove(stage *s);
kith_result relation_call_clear(stage *s);
kith_result relation_call_despawn_source(stage *s);
kith_result relation_call_despawn_parent(stage *s);
kith_result relation_call_despawn_target(stage *s);
kith_result relation_call_place(stage *s);
kith_result relation_call_place_last(stage *s);
kith_result relation_call_parent(stage *s);
kith_result relation_call_other_parent(stage *s);
kith_result relation_call_no_parent(stage *s);
kith_result relation_call_insert(stage *s);
kith_result relation_call_insert_new(stage *s);
kith_result relation_call_sort(stage *s);
kith_result relation_call_despawn_both(stage *s);
kith_result relation_call_spawn(stage *s);
kith_result relation_call_spawn_many(stage *s);
kith_result relation_call_clone(stage *s);
kith_result relation_call_clone_tree(stage *s);

/* A safe call: the same answer for the same stage. */
uint64_t relation_call_ask(stage *s);

#endif
