/* Calls about the queries of a system, which is found by its name. */
#include <string.h>

#include <kith/reader.h>

#include "query/condition.h"
#include "query/cursor.h"
#include "query/explain.h"
#include "system/system_state.h"
#include "system/workers.h"

/* ---- Values for the names in them */

/* A value for each query of a system that has the name; NULL: it does not. */
typedef struct system_values {
    kith_query *queries[KITH_SYSTEM_QUERIES + 1];
    ki_bound_value values[KITH_SYSTEM_QUERIES + 1];
    uint32_t count;
} system_values;

/* Query number `number` of a system; NULL: a plain system has none with the number 0. */
static kith_query *calls_query(const ki_system *system, uint32_t number)
{
    return number == 0 ? system->query : system->queries[number - 1].query;
}

/* Adds the value for one query. */
static kith_result bind_add(system_values *all, kith_query *query, uint32_t parameter,
                            const kith_operand *operand)
{
    static const char call[] = "kith_system_bind";
    if (KI_CHECKED && query->open_count != 0) {
        char where[256];
        ki_query_print_open(query->store, query, where, sizeof where);
        return ki_misuse(&query->store->context,
                         "kith_system_bind: %s is open (%s); end its iteration first",
                         ki_query_label_of(query).text, where);
    }
    KI_TRY(ki_bound_value_make(query, call, parameter, operand, &all->values[all->count]));
    all->queries[all->count++] = query;
    return KITH_OK;
}

/* Makes the values for all queries, before any of them is bound. */
static kith_result bind_make(const ki_system *system, const char *name, const kith_operand *operand,
                             system_values *all, kith_hint *hint)
{
    for (uint32_t i = 0; i <= system->query_count; i++) {
        kith_query *query = calls_query(system, i);
        uint32_t parameter = query == NULL ? KI_NO_PARAMETER
                                           : ki_conditions_find_parameter(query, name, hint);
        if (parameter != KI_NO_PARAMETER) {
            KI_TRY(bind_add(all, query, parameter, operand));
        }
    }
    return KITH_OK;
}

kith_result kith_system_bind_operand(kith_world *world, const char *system, const char *name,
                                     kith_operand operand)
{
    KI_TRY(ki_world_require_writer(world, "kith_system_bind"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && (system == NULL || name == NULL)) {
        return ki_misuse(context, "kith_system_bind: the name of the %s is NULL",
                         system == NULL ? "system" : "value");
    }
    ki_system *found;
    KI_TRY(ki_system_require(world, "kith_system_bind", system, &found));
    system_values all = {.count = 0};
    kith_hint hint = {.word = name, .length = strlen(name)};
    kith_result result = bind_make(found, name, &operand, &all, &hint);
    for (uint32_t i = 0; i < all.count; i++) {
        if (result == KITH_OK) {
            ki_conditions_bind(all.queries[i], &all.values[i]);
        } else {
            ki_bound_value_free(all.queries[i], &all.values[i]);
        }
    }
    return result != KITH_OK || all.count != 0
               ? result
               : ki_fail(context, KITH_ERR_UNKNOWN,
                         "kith_system_bind: no query of system \"%s\" has a"
                         " kith_bound(\"%.100s\")%s",
                         found->name, name, kith_hint_text(&hint).text);
}

kith_result ki_system_require_bound(const ki_system *system, const char *call)
{
    for (uint32_t i = 0; i <= system->query_count; i++) {
        const kith_query *query = calls_query(system, i);
        if (query != NULL && query->conditions != NULL) {
            KI_TRY(ki_conditions_require_bound(query, call));
        }
    }
    return KITH_OK;
}

/* ---- How they find their entities */

/* How many threads go through query number `number` of a system, at most. */
static uint32_t explain_threads(const kith_world *world, const ki_system *system, uint32_t number)
{
    const ki_systems *systems = ki_systems_of(world);
    return number == 0 && system->parallel && systems->workers != NULL
               ? ki_workers_count(systems->workers) + 1
               : 1;
}

kith_result kith_system_explain(kith_world *world, const char *system, uint32_t number, char *text,
                                size_t size, size_t *length)
{
    static const char call[] = "kith_system_explain";
    KI_TRY(ki_world_require_owner(world, call));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && (system == NULL || (text == NULL && size != 0))) {
        return ki_misuse(context, "kith_system_explain: the %s is NULL",
                         system == NULL ? "name of the system" : "room for the text");
    }
    ki_system *found;
    KI_TRY(ki_system_require(world, call, system, &found));
    kith_query *query = number <= found->query_count ? calls_query(found, number) : NULL;
    if (query == NULL) {
        return ki_fail(context, KITH_ERR_UNKNOWN,
                       "%s: system \"%s\" has no query number %u: 0 is that of a query system, and"
                       " there are %u in `queries`",
                       call, found->name, number, found->query_count);
    }
    if (query->conditions != NULL) {
        KI_TRY(ki_conditions_require_bound(query, call));
    }
    const size_t all =
        ki_query_explain(query, explain_threads(world, found, number), false, text, size);
    if (length != NULL) {
        *length = all;
    }
    return KITH_OK;
}
