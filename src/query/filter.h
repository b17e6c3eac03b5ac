/* A filter: which rows of the driving storage match, 64 at a time. */
#ifndef KI_QUERY_FILTER_H
#define KI_QUERY_FILTER_H

#include "query/driver.h"

#define KI_NO_ROW UINT32_MAX

typedef struct ki_filter {
    bool ask_tables; /* a sparse set or slot array drives: entities' tables must be asked */
    bool ask_rows;   /* rows must be asked one by one */
    bool admitted;   /* whether last_table is admitted */
    const ki_table *last_table; /* the last table that was asked; NULL: none yet */
    uint32_t row;               /* the first of the 64 rows that `bits` is about, or KI_NO_ROW */
    uint64_t bits;              /* which of them match; the lowest bit is the first row's */
} ki_filter;

/* Which of the rows from `row` on, a multiple of 64, exist below `end_row` and match: the lowest bit is
 * the first row's. */
uint64_t ki_filter_rows(ki_filter *filter, const ki_driver *driver, uint32_t row, uint32_t end_row);

#endif
