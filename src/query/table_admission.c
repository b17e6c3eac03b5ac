#include "query/table_admission.h"

bool ki_query_group_has_table(const kith_query *query, const ki_group *group, const ki_table *table)
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
        if (!query->groups[i].mixed && !ki_query_group_has_table(query, &query->groups[i], table)) {
            return false;
        }
    }
    return true;
}

bool ki_query_asks_rows(const kith_query *query, const ki_table *table, bool changes)
{
    if (!query->by_row || query->conditions != NULL) {
        return query->by_row;
    }
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if ((term->component->layout != KITH_TABLE && term->role <= KITH_MUST_NOT) ||
            (term->changed && (changes || term->component->value_diff != NULL))) {
            return true;
        }
    }
    for (uint32_t i = 0; i < query->group_count; i++) {
        if (query->groups[i].mixed && !ki_query_group_has_table(query, &query->groups[i], table)) {
            return true;
        }
    }
    return false;
}
