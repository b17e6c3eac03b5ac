/* What the tables of calls (calls.h) do with command buffers. */
#ifndef KITH_TEST_COMMAND_CALLS_H
#define KITH_TEST_COMMAND_CALLS_H

#include "stage.h"

kith_result command_call_new(stage *s);

/* Each fills a buffer of its own, and frees it. */
kith_result command_call_one_spawn(stage *s);
kith_result command_call_17_spawns(stage *s);
kith_result command_call_large_spawn(stage *s);
kith_result command_call_clones(stage *s);
kith_result command_call_clone_trees(stage *s);
kith_result command_call_set_small(stage *s);
kith_result command_call_set_large(stage *s);
kith_result command_call_set_several(stage *s);
kith_result command_call_set_bytes(stage *s);
kith_result command_call_adds(stage *s);
kith_result command_call_removes(stage *s);
kith_result command_call_clears(stage *s);
kith_result command_call_despawns(stage *s);
kith_result command_call_hooked(stage *s);
kith_result command_call_new_types(stage *s);

/* Each also applies it. */
kith_result command_call_apply_17_spawns(stage *s);
kith_result command_call_apply_large_spawn(stage *s);
kith_result command_call_apply_clones(stage *s);
kith_result command_call_apply_clone_trees(stage *s);
kith_result command_call_apply_set_large(stage *s);
kith_result command_call_apply_removes(stage *s);
kith_result command_call_apply_clears(stage *s);
kith_result command_call_apply_despawns(stage *s);
kith_result command_call_apply_mix(stage *s);
kith_result command_call_apply_for_all(stage *s);
kith_result command_call_apply_many_spawns(stage *s);
kith_result command_call_apply_handles(stage *s);
kith_result command_call_apply_new_types(stage *s);
kith_result command_call_apply_overwriting(stage *s);
kith_result command_call_apply_hooked(stage *s);
kith_result command_call_apply_links(stage *s);

/* What comes before the one with handles in values. */
void command_call_register_target(stage *s);

/* A safe call: the same answer for the same stage. */
uint64_t command_call_ask(stage *s);

#endif
