/* The invariants of queries: they know exactly the tables that they match, and those that go by depth
 * exactly the rows of each. */
#include "inspect/inspect.h"
#include "query/candidates.h"
#include "query/cursor.h"
#include "query/depths.h"
#include "query/levels.h"
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

/* The depths that are known; while no link changed, all above such an entity are known too. */
static const char *depths_check(const ki_depths *depths)
{
    for (uint32_t index = 0; index < depths->capacity; index++) {
        const uint32_t target1 = depths->depth1[index] == 0
                                     ? 0
                                     : ki_relation_link(depths->child_of, index).target1;
        const uint32_t above1 = target1 == 0 ? 0 : depths->depth1[target1 - 1];
        if (depths->depth1[index] != 0 &&
            (depths->depth1[index] != above1 + 1 || (target1 != 0 && above1 == 0))) {
            return "the depth of an entity is not that of its parent and one more";
        }
    }
    return NULL;
}

/* Whether all rows of a run have a depth. */
static bool levels_run_is_right(const ki_driver *driver, const ki_level_run *run, uint32_t depth)
{
    for (uint32_t i = 0; i < run->count; i++) {
        const uint32_t index = ki_driver_entity(driver, run->row + i).index1 - 1;
        if (driver->query->store->depths->depth1[index] != depth + 1) {
            return false;
        }
    }
    return true;
}

/* The levels, while they are up to date: their rows are as many as those of the driving storage, each
 * run comes after the one before, and all of a level have one depth. */
static const char *levels_check(const kith_query *query)
{
    const ki_levels *levels = query->levels;
    ki_driver driver = {.query = query, .kind = levels->kind, .term = levels->term};
    if (!ki_levels_are_right(query, &driver)) {
        return NULL;
    }
    uint32_t rows = 0;
    uint32_t before = 0;
    for (uint32_t i = 0, run = 0; i < levels->count; i++) {
        uint32_t depth = 0;
        for (const uint32_t begin = run; run < levels->list[i].end; run++) {
            const ki_level_run *at = &levels->runs[run];
            driver.table = at->match == NULL ? NULL : at->match->table;
            const uint32_t index = ki_driver_entity(&driver, at->row).index1 - 1;
            depth = run == begin ? query->store->depths->depth1[index] - 1 : depth;
            if (!levels_run_is_right(&driver, at, depth)) {
                return "a level of a query has entities of another depth";
            }
            if (run != begin && at->match == at[-1].match && at->row < at[-1].row + at[-1].count) {
                return "the rows of a query's level are out of order";
            }
            rows += at->count;
        }
        if (i > 0 && (levels->children_first ? depth >= before : depth <= before)) {
            return "the levels of a query are out of order";
        }
        before = depth;
    }
    return rows == levels->rows ? NULL : "a query's levels do not have all rows";
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
    const bool depths = store->depths != NULL && ki_depths_are_right(store->depths);
    const char *wrong = depths ? depths_check(store->depths) : NULL;
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
            wrong = wrong == NULL && depths && query->levels != NULL ? levels_check(query) : wrong;
        }
    }
    return wrong;
}
