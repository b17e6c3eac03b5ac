/* What a snapshot holds of change logs: the entries that observers have not been told yet.
 *
 * A restore leaves in a log what trackers of the program have still to read, and adds the difference for
 * them: which entities lost the component by the restore, and which got it. After that come the entries
 * that observers had still to read at the take. Trackers pass over these. Their chunks are cut as they
 * were, so that observers are called with the same batches as the first time. */
#ifndef KI_STORE_LOG_STATE_H
#define KI_STORE_LOG_STATE_H

#include "store/store_view.h"

typedef struct ki_log_state ki_log_state;
typedef struct ki_log_ready ki_log_ready;

typedef struct ki_logs_state {
    ki_log_state *logs;
    uint32_t count;
    uint32_t capacity;
} ki_logs_state;

/* What a restore adds to the logs. */
typedef struct ki_logs_ready {
    ki_log_ready *logs;
    uint32_t count;
} ki_logs_ready;

/* KITH_ERR_MEMORY, or what a hook fails with: nothing was taken. Types with hooks have `copy`. */
kith_result ki_logs_take(ki_store *store, ki_logs_state *taken);
void ki_logs_free_taken(ki_store *store, ki_logs_state *taken);

/* Before the entities of a store become those of a view: makes ki_logs_restore certain. Errors as of
 * ki_logs_take. */
kith_result ki_logs_reserve(ki_store *store, const ki_logs_state *taken, const ki_store_view *view,
                            ki_logs_ready *ready);
void ki_logs_free_ready(ki_store *store, ki_logs_ready *ready);

/* Uses up what is ready. */
void ki_logs_restore(ki_store *store, ki_logs_ready *ready);

#endif
