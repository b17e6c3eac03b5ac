#include "query/candidates.h"

#include "query/table_admission.h"

/* Moves on to the next page of the sets of tables, and finds which of its tables the required and the
 * excluded terms leave. False after the last page. */
static KI_NOINLINE bool candidates_next_page(const kith_query *query, ki_candidates *candidates)
{
    uint32_t page = candidates->next_page++;
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
            candidates->next_page = page < tables->first_page ? tables->first_page : page + 1;
            return page < ki_bitset_page_end(tables);
        }
        uint64_t inverse = term->role == KITH_MUST ? 0 : UINT64_MAX;
        for (uint32_t i = 0; has != NULL && i < KI_BITSET_PAGE_WORDS; i++) {
            words[i] &= has[i] ^ inverse;
        }
    }
    memcpy(candidates->words, words, sizeof words);
    candidates->words_left = KI_BITSET_PAGE_WORDS;
    return true;
}

/* The tables that the bits of the current word are about. */
static ki_table *const *candidates_tables(const kith_query *query, const ki_candidates *candidates)
{
    uint32_t word = candidates->next_page * KI_BITSET_PAGE_WORDS - candidates->words_left - 1;
    return query->store->tables + (size_t)word * 64;
}

/* Drops the tables that lack all terms of a group. Not inlined, as above. */
static KI_NOINLINE uint64_t candidates_admitted(const kith_query *query, uint64_t bits,
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
static bool candidates_next_word(const kith_query *query, ki_candidates *candidates)
{
    do {
        while (candidates->words_left == 0) {
            if (!candidates_next_page(query, candidates)) {
                return false;
            }
        }
        candidates->bits = candidates->words[KI_BITSET_PAGE_WORDS - candidates->words_left--];
        if (query->group_count != 0) {
            candidates->bits =
                candidates_admitted(query, candidates->bits, candidates_tables(query, candidates));
        }
    } while (candidates->bits == 0);
    return true;
}

ki_table *ki_candidates_next(const kith_query *query, ki_candidates *candidates)
{
    if (candidates->bits == 0 && !candidates_next_word(query, candidates)) {
        return NULL;
    }
    ki_table *table = candidates_tables(query, candidates)[ki_lowest_bit(candidates->bits)];
    candidates->bits &= candidates->bits - 1;
    return table;
}

uint32_t ki_query_table_rows(const kith_query *query, uint32_t enough)
{
    uint64_t rows = 0;
    ki_candidates candidates = {0};
    while (rows < enough && candidates_next_word(query, &candidates)) {
        ki_table *const *tables = candidates_tables(query, &candidates);
        for (uint64_t bits = candidates.bits; bits != 0; bits &= bits - 1) {
            rows += tables[ki_lowest_bit(bits)]->rows.count;
        }
    }
    return rows < enough ? (uint32_t)rows : enough;
}
