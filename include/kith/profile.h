/* Kith: what systems cost: numbers for each system, and a trace for a trace viewer. */
#ifndef KITH_PROFILE_H
#define KITH_PROFILE_H

#include <kith/system.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a system did in the last tick in which it ran, and since measuring began. Times are in
 * seconds. */
typedef struct kith_system_stats {
    uint64_t runs;     /* ticks in which it ran, since measuring began; 0: all is 0 */
    double total;      /* time in its function, in all these ticks, of all threads together */
    uint64_t tick;     /* the last one in which it ran; the rest is about that tick */
    uint32_t calls;    /* of its function: one for each part of a parallel system */
    uint32_t batches;  /* that its calls got; 0 for a plain system, as are `entities` and `events` */
    uint64_t entities; /* in these batches */
    uint32_t commands; /* that it queued */
    uint32_t events;   /* that it sent */
    double wait;       /* from the start of its stage until its first call began */
    double elapsed;    /* from there until its last call had returned */
    double busy;       /* in its function, of all threads together */
    double apply;      /* applying what it queued and sent */
} kith_system_stats;

/* Starts measuring, or starts again from zero. Keeps the newest `spans` calls for
 * kith_profile_trace, at 48 bytes each; 0 keeps none. Measuring does not change the state of the
 * world or its hash. It costs about 0.1 microseconds for each call.
 * KITH_ERR_MEMORY. Misuse within kith_run. */
KITH_API kith_result kith_profile_start(kith_world *world, uint32_t spans);

/* Stops measuring and drops what was measured. Misuse within kith_run. */
KITH_API void kith_profile_stop(kith_world *world);

/* What was measured of a system.
 * KITH_ERR_UNKNOWN   there is no system of that name
 * KITH_ERR_ABSENT    nothing is measured */
KITH_API kith_result kith_profile_system(const kith_world *world, const char *name,
                                         kith_system_stats *stats);

/* Passes the calls that were kept to `write`, as text in pieces: JSON in the trace event format of
 * Chrome's trace viewer, which other viewers read too. There is a row for each thread, and a slice
 * for each call and each application of commands; times are in microseconds since measuring began.
 * "lost" is the number of calls that were not kept. `write` returns false to stop; it must not call
 * into the world.
 * KITH_ERR_ABSENT   nothing is measured
 * KITH_ERR_SYSTEM   `write` returned false */
KITH_API kith_result kith_profile_trace(const kith_world *world,
                                        bool (*write)(const char *text, size_t length,
                                                      void *context),
                                        void *context);

#ifdef __cplusplus
}
#endif
#endif
