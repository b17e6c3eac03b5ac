/* Whether an entity satisfies a query's terms. Tables: see table_admission.h. */
#ifndef KI_QUERY_ADMISSION_H
#define KI_QUERY_ADMISSION_H

#include "query/query.h"

/* Whether the entity in slot `index`, in an admitted table, satisfies the terms that the table cannot
 * answer. */
bool ki_query_row_passes(const kith_query *query, const ki_table *table, uint32_t index);

/* Whether an entity is alive and matches. */
bool ki_query_has(const kith_query *query, kith_entity entity);

#endif
