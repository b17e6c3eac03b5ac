/* One query walked by several threads: ranges, and cursors for them. */
#ifndef KI_SYSTEM_SHARE_H
#define KI_SYSTEM_SHARE_H

#include "query/cursor.h"

/* A part of a walk: rows `first` up to `end` of the driving storage or, where tables drive, from row
 * `first` of match number `match` to row `end` of the match before `match_end`. */
typedef struct ki_range {
    uint32_t match;
    uint32_t match_end;
    uint32_t first;
    uint32_t end;
} ki_range;

/* Makes a taken cursor ready for the same walk as another one of its query, which was prepared.
 * KITH_ERR_MEMORY. */
kith_result ki_cursor_follow(kith_cursor *cursor, const kith_cursor *prepared);

/* Cuts a walk that was not begun into at most KI_RANGES_MAX ranges, of about the same number of rows
 * but for the last ones; that depends on nothing but the rows there are. No two ranges have a block of
 * the driving storage in common. Returns their number, at least 1. */
#define KI_RANGES_MAX 64u
uint32_t ki_scan_split(const ki_scan *scan, ki_range *ranges);

/* An iterator for a call of a system: over a range of the walk, or, with NULL, over all that the cursor
 * was prepared for. */
kith_iter ki_cursor_iter(kith_cursor *cursor, struct kith_task *task, const ki_scan *scan,
                         const ki_range *range);

#endif
