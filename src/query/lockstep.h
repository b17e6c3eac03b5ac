/* Lockstep: entities that were made together often lie in the same order in every storage. Then a run
 * of one storage is a run of another, and one comparison of handles answers for all its rows. */
#ifndef KI_QUERY_LOCKSTEP_H
#define KI_QUERY_LOCKSTEP_H

#include "query/driver.h"

/* How many of the `count` entities from `row` on have a component in consecutive rows, from row
 * `*first` of `*values` on. It may stop early: the number that it finds quickly. */
uint32_t ki_lockstep_count(const ki_driver *driver, const ki_component *component, uint32_t row,
                           uint32_t count, const ki_column **values, uint32_t *first);

/* How many of the `count` entities from `row` on lack a component. */
uint32_t ki_lockstep_absent(const ki_driver *driver, const ki_component *component, uint32_t row,
                            uint32_t count);

#endif
