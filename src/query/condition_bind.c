/* Values that are bound to the names in a query's conditions. */
#include "query/condition.h"

#include <stdio.h>

#include <kith/reader.h>

#include "query/cursor.h"

kith_result ki_conditions_require_bound(const kith_query *query, const char *call)
{
    const ki_conditions *conditions = query->conditions;
    for (uint32_t i = 0; i < conditions->parameter_count; i++) {
        if (!conditions->parameters[i].bound) {
            return ki_fail(&query->store->context, KITH_ERR_INPUT,
                           "%s: kith_bound(\"%.100s\") of \"%s\", in text $%.100s, has no value"
                           " yet; call kith_query_bind first, or kith_select_bind",
                           call, conditions->parameters[i].name, ki_query_name(query),
                           conditions->parameters[i].name);
        }
    }
    return KITH_OK;
}

static kith_result bind_find(const kith_query *query, const char *name, uint32_t *number)
{
    const ki_conditions *conditions = query->conditions;
    uint32_t count = conditions == NULL ? 0 : conditions->parameter_count;
    kith_hint hint = {.word = name, .length = strlen(name)};
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(conditions->parameters[i].name, name) == 0) {
            *number = i;
            return KITH_OK;
        }
        kith_hint_offer(&hint, conditions->parameters[i].name);
    }
    return ki_fail(&query->store->context, KITH_ERR_UNKNOWN,
                   "kith_query_bind: \"%s\" has no kith_bound(\"%.100s\")%s", ki_query_name(query),
                   name, kith_hint_text(&hint).text);
}

/* Checks that a value fits everywhere, or sets it. */
static kith_result bind_nodes(const kith_query *query, uint32_t parameter,
                              const kith_operand *operand, bool set)
{
    ki_conditions *conditions = query->conditions;
    for (uint32_t i = 0; i < conditions->count; i++) {
        ki_condition_node *node = &conditions->nodes[i];
        ki_condition_node copy = *node;
        if (node->parameter == parameter) {
            KI_TRY(ki_condition_set_operand(&query->store->context, "kith_query_bind",
                                            set ? node : &copy, operand, *conditions->texts));
        }
    }
    return KITH_OK;
}

/* The text of an operand, copied for the parameter; `*copy` is NULL if it has none. */
static kith_result bind_copy_text(const kith_query *query, const kith_operand *operand, char **copy)
{
    *copy = NULL;
    if (operand->kind != KITH_OPERAND_STRING) {
        return KITH_OK;
    }
    *copy = ki_heap_alloc(&query->store->context.heap, operand->length, 1);
    if (*copy == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(*copy, operand->as.string, operand->length);
    return KITH_OK;
}

/* Binds a value to parameter number `number`. */
static kith_result bind_set(kith_query *query, uint32_t number, kith_operand operand)
{
    ki_heap *heap = &query->store->context.heap;
    ki_parameter *parameter = &query->conditions->parameters[number];
    char *copy;
    KI_TRY(bind_nodes(query, number, &operand, false));
    KI_TRY(bind_copy_text(query, &operand, &copy));
    if (copy != NULL) {
        operand.as.string = copy;
    }
    bind_nodes(query, number, &operand, true);
    ki_heap_free(heap, parameter->text, parameter->length, 1);
    parameter->text = copy;
    parameter->length = copy == NULL ? 0 : operand.length;
    parameter->bound = true;
    query->conditions->bindings++;
    return KITH_OK;
}

kith_result kith_query_bind_operand(kith_query *query, const char *name, kith_operand operand)
{
    if (KI_CHECKED && query == NULL) {
        return ki_misuse(NULL, "kith_query_bind: the query is NULL");
    }
    ki_context *context = &query->store->context;
    KI_TRY(ki_context_require_thread(context, "kith_query_bind"));
    if (KI_CHECKED && name == NULL) {
        return ki_misuse(context, "kith_query_bind: the name is NULL");
    }
    if (KI_CHECKED && query->open_count != 0) {
        char where[256];
        ki_query_print_open(query->store, query, where, sizeof where);
        return ki_misuse(context,
                         "kith_query_bind: the query \"%s\" is open (%s); end its iteration first",
                         ki_query_name(query), where);
    }
    uint32_t number = 0;
    KI_TRY(bind_find(query, name, &number));
    return bind_set(query, number, operand);
}
