/* Calls about a type with hooks, which need memory too. */
#ifndef KITH_TEST_HOOK_CALLS_H
#define KITH_TEST_HOOK_CALLS_H

#include "stage.h"

kith_result set_hooked(stage *s);
kith_result set_new_hooked(stage *s);
kith_result add_hooked(stage *s);
kith_result set_several_hooked(stage *s);
kith_result spawn_hooked(stage *s);
kith_result spawn_many_hooked(stage *s);
kith_result clone_hooked(stage *s);
kith_result remove_hooked(stage *s);
kith_result move_hooked(stage *s);
kith_result clear_hooked(stage *s);
kith_result despawn_hooked(stage *s);
kith_result write_hooked(stage *s);
kith_result resource_hooked(stage *s);
kith_result event_hooked(stage *s);

#endif
