/* A filter: which rows of the driving storage match, as masks of 64 rows each. */
#ifndef KI_QUERY_FILTER_H
#define KI_QUERY_FILTER_H

#include "query/driver.h"

#define KI_NO_ROW UINT32_MAX
#define KI_CHUNK_ROWS KI_BLOCK_ROWS_MAX
#define KI_CHUNK_WORDS (KI_CHUNK_ROWS / 64)

typedef struct ki_filter {
    bool ask_tables; /* a sparse set or slot array drives: entities' tables must be asked */
    bool ask_rows;   /* some terms are answered by row */
    uint32_t row;    /* the first of the 64 rows that `bits` is about, or KI_NO_ROW */
    uint64_t bits;   /* which of them match; the lowest bit is the first row's */
    const void *
        *via_values; /* see ki_conditions_filter; the caller sets it after the start, and owns it */
} ki_filter;

/* Leaves in `words` masks of 64 rows each, whose lowest bit is the first row's, the rows that match and
 * are below `end_row`. They are the rows from `row` on, a multiple of 64, in one chunk. */
void ki_filter_rows(const ki_filter *filter, const ki_driver *driver, uint32_t row,
                    uint32_t end_row, uint64_t *masks, uint32_t words);

#endif
