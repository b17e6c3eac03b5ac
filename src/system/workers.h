/* Workers: threads that help the thread that calls kith_run. */
#ifndef KI_SYSTEM_WORKERS_H
#define KI_SYSTEM_WORKERS_H

#include <kith/schedule.h>

typedef struct ki_workers ki_workers;

/* How many there are; NULL: none. */
uint32_t ki_workers_count(const ki_workers *workers);

/* Calls `work` on this thread with 0 and on `helpers` workers with 1 and up. Returns after all
 * calls have returned. */
void ki_workers_run(ki_workers *workers, uint32_t helpers,
                    void (*work)(void *context, uint32_t worker), void *context);

void ki_workers_free(kith_world *world, ki_workers *workers);

#endif
