/* Kith: the schedule of a world's systems: phases, who waits for whom, and the threads that run
 * them. */
#ifndef KITH_SCHEDULE_H
#define KITH_SCHEDULE_H

#include <kith/system.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds a phase of yours right behind another one; NULL `behind`: before all others.
 * KITH_ERR_CONFLICT   there is a phase of that name
 * KITH_ERR_UNKNOWN    there is none of the name `behind`
 * KITH_ERR_INPUT      no name, or one of more than 127 bytes
 * KITH_ERR_MEMORY. Misuse from within kith_run. */
KITH_API kith_result kith_phase_add(kith_world *world, const char *name, const char *behind);

/* The phases in their order: NULL behind the last. */
KITH_API const char *kith_phase_at(const kith_world *world, uint32_t index);

/* Orders the systems, if that was not done since one was added, replaced or removed; kith_run does
 * so by itself. Needs no memory.
 * KITH_ERR_UNKNOWN    a system is to run before or after one that is not there
 * KITH_ERR_CONFLICT   systems wait for each other in a circle; or, with KITH_CONFLICTS_ERROR, two
 *                     systems conflict and nothing but their registration tells which comes first
 * In each case kith_error names the systems. Misuse from within kith_run. */
KITH_API kith_result kith_schedule_build(kith_world *world);

/* Describes the schedule, which is built if need be: stages, and which systems each one waits for
 * and why, except those that another of them waits for. Like snprintf: writes at most `size` bytes
 * with the zero at the end (`text` may be NULL where that is 0), and `*length` gets the length of
 * the whole text. What kith_schedule_build returns. */
KITH_API kith_result kith_schedule_print(kith_world *world, char *text, size_t size,
                                         size_t *length);

/* The same as a graph in the language of Graphviz: dot -Tsvg. */
KITH_API kith_result kith_schedule_dot(kith_world *world, char *text, size_t size, size_t *length);

/* ---- Workers --------------------------------------------------------------------------------- */

/* Threads that help the one which calls kith_run. Either of Kith's own, which sleep while there is
 * nothing to do; or the host's, by two callbacks. */
typedef struct kith_workers_def {
    uint32_t count; /* of helpers, up to 64; 0: the thread that calls kith_run does it all */

    /* Called by the thread that calls kith_run, up to `count` times for a stage: has `work(job)`
     * called once, in any thread, now or later. The result is handed to `finish`, unless it is
     * NULL, which says that the work is done already. */
    void *(*enqueue)(void (*work)(void *job), void *job, void *context);
    /* Returns when the work is done, and all that it wrote is to be seen. */
    void (*finish)(void *handle, void *context);
    void *context; /* handed to both */
} kith_workers_def;

/* Sets who helps; NULL is a def of zeros. The outcome of ticks is the same for any number, while
 * memory lasts: workers take some too.
 *
 * With workers, the world's misuse handler may be called from them. Its allocator is not called by
 * two threads at a time.
 * KITH_ERR_INPUT   more than 64, or just one of the callbacks
 * KITH_ERR_LIMIT   the system gives no more threads: there are no workers then
 * KITH_ERR_MEMORY. Misuse from within kith_run. */
KITH_API kith_result kith_workers_set(kith_world *world, const kith_workers_def *def);

/* How many there are. */
KITH_API uint32_t kith_workers_count(const kith_world *world);

#ifdef __cplusplus
}
#endif
#endif
