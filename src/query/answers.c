/* What a query tells without handing out values: count, first, single, contains. Nothing here needs
 * memory without which it fails. */
#include "query/admission.h"
#include "query/condition.h"
#include "query/depths.h"
#include "query/pair_walk.h"
#include "query/scan.h"
#include "query/table_admission.h"

/* Starts a scan, by the best plan. */
static void answer_start(ki_scan *scan, kith_query *query, ki_candidates *candidates)
{
    ki_query_refresh_derived(query);
    ki_scan_start(scan, query, candidates);
    if (query->conditions != NULL) {
        ki_scan_by_plan(scan, ki_plan_for(&query->plan, query, &scan->driver, 1));
    }
}

/* Whether the query may be asked, by this thread and as it is; if not, that is reported. */
static kith_result answer_require(const kith_query *query, const char *call)
{
    if (KI_CHECKED && query == NULL) {
        return ki_misuse(NULL, "%s: the query is NULL", call);
    }
    KI_TRY(ki_context_require_thread(&query->store->context, call));
    return query->conditions == NULL ? KITH_OK : ki_conditions_require_bound(query, call);
}

/* Adds to a number the rows of the entities in a mask; it stops where more cannot be told. */
static uint32_t answer_count_pairs(const ki_scan *scan, uint32_t row, uint64_t mask, uint32_t count)
{
    for (; mask != 0; mask &= mask - 1) {
        kith_entity entity = ki_driver_entity(&scan->driver, row + ki_lowest_bit(mask));
        count += (uint32_t)ki_pair_count(scan->driver.query, entity.index1 - 1, UINT32_MAX - count);
    }
    return count;
}

/* How many rows an entity has that matches by itself, or `enough` if there are more. */
static uint32_t answer_count_rows(const kith_query *query, kith_entity entity, uint32_t enough)
{
    return ki_query_pairs(query) == NULL
               ? 1
               : (uint32_t)ki_pair_count(query, entity.index1 - 1, enough);
}

uint32_t kith_query_count(kith_query *query)
{
    if (answer_require(query, "kith_query_count") != KITH_OK) {
        return 0;
    }
    if (query->tables_only && !query->by_row) {
        return ki_query_table_rows(query, UINT32_MAX);
    }
    uint32_t count = 0;
    ki_scan scan;
    ki_candidates candidates = {0};
    uint64_t masks[KI_CHUNK_WORDS];
    const ki_pairs *pairs = ki_query_pairs(query);
    for (answer_start(&scan, query, &candidates); ki_scan_next_chunk(&scan, false, masks);) {
        for (uint32_t word = 0; word < KI_CHUNK_WORDS; word++) {
            count = pairs == NULL
                        ? count + ki_bit_count(masks[word])
                        : answer_count_pairs(&scan, scan.row + word * 64, masks[word], count);
        }
    }
    return count;
}

/* The first entity of one table that matches; false if none does. */
static bool answer_first_in_table(ki_scan *scan, const ki_table *table, kith_entity *first)
{
    const kith_query *query = scan->driver.query;
    bool by_row = ki_query_asks_rows(query, table, true);
    for (uint32_t row = 0; row < table->rows.count; row++) {
        if (scan->plan != NULL) {
            row = ki_plan_next(scan->plan, &scan->progress, &scan->driver, row, table->rows.count);
            if (row == table->rows.count) {
                break;
            }
        }
        kith_entity entity = ki_rows_entity(&table->rows, row);
        if (!by_row || ki_query_row_passes(query, table, entity.index1 - 1)) {
            *first = entity;
            return true;
        }
    }
    return false;
}

/* The first entity where tables drive. The search finds tables by id, not in order: so the first of all
 * tables with a match counts. */
