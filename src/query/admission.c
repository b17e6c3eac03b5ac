#include "query/admission.h"

#include "query/condition.h"
#include "query/pair_walk.h"
#include "query/table_admission.h"

static bool admission_group_has_row(const kith_query *query, const ki_group *group,
                                    const ki_table *table, uint32_t index)
{
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->role == KITH_ONE_OF && term->group == group->number &&
            term->component->layout != KITH_TABLE && ki_storage_has(term->component, index)) {
            return true;
        }
    }
    return ki_query_group_has_table(query, group, table);
}

bool ki_query_row_passes(const kith_query *query, const ki_table *table, uint32_t index)
{
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->component->layout != KITH_TABLE && term->role <= KITH_MUST_NOT &&
            ki_storage_has(term->component, index) != (term->role == KITH_MUST)) {
            return false;
        }
        if (term->changed &&
            !ki_value_diff_changed(query->store, term->component, index, query->looked)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < query->group_count; i++) {
        if (query->groups[i].mixed &&
            !admission_group_has_row(query, &query->groups[i], table, index)) {
            return false;
        }
    }
    return query->conditions == NULL ||
           (ki_conditions_hold(query, index) &&
            (query->conditions->pairs == NULL || ki_pair_count(query, index, 1) != 0));
}

bool ki_query_has(const kith_query *query, kith_entity entity)
{
    const ki_record *record = ki_record_of(&query->store->entities, entity);
    if (record == NULL) {
        return false;
    }
    const ki_table *table = query->store->tables[record->table];
    return ki_query_admits(query, table) &&
           (!query->by_row || ki_query_row_passes(query, table, entity.index1 - 1));
}
