/* How a query finds its entities, in words. */
#ifndef KI_QUERY_EXPLAIN_H
#define KI_QUERY_EXPLAIN_H

#include "query/query.h"

/* Writes how a query would find its entities now, if so many threads looked for them side by side, like
 * snprintf: kith_query_explain. All names have values. */
size_t ki_query_explain(kith_query *query, uint32_t threads, bool analyze, char *text, size_t size);

#endif