static kith_entity answer_first_of_tables(ki_scan *scan)
{
    kith_entity first = KITH_NONE;
    const ki_table *best = NULL;
    ki_candidates candidates = {0};
    ki_table *table = NULL;
    while ((table = ki_candidates_next(scan->driver.query, &candidates)) != NULL) {
        scan->driver.table = table;
        if ((best == NULL || ki_table_compare(table, best) < 0) &&
            answer_first_in_table(scan, table, &first)) {
            best = table;
        }
    }
    return first;
}

/* The first entity by depth, where tables come as above. Without memory for depths that are kept,
 * each is counted. */
static kith_entity answer_first_by_depth(ki_scan *scan)
{
    const kith_query *query = scan->driver.query;
    ki_store *store = query->store;
    const bool kept = ki_depths_refresh(store) == KITH_OK;
    const bool children_first = query->levels->children_first;
    kith_entity first = KITH_NONE;
    const ki_table *best = NULL;
    uint32_t best_depth = 0;
    while (ki_scan_next(scan)) {
        const ki_table *table = scan->driver.table; /* NULL where there is one storage */
        const bool earlier = table != NULL && best != NULL && ki_table_compare(table, best) < 0;
        for (uint32_t i = 0; i < scan->count; i++) {
            const kith_entity entity = ki_driver_entity(&scan->driver, scan->row + i);
            if (answer_count_rows(query, entity, 1) == 0) {
                continue;
            }
            const uint32_t depth = kept ? ki_depth_of(store->depths, entity.index1 - 1)
                                        : ki_relation_depth(store->child_of, entity.index1 - 1);
            if (kith_is_none(first) ||
                (children_first ? depth > best_depth : depth < best_depth) ||
                (earlier && table != best && depth == best_depth)) {
                first = entity;
                best = table;
                best_depth = depth;
            }
        }
        if (table == NULL && best_depth == 0 && !children_first && !kith_is_none(first)) {
            break; /* at the top, and no other one comes before */
        }
    }
    return first;
}

kith_entity kith_query_first(kith_query *query)
{
    if (answer_require(query, "kith_query_first") != KITH_OK) {
        return KITH_NONE;
    }
    ki_scan scan;
    ki_candidates candidates = {0};
    answer_start(&scan, query, &candidates);
    if (query->levels != NULL) {
        return answer_first_by_depth(&scan);
    }
    if (scan.driver.kind == KI_DRIVE_TABLES) {
        return answer_first_of_tables(&scan);
    }
    while (ki_scan_next(&scan)) {
        for (uint32_t i = 0; i < scan.count; i++) {
            kith_entity entity = ki_driver_entity(&scan.driver, scan.row + i);
            if (answer_count_rows(query, entity, 1) != 0) {
                return entity;
            }
        }
    }
    return KITH_NONE;
}

kith_result kith_query_single(kith_query *query, kith_entity *entity)
{
    KI_TRY(answer_require(query, "kith_query_single"));
    if (KI_CHECKED && entity == NULL) {
        return ki_misuse(&query->store->context,
                         "kith_query_single: there is no place for the handle");
    }
    ki_scan scan;
    ki_candidates candidates = {0};
    answer_start(&scan, query, &candidates);
    kith_entity only = KITH_NONE;
    uint32_t rows = 0;
    while (rows < 2 && ki_scan_next(&scan)) {
        for (uint32_t i = 0; rows < 2 && i < scan.count; i++) {
            kith_entity found = ki_driver_entity(&scan.driver, scan.row + i);
            uint32_t its = answer_count_rows(query, found, 2);
            only = its != 0 ? found : only;
            rows += its;
        }
    }
    if (rows != 1) {
        return ki_without_message(&query->store->context.heap,
                                  rows == 0 ? KITH_ERR_ABSENT : KITH_ERR_AMBIGUOUS);
    }
    *entity = only;
    return KITH_OK;
}

bool kith_query_contains(kith_query *query, kith_entity entity)
{
    if (answer_require(query, "kith_query_contains") != KITH_OK) {
        return false;
    }
    ki_query_refresh_derived(query);
    return ki_query_has(query, entity);
}
