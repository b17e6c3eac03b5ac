/* For the tests of planned queries: what a query tells by every way of asking, as one number. */
#ifndef KITH_TEST_ALL_WAYS_H
#define KITH_TEST_ALL_WAYS_H

#include <string.h>

#include "test.h"

static inline uint64_t fold(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15) >> 1;
}

/* All batches of a loop, in order. */
static inline uint64_t ask_in_loop(kith_query *query, bool rows)
{
    uint64_t hash = 1;
    kith_iter it = kith_query_iter(query);
    while (rows ? kith_next_rows(&it) : kith_next(&it)) {
        hash = fold(hash, it.count);
        const kith_entity *entities = kith_entities(&it);
        for (uint32_t i = 0; i < it.count; i++) {
            hash = fold(hash, (uint64_t)entities[i].index1 << 32 | entities[i].generation);
        }
    }
    CHECK_RESULT(it.result, KITH_OK);
    return hash;
}

/* Whichever way the query is asked, and in which order the entities come. A query that looks for changes
 * has looked then. */
static inline uint64_t ask_all_ways(kith_query *query)
{
    kith_entity single = KITH_NONE;
    uint32_t count = kith_query_count(query);
    kith_entity first = kith_query_first(query);
    kith_result result = kith_query_single(query, &single);
    uint64_t hash = fold(fold(count, first.index1), single.index1);
    CHECK_RESULT(result, count == 0 ? KITH_ERR_ABSENT : count == 1 ? KITH_OK : KITH_ERR_AMBIGUOUS);
    hash = fold(hash, ask_in_loop(query, true));
    return fold(hash, ask_in_loop(query, false));
}

/* Whether an index would be used now. */
static inline bool is_planned(kith_query *query)
{
    char text[700];
    CHECK_RESULT(kith_query_explain(query, false, text, sizeof(text), NULL), KITH_OK);
    return strncmp(text, "plan: scan", 10) != 0;
}

#endif
