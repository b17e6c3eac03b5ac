/* Kith: what systems cost: numbers per system, and a trace that a trace viewer shows. */
#ifndef KITH_PROFILE_H
#define KITH_PROFILE_H

#include <kith/system.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a system did in the last tick in which it ran, and since measuring began. Times are in
 * seconds. */
typedef struct kith_system_stats {
    uint64_t runs;     /* ticks in which it ran, since measuring began; 0: the rest is 0 too */
    double total;      /* time in its function, in all of them, by all threads together */
    uint64_t tick;     /* in which it ran last; what follows is about that one */
    uint32_t calls;    /* of its function: of a parallel system one for each part */
    uint32_t batches;  /* that its calls went through; 0 for a plain system, and likewise below */
    uint64_t entities; /* in these */
    uint32_t commands; /* that it queued */
    uint32_t events;   /* that it sent */
    double wait;       /* from the start of its stage until its first call began */
    double elapsed;    /* from there until its last call had returned */
    double busy;       /* in its function, by all threads together */
    double apply;      /* doing what it queued and sent */
} kith_system_stats;

/* Begins to measure, anew if it was done before, and keeps the newest `spans` calls for
 * kith_profile_trace: 48 bytes each; 0 keeps none. Measuring changes nothing that a world can see
 * or hash. It costs about a tenth of a microsecond a call.
 * KITH_ERR_MEMORY. Misuse from within kith_run. */
KITH_API kith_result kith_profile_start(kith_world *world, uint32_t spans);

/* Ends measuring, and forgets what was measured. Misuse from within kith_run. */
KITH_API void kith_profile_stop(kith_world *world);

/* What was measured of a system.
 * KITH_ERR_UNKNOWN   there is no system of that name; KITH_ERR_ABSENT   nothing is measured */
KITH_API kith_result kith_profile_system(const kith_world *world, const char *name,
                                         kith_system_stats *stats);

/* Hands the calls that were kept to `write`, as text in pieces: JSON in the trace event format of
 * Chrome's trace viewer, which others read too. A row a thread, a slice a call or an application of
 * commands, times in microseconds since measuring began. "lost" tells how many calls there was no
 * room for. `write` returns false to make an end of it; it must not call into the world.
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
