/* Kith: systems: functions that run once a tick, in the order of their priorities. */
#ifndef KITH_SYSTEM_H
#define KITH_SYSTEM_H

#include <kith/commands.h>
#include <kith/query.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A system is either a query with a function that loops over it, or a plain function that may do
 * anything with the world. */
typedef struct kith_system_def {
    const char *name; /* unique in its world; up to 127 bytes. Copied */
    int32_t priority; /* lower runs first; equal ones run in the order of registration */
    bool disabled;    /* starts switched off */

    /* A query system: called once a tick with the open query, also when nothing matches. It need
     * not reach the end. What it queues on `it->commands` is applied when it has returned. It fails
     * by setting `it->result`; then nothing of that is applied. */
    void (*run)(kith_iter *it);
    kith_query_def query;
    /* Its batches may run side by side. No effect yet: systems run one after another. */
    bool parallel;

    /* A plain system, instead of `run`. `dt` is what kith_run was given. It fails by returning
     * another result than KITH_OK. It must end the queries that it opens. */
    kith_result (*update)(kith_world *world, float dt, void *user);

    void *user; /* handed to `update`; `it->user` in `run`. Not Kith's: outlive the system */
} kith_system_def;

/* Adds a system.
 *
 * KITH_ERR_CONFLICT   the name is taken
 * KITH_ERR_INPUT      no name, or not just one of `run` and `update`; `update` with a query
 * KITH_ERR_MEMORY, and what kith_query_new returns
 * Misuse from within kith_run and while a query is open. */
KITH_API kith_result kith_system_add(kith_world *world, const kith_system_def *def);

/* KITH_ERR_UNKNOWN   there is no system of that name. Misuse from within kith_run. */
KITH_API kith_result kith_system_remove(kith_world *world, const char *name);

/* Switches a system on or off: at once, from within kith_run too.
 * KITH_ERR_UNKNOWN   there is no system of that name; kith_error lists those that are */
KITH_API kith_result kith_system_enable(kith_world *world, const char *name, bool enabled);

/* The systems in the order in which they run: NULL behind the last. `priority` and `enabled` may be
 * NULL. The name lives until the system is removed. */
KITH_API const char *kith_system_at(const kith_world *world, uint32_t index, int32_t *priority,
                                    bool *enabled);

/* One tick: drops events whose time has come, runs every enabled system, counts the tick. `dt` is
 * the time to simulate in seconds: any number that is not negative or NaN.
 *
 * When a system fails, or what it queued cannot be applied, the tick ends there: what it did itself
 * and what those before it did stays, what it queued is forgotten, those behind it do not run,
 * kith_error names it, and its result is returned. The tick counts, and the next one is possible.
 * KITH_ERR_INPUT   `dt` is negative or not a number: nothing runs
 * Misuse from within itself and while a query is open. */
KITH_API kith_result kith_run(kith_world *world, float dt);

/* How many ticks were begun. */
KITH_API uint64_t kith_tick(const kith_world *world);

#ifdef __cplusplus
}
#endif
#endif
