/* Kith: the schedule of a world's systems: phases, which system waits for which, and the threads
 * that run them. */
#ifndef KITH_SCHEDULE_H
#define KITH_SCHEDULE_H

#include <kith/system.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds a phase directly after the phase `after`; NULL: before all others.
 * KITH_ERR_CONFLICT   there is a phase of that name
 * KITH_ERR_UNKNOWN    there is no phase `after`
 * KITH_ERR_INPUT      no name, or one of more than 127 bytes
 * KITH_ERR_MEMORY. Misuse within kith_run. */
KITH_API kith_result kith_phase_add(kith_world *world, const char *name, const char *after);

/* The phases in their order: NULL after the last. */
KITH_API const char *kith_phase_at(const kith_world *world, uint32_t index);

/* Orders the systems, if one was added, replaced or removed since it was last done. kith_run does
 * this by itself. Needs no memory.
 *
 * KITH_ERR_UNKNOWN    a system names one in `before` or `after` that does not exist
 * KITH_ERR_CONFLICT   systems wait for each other in a circle; or, with KITH_CONFLICTS_ERROR, two
 *                     systems conflict and only the order of registration tells which comes first
 * In each case kith_error names the systems. Misuse within kith_run. */
KITH_API kith_result kith_schedule_build(kith_world *world);

/* Describes the schedule: the stages, and for each system which ones it waits for and why, without
 * those that another one of them waits for. Builds the schedule first if necessary. As with
 * snprintf, at most `size` bytes are written, with the zero at the end (`text` may be NULL if
 * `size` is 0), and `*length` gets the length of the whole text. Returns what kith_schedule_build
 * returns. */
KITH_API kith_result kith_schedule_print(kith_world *world, char *text, size_t size,
                                         size_t *length);

/* Describes the schedule as a graph in the language of Graphviz: dot -Tsvg. */
KITH_API kith_result kith_schedule_dot(kith_world *world, char *text, size_t size, size_t *length);

/* ---- Workers --------------------------------------------------------------------------------- */

/* The threads that run systems: the one that calls kith_run, and workers, which help it. Workers are
 * Kith's own threads, which sleep while there is nothing to do, or the host's, through two callbacks. */
typedef struct kith_workers_def {
    uint32_t threads; /* with the one that calls kith_run, up to 64: 4 is that one and 3 workers. 0
                         and 1: there are no workers */

    /* Calls `work(job)` once, in any thread, now or later. Called by the thread that calls
     * kith_run, up to `threads` - 1 times for a stage. The result is passed to `finish`, unless it
     * is NULL: that says that the work is already done. */
    void *(*enqueue)(void (*work)(void *job), void *job, void *context);
    /* Returns when the work is done and all that it wrote is visible. */
    void (*finish)(void *handle, void *context);
    void *context; /* passed to both */
} kith_workers_def;

/* Sets the workers; NULL is a def of zeros. The outcome of ticks is the same for any number of
 * workers, except that workers need some memory themselves, so that it may run out earlier.
 *
 * Workers may call the world's misuse handler. Two threads never call its allocator at once.
 *
 * KITH_ERR_INPUT   more than 64 threads, or only one of the callbacks
 * KITH_ERR_LIMIT   the operating system gives no more threads
 * KITH_ERR_MEMORY
 * If the call fails, the workers are as they were. Misuse within kith_run. */
KITH_API kith_result kith_workers_set(kith_world *world, const kith_workers_def *def);

/* How many threads run systems, the one that calls kith_run among them: 1 if there are no workers. */
KITH_API uint32_t kith_thread_count(const kith_world *world);

#ifdef __cplusplus
}
#endif
#endif
