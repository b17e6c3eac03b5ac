/* Exact changes of one component: what each entity's value was when anyone looked last, and when a
 * look first found it to be another. Brought up to date from the blocks that were written since, so
 * that no write has to say what it wrote. */
#ifndef KI_STORE_VALUE_DIFF_H
#define KI_STORE_VALUE_DIFF_H

#include "store/seen.h"

struct ki_store;
struct ki_component;

/* Makes the struct for exact changes of values of this size, and room for ki_value_diff_begin.
 * KITH_ERR_MEMORY. */
kith_result ki_value_diff_make(struct ki_store *store, uint32_t size, ki_value_diff **value_diff);

/* Makes the changes of a component exact. */
void ki_value_diff_begin(struct ki_store *store, struct ki_component *component,
                         ki_value_diff *value_diff);

/* The same in a fork, as they are in the world of another component of the type. KITH_ERR_MEMORY. */
kith_result ki_value_diff_fork(struct ki_store *store, struct ki_component *component,
                               const struct ki_component *from);

/* Looks at all blocks that were written since the last refresh; what it finds changed has changed
 * now. From the first time on the component has a change log, which tells of losses.
 * KITH_ERR_MEMORY: some was looked at, which does no harm. */
kith_result ki_value_diff_refresh(struct ki_store *store, struct ki_component *component);

/* Whether the value of an entity that has the component may have changed later than `looked`; exact
 * after a refresh. */
bool ki_value_diff_changed(const struct ki_store *store, const struct ki_component *component,
                           uint32_t index, uint64_t looked);

#endif
