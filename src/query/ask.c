/* Questions that a query answers without handing out values. None needs memory. */
#include "query/query.h"

#define ASK_REQUIRE(query, call, value)                                                            \
    KITH_REQUIRE(NULL, (query) != NULL, value, "%s: the query is NULL", call);                     \
    KI_REQUIRE_THREAD(&(query)->store->context, call, value)

uint32_t kith_query_count(kith_query *query)
{
    ASK_REQUIRE(query, "kith_query_count", 0);
    if (query->tables_only && !query->by_row) {
        return ki_query_table_rows(query, UINT32_MAX);
    }
    uint32_t count = 0;
    ki_walk walk;
    ki_search search = {0};
    for (ki_walk_start(&walk, query, &search); ki_walk_next(&walk);) {
        count += walk.count;
    }
    return count;
}

/* The first entity of one table that matches; false if none does. */
static bool ask_first_in_table(const kith_query *query, const ki_table *table, kith_entity *first)
{
    bool by_row = ki_query_asks_rows(query, table, true);
    for (uint32_t row = 0; row < table->rows.count; row++) {
        kith_entity entity = ki_rows_entity(&table->rows, row);
        if (!by_row || ki_query_row_passes(query, table, entity.index1 - 1)) {
            *first = entity;
            return true;
        }
    }
    return false;
}

/* The first entity where tables drive: of the first table in order that has one. */
static kith_entity ask_first_of_tables(const kith_query *query)
{
    kith_entity first = KITH_NONE;
    const ki_table *best = NULL;
    ki_search search = {0};
    for (const ki_table *table = ki_search_next(query, &search); table != NULL;
         table = ki_search_next(query, &search)) {
        if ((best == NULL || ki_table_compare(table, best) < 0) &&
            ask_first_in_table(query, table, &first)) {
            best = table;
        }
    }
    return first;
}

kith_entity kith_query_first(kith_query *query)
{
    ASK_REQUIRE(query, "kith_query_first", KITH_NONE);
    ki_walk walk;
    ki_search search = {0};
    ki_walk_start(&walk, query, &search);
    if (walk.driver == KI_DRIVE_TABLES) {
        return ask_first_of_tables(query);
    }
    return ki_walk_next(&walk) ? ki_walk_entity(&walk, walk.row) : KITH_NONE;
}

kith_result kith_query_single(kith_query *query, kith_entity *entity)
{
    ASK_REQUIRE(query, "kith_query_single", KITH_ERR_MISUSE);
    KITH_REQUIRE(&query->store->context, entity != NULL, KITH_ERR_MISUSE,
                 "kith_query_single: there is no place for the handle");
    ki_walk walk;
    ki_search search = {0};
    ki_walk_start(&walk, query, &search);
    if (!ki_walk_next(&walk)) {
        return ki_untold(&query->store->context.heap, KITH_ERR_ABSENT);
    }
    kith_entity only = ki_walk_entity(&walk, walk.row);
    if (walk.count > 1 || ki_walk_next(&walk)) {
        return ki_untold(&query->store->context.heap, KITH_ERR_AMBIGUOUS);
    }
    *entity = only;
    return KITH_OK;
}

bool kith_query_contains(kith_query *query, kith_entity entity)
{
    ASK_REQUIRE(query, "kith_query_contains", false);
    return ki_query_has(query, entity);
}

void kith_query_free(kith_query *query)
{
    if (query == NULL) {
        return;
    }
    ASK_REQUIRE(query, "kith_query_free", );
    if (query->open_count != 0) {
        char where[256];
        ki_query_print_open(query->store, query, where, sizeof where);
        ki_misuse(&query->store->context,
                  "kith_query_free: the query \"%s\" is open (%s); end its iteration first",
                  ki_query_name(query), where);
        return;
    }
    ki_query_drop(query);
}

void kith_query_set_holder(kith_query *query, kith_query **holder)
{
    KITH_REQUIRE(NULL, query != NULL, , "%s: the query is NULL", "kith_query_set_holder");
    query->holder = holder;
}
