/* A scan: visits the entities that match, in runs of rows within the driving storage's blocks. */
#ifndef KI_QUERY_SCAN_H
#define KI_QUERY_SCAN_H

#include "query/candidates.h"
#include "query/driver.h"
#include "query/filter.h"
#include "query/levels.h"
#include "query/matches.h"
#include "query/plan.h"

typedef struct ki_scan {
    ki_driver driver;
    ki_filter filter;
    ki_candidates *candidates; /* finds the tables; NULL: they come from the query's matches */
    const ki_plan *plan;       /* which rows need not be asked; NULL: all are */
    ki_plan_progress progress; /* in that */
    const uint8_t *next_match; /* of the current run of matches */
    const uint8_t *run_end;    /* after the last match to visit in that run */
    uint32_t last_end;         /* row at which to end in the last match of the run */
    uint32_t match_end;        /* number after the last match, or run of levels, of all to visit */
    uint32_t scan_end;         /* row at which to end in that one; UINT32_MAX: its end */
    uint32_t next_run;         /* number of the run of matches to come */
    uint8_t block_shift;       /* log2 of the rows that a run of rows may not straddle */
    bool ask_blocks;           /* blocks of the driving storage must have changed */
    const ki_levels *levels;   /* where the rows come from; NULL: from the driving storage */
    uint32_t next_level_run;   /* number of the run of levels to come */
    uint32_t level;            /* of the run before that */
    uint32_t storage_end;      /* where there are levels: of the current table or driving storage */
    uint32_t end_row;          /* of that; or of the current run of levels */
    const ki_match *match;     /* of the current table; NULL if that was searched for */
    uint32_t row;   /* the run of rows: table rows, dense rows of a sparse set, or slots */
    uint32_t count; /* the next run starts after these */
} ki_scan;

/* Starts a scan over all that matches. Tables come by `candidates`, which the caller keeps, or, if
 * that is NULL, from the matches, which are up to date. Needs no memory. */
void ki_scan_start(ki_scan *scan, const kith_query *query, ki_candidates *candidates);

/* Lets a scan that was started go by a plan, which the caller owns; NULL: all rows are asked. */
static inline void ki_scan_by_plan(ki_scan *scan, const ki_plan *plan)
{
    scan->plan = plan;
    scan->progress = (ki_plan_progress){0};
}

/* Lets a scan that was started go by the levels of its query, which it brings up to date; so are the
 * matches. KITH_ERR_MEMORY. */
kith_result ki_scan_order(ki_scan *scan);

/* Starts a scan over one entity. */
void ki_scan_start_one(ki_scan *scan, const kith_query *query, kith_entity entity);

/* Starts again, over the matches; for a scan that only tables decide about, as the last time. */
void ki_scan_restart(ki_scan *scan);

/* Limits a scan over matches: it starts with number `match`, and ends in row `scan_end` of the one
 * before number `match_end`. */
void ki_scan_cut(ki_scan *scan, uint32_t match, uint32_t match_end, uint32_t scan_end);

/* The same for a scan by levels: it starts with row `first` of run number `run`, and ends in row
 * `scan_end` of the one before number `run_end`. */
void ki_scan_cut_levels(ki_scan *scan, uint32_t run, uint32_t first, uint32_t run_end,
                        uint32_t scan_end);

/* Enters the next run of matches; false if there is none. */
bool ki_scan_next_run(ki_scan *scan);

/* Moves on to the next match of the run, which has one. */
static inline const ki_match *ki_scan_next_match(ki_scan *scan, uint32_t term_count)
{
    const ki_match *match = (const ki_match *)(const void *)scan->next_match;
    scan->next_match += sizeof *match + term_count * sizeof(ki_column *);
    return match;
}

/* Finds the next run after `row` and `count`, and sets these; and the driver's table, if tables
 * drive. */
bool ki_scan_next(ki_scan *scan);

/* Moves on to the next chunk: up to KI_CHUNK_ROWS rows from a multiple of that on, in one table or
 * driving storage, and of one level. `masks` are KI_CHUNK_WORDS masks of the rows that match; there may
 * be none. With `stay` only within the same table and level. A scan goes by chunks or by runs, not by
 * both. */
bool ki_scan_next_chunk(ki_scan *scan, bool stay, uint64_t *masks);

/* The rows after the run that are known to match. Only rows in the same blocks, whose runs are
 * complete, are told. The lowest bit is that of row `filter.row`. */
uint64_t ki_scan_pending(const ki_scan *scan);

/* Moves the scan on to the next 64 rows and returns the same for them. To be called once all rows that
 * were known are visited. 0: there are none, or only ki_scan_next can tell. */
uint64_t ki_scan_step(ki_scan *scan);

#endif
