/* The tables that a query matches, in the order in which it visits them. */
#ifndef KI_QUERY_MATCHES_H
#define KI_QUERY_MATCHES_H

#include "query/query.h"

/* A table that a query matches. */
typedef struct ki_match {
    ki_table *table;
    ki_column *columns[]; /* the values of each term; NULL: none here, or not accessed */
} ki_match;

static inline size_t ki_match_bytes(const kith_query *query)
{
    return sizeof(ki_match) + query->term_count * sizeof(ki_column *);
}

static inline ki_match *ki_query_match(const kith_query *query, uint32_t number)
{
    return ki_ranks_at(&query->matches, number);
}

/* A term's column in a table; NULL if it has none there, or its values are not accessed. */
ki_column *ki_term_column(const ki_term *term, const ki_table *table);

/* Finds new tables, and all of them if tables have gone. KITH_ERR_MEMORY. */
kith_result ki_matches_update(kith_query *query);

/* Brings the matches up to date and in order. KITH_ERR_MEMORY. */
static inline kith_result ki_matches_refresh(kith_query *query)
{
    const ki_store *store = query->store;
    bool fresh = query->epoch == store->table_epoch && query->seen == store->created_count;
    return fresh ? KITH_OK : ki_matches_update(query);
}

#endif
