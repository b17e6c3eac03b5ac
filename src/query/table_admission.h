/* Whether a table satisfies the terms of a query that tables can answer. */
#ifndef KI_QUERY_TABLE_ADMISSION_H
#define KI_QUERY_TABLE_ADMISSION_H

#include "query/query.h"

/* Whether the KITH_TABLE terms admit a table. */
bool ki_query_admits(const kith_query *query, const ki_table *table);

/* Whether a table has a component of an any-of group. */
bool ki_query_group_has_table(const kith_query *query, const ki_group *group,
                              const ki_table *table);

/* Whether rows of an admitted table must be asked one by one, with ki_query_row_passes. `changes`: also
 * when only changes of the table's own values are in question, which blocks can answer. */
bool ki_query_asks_rows(const kith_query *query, const ki_table *table, bool changes);

#endif
