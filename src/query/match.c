/* Which tables a query matches. Tables that came since the last look are taken one by one from the
 * store's list; the first time, or if tables have gone, all are found by ANDing the components' sets of
 * tables. */
#include "query/query.h"

static bool match_group_has_table(const kith_query *query, const ki_group *group,
                                  const ki_table *table)
{
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->role == KITH_ONE_OF && term->group == group->number &&
            term->component->layout == KITH_TABLE && ki_table_has(table, term->component->id)) {
            return true;
        }
    }
    return false;
}

bool ki_query_admits(const kith_query *query, const ki_table *table)
{
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->component->layout != KITH_TABLE || term->role > KITH_MUST_NOT) {
            continue;
        }
        bool has = ki_table_has(table, term->component->id);
        if (has != (term->role == KITH_MUST)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < query->group_count; i++) {
        if (!query->groups[i].mixed && !match_group_has_table(query, &query->groups[i], table)) {
            return false;
        }
    }
    return true;
}

/* Moves on to the next page of the sets of tables: which of its tables the required and the excluded
 * terms leave. A page at once, which compilers do several words at a time. */
static KI_NOINLINE bool search_next_page(const kith_query *query, ki_search *search)
{
    uint32_t page = search->next_page++;
    if (page * KI_BITSET_PAGE_BITS >= query->store->table_slots) {
        return false;
    }
    const uint64_t *live = ki_bitset_page(&query->store->live_tables, page);
    if (live == NULL) {
        return true;
    }
    uint64_t words[KI_BITSET_PAGE_WORDS];
    memcpy(words, live, sizeof words);
    for (const ki_term *term = query->terms, *end = term + query->term_count; term < end; term++) {
        if (term->component->layout != KITH_TABLE || term->role > KITH_MUST_NOT) {
            continue;
        }
        const ki_bitset *tables = &term->component->in.tables;
        const uint64_t *has = ki_bitset_page(tables, page);
        if (has == NULL && term->role == KITH_MUST) {
            search->next_page = page < tables->first_page ? tables->first_page : page + 1;
            return page < ki_bitset_page_end(tables);
        }
        uint64_t inverse = term->role == KITH_MUST ? 0 : UINT64_MAX;
        for (uint32_t i = 0; has != NULL && i < KI_BITSET_PAGE_WORDS; i++) {
            words[i] &= has[i] ^ inverse;
        }
    }
    memcpy(search->words, words, sizeof words);
    search->words_left = KI_BITSET_PAGE_WORDS;
    return true;
}

/* The tables that the bits of the word tell of. */
static ki_table *const *search_tables(const kith_query *query, const ki_search *search)
{
    uint32_t word = search->next_page * KI_BITSET_PAGE_WORDS - search->words_left - 1;
    return query->store->tables + (size_t)word * 64;
}

/* Without the tables that have nothing of a group. */
static KI_NOINLINE uint64_t search_ask_groups(const kith_query *query, uint64_t bits,
                                              ki_table *const *tables)
{
    uint64_t admitted = 0;
    for (; bits != 0; bits &= bits - 1) {
        bool admits = ki_query_admits(query, tables[ki_lowest_bit(bits)]);
        admitted |= admits ? bits & -bits : 0;
    }
    return admitted;
}

/* Moves on to the next word that is not 0. */
static bool search_next_word(const kith_query *query, ki_search *search)
{
    do {
        while (search->words_left == 0) {
            if (!search_next_page(query, search)) {
                return false;
            }
        }
        search->bits = search->words[KI_BITSET_PAGE_WORDS - search->words_left--];
        if (query->group_count != 0) {
            search->bits = search_ask_groups(query, search->bits, search_tables(query, search));
        }
    } while (search->bits == 0);
    return true;
}

ki_table *ki_search_next(const kith_query *query, ki_search *search)
{
    if (search->bits == 0 && !search_next_word(query, search)) {
        return NULL;
    }
    ki_table *table = search_tables(query, search)[ki_lowest_bit(search->bits)];
    search->bits &= search->bits - 1;
    return table;
}

uint32_t ki_query_table_rows(const kith_query *query, uint32_t enough)
{
    uint64_t rows = 0;
    ki_search search = {0};
    while (rows < enough && search_next_word(query, &search)) {
        ki_table *const *tables = search_tables(query, &search);
        for (uint64_t bits = search.bits; bits != 0; bits &= bits - 1) {
            rows += tables[ki_lowest_bit(bits)]->rows.count;
        }
    }
    return rows < enough ? (uint32_t)rows : enough;
}

ki_column *ki_term_column(const ki_term *term, const ki_table *table)
{
    return term->valued && term->component->layout == KITH_TABLE
               ? ki_table_column(table, term->component->id)
               : NULL;
}

static kith_result match_append(kith_query *query, ki_table *table)
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

static kith_result match_rebuild(kith_query *query)
{
    ki_ranks_clear(&query->store->context.heap, &query->matches);
    query->first_match = NULL;
    query->first_end = NULL;
    query->epoch = UINT64_MAX; /* until it is whole */
    ki_search search = {0};
    for (ki_table *table = ki_search_next(query, &search); table != NULL;
         table = ki_search_next(query, &search)) {
        KI_TRY(match_append(query, table));
    }
    query->epoch = query->store->table_epoch;
    query->seen = query->store->created_count;
    return KITH_OK;
}

kith_result ki_query_refresh_slow(kith_query *query)
{
    const ki_store *store = query->store;
    if (query->epoch != store->table_epoch) {
        KI_TRY(match_rebuild(query));
    }
    while (query->seen < store->created_count) {
        ki_table *table = store->created[query->seen];
        if (ki_query_admits(query, table)) {
            KI_TRY(match_append(query, table));
        }
        query->seen++;
    }
    return KITH_OK;
}

bool ki_query_asks_rows(const kith_query *query, const ki_table *table, bool changes)
{
    if (!query->by_row) {
        return false;
    }
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if ((term->component->layout != KITH_TABLE && term->role <= KITH_MUST_NOT) ||
            (term->changed && (changes || term->component->exact != NULL))) {
            return true;
        }
    }
    for (uint32_t i = 0; i < query->group_count; i++) {
        if (query->groups[i].mixed && !match_group_has_table(query, &query->groups[i], table)) {
            return true;
        }
    }
    return false;
}

static bool match_group_has_row(const kith_query *query, const ki_group *group,
                                const ki_table *table, uint32_t index)
{
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->role == KITH_ONE_OF && term->group == group->number &&
            term->component->layout != KITH_TABLE && ki_other_has(term->component, index)) {
            return true;
        }
    }
    return match_group_has_table(query, group, table);
}

bool ki_query_row_passes(const kith_query *query, const ki_table *table, uint32_t index)
{
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->component->layout != KITH_TABLE && term->role <= KITH_MUST_NOT &&
            ki_other_has(term->component, index) != (term->role == KITH_MUST)) {
            return false;
        }
        if (term->changed &&
            !ki_exact_changed(query->store, term->component, index, query->looked)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < query->group_count; i++) {
        if (query->groups[i].mixed &&
            !match_group_has_row(query, &query->groups[i], table, index)) {
            return false;
        }
    }
    return true;
}
