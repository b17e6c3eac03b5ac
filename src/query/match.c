/* Which tables a query matches. Tables that came since the last look are taken one by one from the
 * store's list; if there are many, or tables have gone, all are found again by ANDing the
 * components' sets of tables. */
#include <stdlib.h>

#include "query/query.h"

/* So many new tables are looked at one by one. */
#define MATCH_FEW 64u

static bool match_group_has_table(const kith_query *query, const ki_group *group,
                                  const ki_table *table)
{
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->role == KITH_ONE_OF && term->group == group->number &&
            term->component->layout == KITH_TABLE &&
            ki_table_find(table, term->component->id) != KI_NO_COLUMN) {
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
        bool has = ki_table_find(table, term->component->id) != KI_NO_COLUMN;
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

/* One word of the set of tables that the required and the excluded terms leave. */
static uint64_t match_word(const kith_query *query, uint32_t page, uint32_t word)
{
    const uint64_t *live = ki_bitset_page(&query->store->live_tables, page);
    uint64_t bits = live == NULL ? 0 : live[word];
    for (uint32_t i = 0; i < query->term_count && bits != 0; i++) {
        const ki_term *term = &query->terms[i];
        if (term->component->layout != KITH_TABLE || term->role > KITH_MUST_NOT) {
            continue;
        }
        const uint64_t *words = ki_bitset_page(&term->component->in.tables, page);
        uint64_t has = words == NULL ? 0 : words[word];
        bits &= term->role == KITH_MUST ? has : ~has;
    }
    return bits;
}

/* Whether a whole page can be passed over: a required component has no table in it. */
static bool match_page_is_empty(const kith_query *query, uint32_t page)
{
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->component->layout == KITH_TABLE && term->role == KITH_MUST &&
            ki_bitset_page(&term->component->in.tables, page) == NULL) {
            return true;
        }
    }
    return false;
}

/* Moves on to the next word that is not 0. */
static bool search_next_word(const kith_query *query, ki_search *search)
{
    for (search->bits = 0; search->bits == 0; search->next_word++) {
        uint32_t page = search->next_word / KI_BITSET_PAGE_WORDS;
        uint32_t word = search->next_word % KI_BITSET_PAGE_WORDS;
        if (search->next_word * 64 >= query->store->table_slots) {
            return false;
        }
        if (word == 0 && match_page_is_empty(query, page)) {
            search->next_word += KI_BITSET_PAGE_WORDS - 1;
            continue;
        }
        search->bits = match_word(query, page, word);
    }
    return true;
}

ki_table *ki_search_next(const kith_query *query, ki_search *search)
{
    while (search->bits != 0 || search_next_word(query, search)) {
        uint32_t id = (search->next_word - 1) * 64 + ki_lowest_bit(search->bits);
        ki_table *table = query->store->tables[id];
        search->bits &= search->bits - 1;
        if (query->group_count == 0 || ki_query_admits(query, table)) {
            return table;
        }
    }
    return NULL;
}

uint32_t ki_query_table_rows(const kith_query *query, uint32_t enough)
{
    uint64_t rows = 0;
    ki_search search = {0};
    while (rows < enough && search_next_word(query, &search)) {
        ki_table *const *tables = query->store->tables + (size_t)(search.next_word - 1) * 64;
        for (; search.bits != 0; search.bits &= search.bits - 1) {
            const ki_table *table = tables[ki_lowest_bit(search.bits)];
            if (query->group_count == 0 || ki_query_admits(query, table)) {
                rows += table->row_count;
            }
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
    KI_TRY(ki_heap_grow(&query->store->context.heap, &query->matches, &query->match_capacity,
                        query->match_count + 1, ki_match_bytes(query), 4));
    ki_match *match = ki_query_match(query, query->match_count++);
    match->table = table;
    for (uint32_t i = 0; i < query->term_count; i++) {
        match->columns[i] = ki_term_column(&query->terms[i], table);
    }
    query->ranked = false;
    return KITH_OK;
}

KI_RARE static kith_result match_rebuild(kith_query *query)
{
    query->match_count = 0;
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
    if (query->epoch != store->table_epoch || store->created_count - query->seen > MATCH_FEW) {
        KI_TRY(match_rebuild(query));
    }
    while (query->seen < store->created_count) {
        ki_table *table = store->created[query->seen];
        if (ki_query_admits(query, table)) {
            KI_TRY(match_append(query, table));
        }
        query->seen++;
    }
    if (!query->ranked && query->match_count > 1) {
        qsort(query->matches, query->match_count, ki_match_bytes(query),
              ki_table_compare_pointers); /* a match begins with one */
    }
    query->ranked = true;
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
