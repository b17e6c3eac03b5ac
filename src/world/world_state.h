/* What a snapshot holds of a world besides the columns of its store and the parts above: small state,
 * which is copied. Trackers of the program are not in it: a restore tells them the difference. */
#ifndef KI_WORLD_WORLD_STATE_H
#define KI_WORLD_WORLD_STATE_H

#include "world/world.h"

/* Resources, events, exact changes, and what observers have not been told. */
extern const ki_state_calls ki_world_state_calls;

/* Gives another world copies of what is in such a state; its entities are those of the view, and its
 * components and observers have the same numbers. Errors as of `reserve`: it has a part. */
kith_result ki_world_state_enter(kith_world *fork, const void *data,
                                 const struct ki_store_view *store);

/* The resources and the queues in such a state. */
ki_kept_list *ki_world_state_resources(void *state);
ki_kept_list *ki_world_state_queues(void *state);

/* ---- Lists of resources and of queues. */

/* Makes one ki_kept_list_add certain. KITH_ERR_MEMORY. */
kith_result ki_kept_list_reserve(kith_world *world, ki_kept_list *list);
void ki_kept_list_add(ki_kept_list *list, ki_kept *kept);

/* Frees the list, not what is in it. */
void ki_kept_list_free(kith_world *world, ki_kept_list *list);

/* ---- Resources. A list that could not be filled is empty. Types with hooks have `copy`. */

kith_result ki_resources_take(kith_world *world, ki_kept_list *taken);
kith_result ki_resources_reserve(kith_world *world, const ki_kept_list *taken, ki_kept_list *ready);
void ki_resources_restore(kith_world *world, ki_kept_list *ready);
void ki_resources_release(kith_world *world, ki_kept_list *resources);

/* ---- Events */

ki_kept_list ki_world_queues(const kith_world *world);
void ki_queue_free(kith_world *world, ki_queue *queue);

kith_result ki_events_take(kith_world *world, ki_kept_list *taken);
kith_result ki_events_reserve(kith_world *world, const ki_kept_list *taken, ki_kept_list *ready);
void ki_events_restore(kith_world *world, ki_kept_list *ready);
void ki_events_release(kith_world *world, ki_kept_list *queues);

#endif
