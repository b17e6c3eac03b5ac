/* Further queries of a system: those besides the one that drives it. Its calls open them any number of
 * times, in any thread. */
#ifndef KI_SYSTEM_SYSTEM_QUERY_H
#define KI_SYSTEM_SYSTEM_QUERY_H

#include <kith/system.h>

struct ki_system;
struct ki_systems;
struct kith_task;

typedef struct ki_system_query {
    kith_query *query;
    struct kith_cursor
        *prepared; /* for this tick's scan; those of its iterators follow it. NULL in a
                                     plain system, which opens the query as a program does */
} ki_system_query;

/* How many further queries a definition has. */
uint32_t ki_system_queries_count(const kith_query_def *queries);

/* Makes the further queries of a definition, with the errors of kith_query_new. ki_system_free frees
 * what was made before a failure. */
kith_result ki_system_queries_make(kith_world *world, const char *call, const kith_system_def *def,
                                   struct ki_system *system);
void ki_system_queries_free(kith_world *world, struct ki_system *system);

/* Whether all names in the queries of a system have values, also in the first one; if not,
 * KITH_ERR_INPUT. (query_calls.c) */
kith_result ki_system_require_bound(const struct ki_system *system, const char *call);

/* Makes them ready to be opened in this tick. KITH_ERR_MEMORY. */
kith_result ki_system_queries_prepare(struct ki_system *system);

/* They have seen what there was. */
void ki_system_queries_looked(const struct ki_system *system);

/* kith_system_query, for a call of the system that is under way. */
kith_iter ki_system_query_open(struct kith_task *task, const kith_iter *it, uint32_t number,
                               const char *file, int line);

/* Closes the queries that a function of a system left open, and reports the misuse. */
kith_result ki_system_reject_open(kith_world *world, const struct ki_system *system,
                                  const char *function);

/* Ends all iterators that a call has opened, after it has returned. */
void ki_system_queries_end(struct ki_systems *systems, struct kith_task *task);

#endif
