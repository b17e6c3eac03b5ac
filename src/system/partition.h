/* Partition of a query for several threads: ranges of rows, and a cursor for each thread. */
#ifndef KI_SYSTEM_PARTITION_H
#define KI_SYSTEM_PARTITION_H

#include "query/cursor.h"

/* A part of a scan. Where tables drive: from row `first` of match number `match` up to row `end` of
 * the match before `match_end`. Otherwise: rows `first` up to `end` of the driving storage. Of a scan by
 * levels these are runs of them instead of matches. */
typedef struct ki_range {
    uint32_t match;
    uint32_t match_end;
    uint32_t first;
    uint32_t end;
    uint32_t after; /* it begins when so many ranges have ended, which are those before it: of levels,
                       all that have a part in those before its own */
} ki_range;

#define KI_RANGES_MAX 64u

/* Makes a taken cursor ready for the same scan as `prepared`, another cursor of its query.
 * KITH_ERR_MEMORY. */
kith_result ki_cursor_follow(kith_cursor *cursor, const kith_cursor *prepared);

/* Cuts a scan that has not begun into 1 to KI_RANGES_MAX ranges, and returns how many. The ranges
 * have about the same number of rows, except the last ones, which have fewer. How they are cut
 * depends only on the rows. No two ranges share a block of the driving storage, unless one of them is
 * after the other. */
uint32_t ki_scan_split(const ki_scan *scan, ki_range *ranges);

/* Copies the blocks of what a scan writes that are shared with snapshots, for a component that other
 * threads read meanwhile: those find the values where they are then. KITH_ERR_MEMORY. */
kith_result ki_scan_unshare(const ki_scan *scan, ki_component *component);

/* An iterator for a call of a system: over a range of the scan, or with NULL over all that the
 * cursor was prepared for. */
kith_iter ki_cursor_iter(kith_cursor *cursor, struct kith_task *task, const ki_scan *scan,
                         const ki_range *range);

#endif
