#include "query/sorted.h"

#include "query/admission.h"
#include "query/pair_walk.h"

/* What it costs to read the values of a row that matches, and to compare them with those of others; see
 * plan.h. */
#define SORTED_READ 96u

/* The component, if every entity that matches has it; else NULL. */
static const ki_component *sorted_component(const kith_query *query, const ki_sorted *sorted)
{
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->role == KITH_MUST && term->via == NULL &&
            term->component->type == sorted->type) {
            return term->component;
        }
    }
    return NULL;
}

ki_source *ki_sorted_source(const kith_query *query, const ki_sorted *sorted, uint32_t *stale)
{
    /* An entity may be in many rows of a query of pairs, and the values may be those of another one. */
    const ki_component *component =
        ki_query_pairs(query) != NULL ? NULL : sorted_component(query, sorted);
    ki_source *source = component == NULL ? NULL : component->sources;
    while (source != NULL && (source->calls->orders == NULL || source->key.component != NULL ||
                              !source->calls->orders(source, &sorted->order, stale))) {
        source = source->next;
    }
    return source;
}

/* Brings a source up to date, unless that takes longer than a fifth of the scan; then scans pay for it
 * first. False: it is not up to date. */
static bool sorted_refresh(ki_source *source, uint32_t stale, uint64_t scan_cost)
{
    const uint64_t update = (uint64_t)stale * KI_PLAN_LOOKED * KI_PLAN_DEBTS;
    if (source->used && update > scan_cost && update > source->debt) {
        source->debt += scan_cost;
        return false;
    }
    source->used = true;
    source->debt = 0;
    return source->calls->refresh(source) == KITH_OK;
}

/* Keeps in a list, from number `first` on, the slots of entities that match. */
static void sorted_keep_matches(kith_query *query, ki_slot_list *list, uint32_t first)
{
    const uint32_t end = list->count;
    list->count = first;
    for (uint32_t i = first; i < end; i++) {
        const uint32_t slot = list->slots[i];
        if (ki_query_has(query, ki_entity_at(&query->store->entities, slot))) {
            list->slots[list->count++] = slot;
        }
    }
}

/* Lists the first entities that match. Gives up with KITH_ERR_LIMIT when it has taken a fifth of the
 * time of a scan, as far as known: a scan asks all rows, and reads those that match, whose part is taken
 * to be as among the entities that were seen. KITH_ERR_MEMORY. */
static kith_result sorted_list(ki_plan *plan, kith_query *query, const ki_sorted *sorted)
{
    ki_slot_list *list = &plan->list;
    ki_source_place place = {.begun = false};
    uint64_t seen = 0;
    list->count = 0;
    while (list->count < sorted->count) {
        const uint64_t read = (list->count + UINT64_C(1)) * SORTED_READ / (seen + 1);
        const uint64_t most =
            plan->rows * (plan->row_cost + read) / KI_PLAN_NAMED / KI_PLAN_DEBTS;
        const uint32_t before = list->count;
        if (seen > most) {
            return KITH_ERR_LIMIT;
        }
        KI_TRY(plan->source->calls->next(plan->source, &sorted->order, &place,
                                         (uint32_t)(most - seen) + 1, list));
        if (list->count == before) {
            return KITH_OK; /* these are all */
        }
        seen += list->count - before;
        sorted_keep_matches(query, list, before);
    }
    return KITH_OK;
}

void ki_sorted_plan(kith_cursor *cursor, const ki_sorted *sorted)
{
    kith_query *query = cursor->query;
    const ki_driver *driver = &cursor->scan.driver;
    uint32_t stale = 0;
    ki_source *source = ki_sorted_source(query, sorted, &stale);
    if (source == NULL || cursor->scan.plan != NULL ||
        ki_plan_reserve(&cursor->plan, query) != KITH_OK) {
        return;
    }
    ki_plan *plan = cursor->plan;
    ki_plan_choose(plan, query, driver, 1);
    /* With conditions nobody knows how many rows are read. */
    const uint32_t row_cost = query->conditions == NULL ? SORTED_READ : plan->row_cost;
    if (plan->rows < KI_PLAN_ROWS_MIN ||
        !sorted_refresh(source, stale, (uint64_t)plan->rows * row_cost)) {
        return;
    }
    plan->source = source;
    kith_result result = sorted_list(plan, query, sorted);
    if (result == KITH_OK) {
        result = ki_plan_name(plan, query, driver);
    }
    if (result == KITH_OK) {
        ki_scan_by_plan(&cursor->scan, plan);
    } else {
        plan->source = NULL;
    }
}
