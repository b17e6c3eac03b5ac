/* Whether a table, a row or an entity satisfies a query's terms. */
#ifndef KI_QUERY_ADMISSION_H
#define KI_QUERY_ADMISSION_H

#include "query/query.h"

/* Whether the KITH_TABLE terms admit a table. */
bool ki_query_admits(const kith_query *query, const ki_table *table);

/* Whether rows of an admitted table must be asked one by one, with ki_query_row_passes. `changes`: also
 * when only changes of the table's own values are in question, which blocks can answer. */
bool ki_query_asks_rows(const kith_query *query, const ki_table *table, bool changes);

/* Whether the entity in slot `index`, in an admitted table, satisfies the terms that the table cannot
 * answer. */
bool ki_query_row_passes(const kith_query *query, const ki_table *table, uint32_t index);

/* Whether an entity is alive and matches. */
bool ki_query_has(const kith_query *query, kith_entity entity);

#endif
