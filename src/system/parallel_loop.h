/* Parallel loops: a plain system goes through a query with the help of the workers.
 *
 * Each is a parallel system that is in no list, for the length of the call. Its tasks run while the
 * one of the plain system waits. */
#ifndef KI_SYSTEM_PARALLEL_LOOP_H
#define KI_SYSTEM_PARALLEL_LOOP_H

#include <kith/system.h>

struct kith_task;

/* kith_system_parallel, for the call of a system that is under way. */
kith_result ki_parallel_loop_run(struct kith_task *task, const kith_iter *it, kith_query *query,
                                 void (*run)(kith_iter *it), void *user);

#endif
