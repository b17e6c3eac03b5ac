/* Candidates: the tables that a query admits, found by id. That needs no memory: it ANDs the
 * components' sets of tables, 64 tables at a time. */
#ifndef KI_QUERY_CANDIDATES_H
#define KI_QUERY_CANDIDATES_H

#include "query/query.h"

/* Starts as zeros; `words` need not be set. */
typedef struct ki_candidates {
    uint32_t next_page;  /* of the sets of tables */
    uint32_t words_left; /* words of the current page that are still to be visited */
    uint64_t bits;       /* tables left of the current word */
    uint64_t words[KI_BITSET_PAGE_WORDS];
} ki_candidates;

/* The next table that is admitted, in order of ids; NULL after the last. */
ki_table *ki_candidates_next(const kith_query *query, ki_candidates *candidates);

/* Rows of all tables that are admitted, or `enough` if there are more. */
uint32_t ki_query_table_rows(const kith_query *query, uint32_t enough);

#endif
