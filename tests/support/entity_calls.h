/* What the tables of calls (calls.h) do with entities and their values. */
#ifndef KITH_TEST_ENTITY_CALLS_H
#define KITH_TEST_ENTITY_CALLS_H

#include "stage.h"

kith_result entity_call_spawn_known(stage *s);
kith_result entity_call_spawn_new_kind(stage *s);
kith_result entity_call_spawn_nothing(stage *s);
kith_result entity_call_spawn_or_none(stage *s);
kith_result entity_call_spawn_empty(stage *s);
kith_result entity_call_spawn_few(stage *s);
kith_result entity_call_spawn_blocks(stage *s);
kith_result entity_call_spawn_from(stage *s);
kith_result entity_call_set_from(stage *s);
kith_result entity_call_transfer_full(stage *s);
kith_result entity_call_attach_thing(stage *s);
void entity_call_attach_prepare(stage *s);
kith_result entity_call_attach_again(stage *s);
kith_result entity_call_clone_plain(stage *s);
kith_result entity_call_clone_or_none(stage *s);
kith_result entity_call_clone_tree_or_none(stage *s);
kith_result entity_call_clone_full(stage *s);
kith_result entity_call_despawn_plain(stage *s);
kith_result entity_call_despawn_full(stage *s);
kith_result entity_call_despawn_several(stage *s);
kith_result entity_call_despawn_all(stage *s);
kith_result entity_call_set_over(stage *s);
kith_result entity_call_set_known_kind(stage *s);
kith_result entity_call_set_new_kind(stage *s);
kith_result entity_call_set_several(stage *s);
kith_result entity_call_set_several_over(stage *s);
kith_result entity_call_set_bytes(stage *s);
kith_result entity_call_set_bytes_over(stage *s);
kith_result entity_call_add_tag(stage *s);
kith_result entity_call_add_value(stage *s);
kith_result entity_call_remove_value(stage *s);
kith_result entity_call_remove_tag(stage *s);
kith_result entity_call_clear_full(stage *s);
kith_result entity_call_clear_plain(stage *s);
kith_result entity_call_get_mut(stage *s);
kith_result entity_call_get_mut_or_null(stage *s);

#endif
