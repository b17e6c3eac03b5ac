/* A cursor: an open query. It has a scan, and knows where the terms' values are. Closed cursors are
 * kept for reuse. */
#ifndef KI_QUERY_CURSOR_H
#define KI_QUERY_CURSOR_H

#include "query/bind.h"
#include "query/scan.h"

/* What an iteration hands out. */
typedef enum ki_batch_kind {
    KI_BATCH_NONE = 0, /* nothing yet */
    KI_BATCH_ARRAYS,   /* kith_next */
    KI_BATCH_ROWS      /* kith_next_rows */
} ki_batch_kind;

/* Where one term's values are while they follow the driving storage's order, or are absent. */
typedef struct ki_term_run {
    const ki_column *values; /* NULL: absent */
    uint32_t first;          /* row of `values` for the driving row `row` */
    uint32_t row;
    uint32_t end; /* the driving row after the run */
} ki_term_run;

typedef struct ki_row_batch ki_row_batch;

typedef struct kith_cursor {
    kith_iter_token token; /* its serial tells an iterator that it is no longer the current one */
    ki_scan scan;
    kith_query *query;
    struct kith_cursor *outer; /* the cursor opened before and still open; of a spare one, the next
                                  spare one */
    const char *file;          /* where it was opened; see ki_cursor_open */
    int line;
    uint64_t last_serial; /* the iterator's first one; of a closed cursor, the last one used */
    const void *key;   /* what may use it: the world's context; of a lent one, the system's task */
    bool lent;         /* to a system: it is not in the list of open queries */
    bool ended;        /* of a lent one: the iterator has come to the end */
    bool failed;       /* of a lent one: memory ran out */
    uint32_t batches;  /* that the last iterator was given: each has a serial of its own */
    uint64_t entities; /* of a lent one: how many were in its batches */
    uint64_t offered;  /* the iterator's `pending` before kith_next took any of it */
    uint64_t look;     /* write clock of the look that this is; 0: it is not a look */
    kith_entity *slot_entities; /* room for the handles of a run of slots; NULL until slots drive */
    uint32_t slot_row;          /* the slot of the first handle in there, or KI_NO_ROW */
    ki_batch_kind kind;         /* of this iteration */
    ki_batch_kind ready;        /* the same; another one: something is to be done before the next
                                   batch, see query/open_writes.h */
    uint32_t run_end;        /* of arrays: where the run of matching rows ends, of which a batch may
                                   be a part */
    ki_row_batch *row_batch; /* of rows; NULL until they are asked for */
    const void **via_values; /* addresses of other entities' values in the chunk at hand, see
                                query/via_batch.h; NULL until a batch is asked for */
    ki_plan *plan;           /* kept for the scan; NULL until there is a source */

    /* Set up once for a driver, see ki_bind_prepare. */
    ki_driver_kind prepared_kind;
    uint32_t prepared_term; /* the query's term_count: not yet set up */
    uint8_t block_shift;    /* log2 of the rows that a run may not straddle */
    bool plain;             /* tables drive, and no row is filtered */
    ki_batch_kind keyed;    /* the kind of batches that the terms' stored keys are for */
    bool lookups;           /* terms that are not aligned with the driver have values, */
    bool indirect;          /* or terms of other entities have */
    bool steady;            /* every scan starts as the one before */
    ki_column **columns;    /* the terms' columns, if anything but tables drives */
    ki_term_run *runs;      /* of arrays: one a term */
    kith_bind binds[];
} kith_cursor;

_Static_assert(offsetof(kith_cursor, token) == 0, "kith_next finds it there");

/* A cursor for `query`, a spare one if possible; it is in no list. NULL if memory ran out. */
kith_cursor *ki_cursor_take(kith_query *query);

/* Keeps a cursor as a spare one, and voids its iterators. */
void ki_cursor_give(kith_cursor *cursor);

/* Opens a query. Line 0 says that `file` is the name of a call that closes it before it returns.
 * NULL if memory ran out. */
kith_cursor *ki_cursor_open(kith_query *query, const char *file, int line);
void ki_cursor_close(kith_cursor *cursor);

/* Leaves all terms without values, until a batch is bound. */
void ki_cursor_unbind(kith_cursor *cursor);

/* Counts the entities that kith_next took inline; `pending` is what it left of those offered. */
void ki_cursor_tally(kith_cursor *cursor, uint64_t pending);

/* Ends an iterator on a lent cursor, at its end or before. */
void ki_cursor_retire(kith_cursor *cursor, const kith_iter *it);

/* The look of a cursor is over: its query has seen what there was. */
void ki_cursor_looked(const kith_cursor *cursor);

void ki_cursor_free_spare(kith_query *query);

/* ---- Which thread may use a cursor: the world's owner, or the thread in the call of the system
 * that it is lent to. */

/* Finds out whether this thread may use it, and remembers it. */
bool ki_cursor_enter(const kith_cursor *cursor);

/* Reports a call with the iterator of a system that this thread is not running. */
kith_result ki_reject_lent(const ki_context *context, const char *call);

/* Reports a call by a thread that may not use it. */
kith_result ki_cursor_reject(const kith_cursor *cursor, const char *call);

/* Whether this thread is known to be allowed; if not, ki_cursor_enter finds out. */
static inline bool ki_cursor_is_mine(const kith_cursor *cursor)
{
    return !KI_CHECKED || kith_thread_.key == cursor->key;
}

/* Whether `call` may use the cursor; if not, that is reported. */
static inline bool ki_cursor_allows(const kith_cursor *cursor, const char *call)
{
    if (ki_cursor_is_mine(cursor) || ki_cursor_enter(cursor)) {
        return true;
    }
    ki_cursor_reject(cursor, call);
    return false;
}

/* ---- The list of open queries */

/* The call that has a query open while it calls the program back; NULL: none does. */
const char *ki_query_holder(const ki_store *store);

/* A query for messages about a loop over it: its name, and where the loop opened it. A closed cursor may
 * be open again elsewhere, so it has no label. */
typedef struct ki_cursor_label {
    char text[256];
} ki_cursor_label;

ki_cursor_label ki_cursor_label_of(const kith_cursor *cursor);

/* Prints where `query`, or with NULL any query, was opened last; for messages. */
void ki_query_print_open(const ki_store *store, const kith_query *query, char *text, size_t size);

/* Closes all open queries, and returns how many there were. */
uint32_t ki_queries_close(ki_store *store);

#endif
