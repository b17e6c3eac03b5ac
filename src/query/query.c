/* Makes queries from terms, and frees them. */
#include "query/query.h"

#include "query/condition.h"
#include "query/cursor.h"
#include "query/depths.h"
#include "query/levels.h"
#include "query/matches.h"
#include "query/plan.h"
#include "store/register.h"

static size_t query_bytes(uint32_t term_count)
{
    return sizeof(kith_query) + term_count * sizeof(ki_term);
}

static kith_result query_check_term(ki_store *store, const ki_query_parts *parts, uint32_t number,
                                    uint64_t naming)
{
    ki_context *context = &store->context;
    ki_component *const *components = parts->components;
    const kith_term *term = &parts->terms[number];
    const char *type = components[number]->type->name;
    if (ki_via_is_condition(term->condition)) {
        return KITH_OK; /* it was checked, and is about a type of another entity */
    }
    if (term->role == KITH_AS_BEFORE) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: term %u (%s): KITH_BEFORE is for the `lookups` of systems", parts->call,
                       number, type);
    }
    if (term->role == KITH_MUST_NOT && term->access != KITH_ACCESS_NONE) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: term %u (%s): what must not be there cannot be accessed", parts->call,
                       number, type);
    }
    if (term->role != KITH_ONE_OF && term->group != 0) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: term %u (%s): only KITH_ONE_OF terms have a group", parts->call, number,
                       type);
    }
    if (ki_component_name(components[number], naming)) {
        return KITH_OK;
    }
    uint32_t first = 0;
    while (components[first] != components[number] || parts->terms[first].condition != NULL) {
        first++;
    }
    return ki_fail(context, KITH_ERR_CONFLICT, "%s: '%s' is in terms %u and %u", parts->call, type,
                   first, number);
}

/* The number of the term that drives by the wish of the definition. */
static kith_result query_find_pinned(ki_store *store, const ki_query_parts *parts, uint32_t *pinned)
{
    *pinned = KI_NO_TERM;
    if (parts->driver == NULL) {
        return KITH_OK;
    }
    uint32_t number = ki_type_number_found(parts->driver);
    for (uint32_t i = 0; i < parts->term_count; i++) {
        if (ki_type_number(parts->components[i]->type) == number &&
            (parts->terms[i].role == KITH_MUST || parts->terms[i].role == KITH_MUST_CHANGED)) {
            *pinned = i;
            return KITH_OK;
        }
    }
    return ki_fail(&store->context, KITH_ERR_INPUT,
                   "%s: the driver '%s' is not the type of a term that must be there", parts->call,
                   parts->driver->name == NULL ? "(null)" : parts->driver->name);
}

static void query_add_group(kith_query *query, const ki_term *term)
{
    ki_group *group = NULL;
    for (uint32_t i = 0; i < query->group_count && group == NULL; i++) {
        group = query->groups[i].number == term->group ? &query->groups[i] : NULL;
    }
    if (group == NULL) {
        group = &query->groups[query->group_count++];
        *group = (ki_group){.number = term->group};
    }
    group->mixed = group->mixed || term->component->layout != KITH_TABLE;
}

/* Whether tables drive the query, whatever the world holds. */
static bool query_is_tables_only(const kith_query *query)
{
    if (query->pinned != KI_NO_TERM) {
        return query->terms[query->pinned].component->layout == KITH_TABLE;
    }
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->role == KITH_MUST && term->component->layout != KITH_TABLE) {
            return false;
        }
    }
    return true;
}

/* Sets term number `number`; those before are set. */
static void query_set_term(kith_query *query, uint32_t number, const kith_term *term,
                           ki_component *component)
{
    bool changed = term->role == KITH_MUST_CHANGED;
    bool table = component->layout == KITH_TABLE;
    kith_role role = changed ? KITH_MUST : term->role;
    bool filters = role != KITH_MAY && !table;
    query->terms[number] =
        (ki_term){.component = component,
                  .access = term->access,
                  .role = role,
                  .group = term->group,
                  .changed = changed,
                  .valued = term->access != KITH_ACCESS_NONE && component->type->size != 0};
    query->looks = query->looks || changed;
    query->needs_table = query->needs_table || (role == KITH_MUST && table);
    query->by_row = query->by_row || changed || filters;
    query->first_filter += query->first_filter == number && !filters;
}

static void query_set_conditions(kith_query *query, ki_conditions *conditions)
{
    query->conditions = conditions;
    query->by_row = query->by_row || conditions != NULL;
    query->paths = conditions != NULL && conditions->paths;
    for (uint32_t i = 0; conditions != NULL && i < conditions->via_count; i++) {
        const ki_via *via = &conditions->vias[i];
        if (via->term != KI_NO_TERM) {
            query->terms[via->term].via = via;
        }
        query->reads_vias = query->reads_vias || via->valued;
    }
}

static void query_link(kith_query *query)
{
    ki_store *store = query->store;
    query->next = store->queries;
    if (store->queries != NULL) {
        store->queries->previous = query;
    }
    store->queries = query;
}

