/* The invariants of queries: they know exactly the tables that they match. */
#include "inspect/inspect.h"
#include "query/candidates.h"
#include "query/cursor.h"
#include "query/table_admission.h"

/* All listed tables match; and listed ones and new ones are as many as there are candidates. So
 * they are the same. */
static const char *match_check(const kith_query *query)
{
    const ki_store *store = query->store;
    uint32_t listed = query->matches.count;
    for (uint32_t i = 0; i < query->matches.count; i++) {
        const ki_table *table = ki_query_match(query, i)->table;
        if (!ki_query_admits(query, table) || store->tables[table->id] != table) {
            return "a query knows of a table that it does not match";
        }
        if (i > 0 && ki_table_compare(ki_query_match(query, i - 1)->table, table) >= 0) {
            return "a query's tables are out of order";
        }
        for (uint32_t k = 0; k < query->term_count; k++) {
            if (ki_query_match(query, i)->columns[k] != ki_term_column(&query->terms[k], table)) {
                return "a query's values are not where its tables have them";
            }
        }
    }
    for (uint32_t i = query->seen; i < store->created_count; i++) {
        listed += ki_query_admits(query, store->created[i]);
    }
    ki_candidates candidates = {0};
    uint32_t found = 0;
    while (ki_candidates_next(query, &candidates) != NULL) {
        found++;
    }
    return found == listed ? NULL : "a query does not know of a table that it matches";
}

static bool open_count_is_right(const kith_query *query)
{
    uint32_t count = 0;
    for (const kith_cursor *open = query->store->open; open != NULL; open = open->outer) {
        count += open->query == query;
    }
    return count == query->open_count;
}

const char *ki_queries_check(const ki_store *store)
{
    const char *wrong = NULL;
    for (const kith_query *query = store->queries; query != NULL && wrong == NULL;
         query = query->next) {
        if (query->previous != NULL ? query->previous->next != query : store->queries != query) {
            return "the list of queries is broken";
        }
        if (!open_count_is_right(query)) {
            return "a query is not open as often as it says";
        }
        if (query->epoch == store->table_epoch) {
            wrong = match_check(query);
        }
    }
    return wrong;
}
