/* What the tables of calls (calls.h) do with scenes, prefabs and readers of texts. */
#ifndef KITH_TEST_SCENE_CALLS_H
#define KITH_TEST_SCENE_CALLS_H

#include "stage.h"

/* What comes before: a type whose values name entities. */
void scene_call_prepare(stage *s);
void scene_call_prepare_save(stage *s);

kith_result scene_call_load(stage *s);
kith_result scene_call_load_file(stage *s);
kith_result scene_call_parse(stage *s);
kith_result scene_call_read_file(stage *s);
kith_result scene_call_spawn(stage *s);
kith_result scene_call_new(stage *s);
kith_result scene_call_spawn_resources(stage *s);
kith_result scene_call_add(stage *s);
kith_result scene_call_set_name(stage *s);
kith_result scene_call_prefab_spawn(stage *s);
kith_result scene_call_prefab_spawn_or_none(stage *s);
kith_result scene_call_prefab_spawn_many(stage *s);
kith_result scene_call_prefab_queue(stage *s);
kith_result scene_call_load_trees(stage *s);
kith_result scene_call_prefab_spawn_trees(stage *s);
kith_result scene_call_prefab_spawn_parts(stage *s);
kith_result scene_call_prefab_queue_parts(stage *s);
kith_result scene_call_save(stage *s);
kith_result scene_call_save_some(stage *s);
kith_result scene_call_save_file(stage *s);

/* All that needs no memory. */
uint64_t scene_call_ask(stage *s);

#endif
