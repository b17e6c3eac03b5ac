/* Tables that were created since the last refresh are taken from the store's list, one by one. The
 * first time, and after tables were reclaimed, a search finds all. */
#include "query/matches.h"

#include "query/candidates.h"
#include "query/table_admission.h"

ki_column *ki_term_column(const ki_term *term, const ki_table *table)
{
    return term->valued && term->component->layout == KITH_TABLE
               ? ki_table_column(table, term->component->id)
               : NULL;
}

static kith_result matches_add(kith_query *query, ki_table *table)
{
    ki_match *match = ki_ranks_add(&query->store->context.heap, &query->matches, table);
    if (match == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < query->term_count; i++) {
        match->columns[i] = ki_term_column(&query->terms[i], table);
    }
    const ki_rank_run *first = query->matches.runs;
    query->first_match = first->items;
    query->first_end = first->items + first->count * ki_match_bytes(query);
    return KITH_OK;
}

static kith_result matches_rebuild(kith_query *query)
{
    ki_ranks_clear(&query->store->context.heap, &query->matches);
    query->first_match = NULL;
    query->first_end = NULL;
    query->epoch = UINT64_MAX; /* until all are found */
    ki_candidates candidates = {0};
    for (ki_table *table = ki_candidates_next(query, &candidates); table != NULL;
         table = ki_candidates_next(query, &candidates)) {
        KI_TRY(matches_add(query, table));
    }
    query->epoch = query->store->table_epoch;
    query->seen = query->store->created_count;
    return KITH_OK;
}

kith_result ki_matches_update(kith_query *query)
{
    const ki_store *store = query->store;
    if (query->epoch != store->table_epoch) {
        KI_TRY(matches_rebuild(query));
    }
    while (query->seen < store->created_count) {
        ki_table *table = store->created[query->seen];
        if (ki_query_admits(query, table)) {
            KI_TRY(matches_add(query, table));
        }
        query->seen++;
    }
    return KITH_OK;
}
