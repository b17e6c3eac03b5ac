/* What the tables of calls (calls.h) do with links of KITH_LINKS, and with conditions about two
 * entities. */
#ifndef KITH_TEST_LINK_CALLS_H
#define KITH_TEST_LINK_CALLS_H

#include "stage.h"

/* Links between entities of the stage. */
void link_call_prepare(stage *s);

kith_result link_call_spawn(stage *s); /* also the first use of the type */
kith_result link_call_spawn_many(stage *s);
kith_result link_call_set(stage *s);
kith_result link_call_set_field(stage *s);
kith_result link_call_remove(stage *s);
kith_result link_call_despawn(stage *s);
kith_result link_call_despawn_end(stage *s);
kith_result link_call_despawn_pulled(stage *s);
kith_result link_call_clone(stage *s);
kith_result link_call_transfer(stage *s);
kith_result link_call_apply(stage *s);
kith_result link_call_query(stage *s);
kith_result link_call_query_way(stage *s);
kith_result link_call_query_text(stage *s);

#endif
