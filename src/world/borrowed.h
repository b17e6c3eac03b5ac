/* What a view of a snapshot has of its world besides entities and components. It reads the values where
 * they are: they have to be there as long as the view is, and nobody may write them. */
#ifndef KI_WORLD_BORROWED_H
#define KI_WORLD_BORROWED_H

#include "world/world.h"

/* Makes all types of a world known to an empty view, as the same components, and all texts under the
 * same numbers. Types that come later are not. KITH_ERR_MEMORY: the view has a part. */
kith_result ki_borrow_types(kith_world *view, const kith_world *from);
kith_result ki_borrow_texts(kith_world *view, const kith_world *from);

/* Makes changes of the same types exact, of a world that knows the types of another and may be written.
 * KITH_ERR_MEMORY: some are. */
kith_result ki_borrow_exact_changes(kith_world *fork, const kith_world *from);

/* Gives a view that knows the types the resources and the queues of lists. KITH_ERR_MEMORY: it has a
 * part. */
kith_result ki_borrow_resources(kith_world *view, const ki_kept_list *from);
kith_result ki_borrow_queues(kith_world *view, const ki_kept_list *from);

#endif