kith_result ki_query_make(ki_store *store, const ki_query_parts *parts, kith_query **query)
{
    uint32_t pinned;
    uint32_t term_count = parts->term_count;
    uint64_t naming = ki_store_begin_names(store);
    for (uint32_t i = 0; i < parts->given_count; i++) {
        KI_TRY(query_check_term(store, parts, i, naming));
    }
    KI_TRY(query_find_pinned(store, parts, &pinned));
    ki_heap *heap = &store->context.heap;
    kith_query *made = ki_heap_alloc_zeroed(heap, query_bytes(term_count), _Alignof(kith_query));
    if (made == NULL) {
        return KITH_ERR_MEMORY;
    }
    made->store = store;
    made->term_count = term_count;
    made->given_count = parts->given_count;
    made->pinned = pinned;
    made->inherits = parts->inherits;
    made->epoch = UINT64_MAX;
    made->matches.item_size = (uint32_t)ki_match_bytes(made);
    uint32_t in_groups = 0;
    for (uint32_t i = 0; i < term_count; i++) {
        query_set_term(made, i, &parts->terms[i], parts->components[i]);
        in_groups += parts->terms[i].role == KITH_ONE_OF;
    }
    if (in_groups != 0) {
        made->groups = ki_heap_alloc(heap, in_groups * sizeof *made->groups, _Alignof(ki_group));
    }
    if (parts->name != NULL) {
        made->name = ki_heap_copy_text(heap, parts->name);
    }
    if (parts->order != KITH_SCAN_ORDER) {
        made->levels = ki_levels_new(heap, parts->order);
    }
    query_link(made);
    if ((in_groups != 0 && made->groups == NULL) || (parts->name != NULL && made->name == NULL) ||
        (parts->order != KITH_SCAN_ORDER && made->levels == NULL)) {
        ki_query_drop(made);
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < made->term_count; i++) {
        if (made->terms[i].role == KITH_ONE_OF) {
            query_add_group(made, &made->terms[i]);
        }
    }
    made->tables_only = query_is_tables_only(made);
    query_set_conditions(made, parts->conditions);
    *query = made;
    return KITH_OK;
}

void ki_query_drop(kith_query *query)
{
    ki_store *store = query->store;
    ki_heap *heap = &store->context.heap;
    if (query->holder != NULL) {
        *query->holder = NULL;
    }
    if (query->live != NULL) {
        *query->live = NULL;
    }
    if (query->previous != NULL) {
        query->previous->next = query->next;
    } else {
        store->queries = query->next;
    }
    if (query->next != NULL) {
        query->next->previous = query->previous;
    }
    uint32_t in_groups = 0;
    for (uint32_t i = 0; i < query->term_count; i++) {
        in_groups += query->terms[i].role == KITH_ONE_OF;
    }
    ki_cursor_free_spare(query);
    ki_heap_free(heap, query->groups, in_groups * sizeof *query->groups, _Alignof(ki_group));
    ki_ranks_free(heap, &query->matches);
    ki_conditions_free(heap, query->conditions);
    ki_plan_free(heap, query->plan);
    ki_levels_free(heap, query->levels);
    ki_heap_free_text(heap, query->name);
    ki_heap_free(heap, query, query_bytes(query->term_count), _Alignof(kith_query));
}

void ki_query_refresh_derived_slow(const kith_query *query)
{
    if (query->inherits) {
        ki_disabled_refresh(query->store);
    }
    if (query->paths) {
        ki_conditions_refresh_paths(query->store, query->conditions);
    }
}

void ki_queries_look_anew(ki_store *store)
{
    for (kith_query *query = store->queries; query != NULL; query = query->next) {
        query->looked = 0;
        if (query->paths) {
            ki_conditions_forget_paths(query->conditions);
        }
    }
    /* A list of blocks tells whether one is another than before; an only block tells nothing. */
    if (store->depths != NULL && !ki_column_has_list(&store->depths->child_of->links)) {
        store->depths->time = 0;
    }
}

void ki_queries_free(ki_store *store)
{
    while (store->queries != NULL) {
        ki_query_drop(store->queries);
    }
    ki_depths_free(store);
}

void kith_query_free(kith_query *query)
{
    if (query == NULL) {
        return;
    }
    if (ki_context_require_thread(&query->store->context, "kith_query_free") != KITH_OK) {
        return;
    }
    if (query->open_count != 0) {
        char where[256];
        ki_query_print_open(query->store, query, where, sizeof where);
        ki_misuse(&query->store->context,
                  "kith_query_free: %s is open (%s); end its iteration first",
                  ki_query_label_of(query).text, where);
        return;
    }
    if (KI_CHECKED && query->live != NULL) {
        ki_misuse(&query->store->context,
                  "kith_query_free: %s belongs to a live query, which frees it",
                  ki_query_label_of(query).text);
        return;
    }
    ki_query_drop(query);
}

void kith_query_set_holder(kith_query *query, kith_query **holder)
{
    if (KI_CHECKED && query == NULL) {
        ki_misuse(NULL, "kith_query_set_holder: the query is NULL");
        return;
    }
    query->holder = holder;
}
