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
                           "%s: kith_bound(\"%.100s\") of %s, in text $%.100s, has no value yet;"
                           " call kith_query_bind first, or kith_select_bind, or"
                           " kith_system_bind",
                           call, conditions->parameters[i].name, ki_query_label_of(query).text,
                           conditions->parameters[i].name);
        }
    }
    return KITH_OK;
}

uint32_t ki_conditions_find_parameter(const kith_query *query, const char *name, kith_hint *hint)
{
    const ki_conditions *conditions = query->conditions;
    uint32_t count = conditions == NULL ? 0 : conditions->parameter_count;
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(conditions->parameters[i].name, name) == 0) {
            return i;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        kith_hint_offer(hint, conditions->parameters[i].name);
    }
    return KI_NO_PARAMETER;
}

/* Checks that a value fits everywhere, or sets it. */
static kith_result bind_nodes(const kith_query *query, const char *call,
                              const ki_bound_value *value, bool set)
{
    ki_conditions *conditions = query->conditions;
    for (uint32_t i = 0; i < conditions->count; i++) {
        ki_condition_node *node = &conditions->nodes[i];
        ki_condition_node copy = *node;
        if (node->parameter == value->parameter) {
            KI_TRY(ki_condition_set_operand(&query->store->context, call, set ? node : &copy,
                                            &value->operand, *conditions->texts));
        }
    }
    return KITH_OK;
}

kith_result ki_bound_value_make(const kith_query *query, const char *call, uint32_t parameter,
                                const kith_operand *operand, ki_bound_value *value)
{
    *value = (ki_bound_value){.parameter = parameter, .operand = *operand};
    KI_TRY(bind_nodes(query, call, value, false));
    if (operand->kind != KITH_OPERAND_STRING) {
        return KITH_OK;
    }
    value->text = ki_heap_alloc(&query->store->context.heap, operand->length, 1);
    if (value->text == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(value->text, operand->as.string, operand->length);
    value->operand.as.string = value->text;
    return KITH_OK;
}

void ki_bound_value_free(const kith_query *query, ki_bound_value *value)
{
    ki_heap_free(&query->store->context.heap, value->text, value->operand.length, 1);
}

void ki_conditions_bind(kith_query *query, const ki_bound_value *value)
{
    ki_parameter *parameter = &query->conditions->parameters[value->parameter];
    bind_nodes(query, "", value, true); /* it fits */
    ki_heap_free(&query->store->context.heap, parameter->text, parameter->length, 1);
    parameter->text = value->text;
    parameter->length = value->text == NULL ? 0 : value->operand.length;
    parameter->bound = true;
    query->conditions->bindings++;
    ki_conditions_forget_paths(query->conditions);
}

kith_result ki_query_bind(kith_query *query, const char *call, const char *name,
                          const kith_operand *operand)
{
    ki_context *context = &query->store->context;
    KI_TRY(ki_context_require_thread(context, call));
    if (KI_CHECKED && name == NULL) {
        return ki_misuse(context, "%s: the name is NULL", call);
    }
    if (KI_CHECKED && query->open_count != 0) {
        char where[256];
        ki_query_print_open(query->store, query, where, sizeof where);
        return ki_misuse(context, "%s: %s is open (%s); end its iteration first", call,
                         ki_query_label_of(query).text, where);
    }
    kith_hint hint = {.word = name, .length = strlen(name)};
    uint32_t parameter = ki_conditions_find_parameter(query, name, &hint);
    if (parameter == KI_NO_PARAMETER) {
        return ki_fail(context, KITH_ERR_UNKNOWN,
                       "%s: %s has no kith_bound(\"%.100s\"), in text $%.100s%s", call,
                       ki_query_label_of(query).text, name, name, kith_hint_text(&hint).text);
    }
    ki_bound_value value;
    KI_TRY(ki_bound_value_make(query, call, parameter, operand, &value));
    ki_conditions_bind(query, &value);
    return KITH_OK;
}

kith_result kith_query_bind_operand(kith_query *query, const char *name, kith_operand operand)
{
    if (KI_CHECKED && query == NULL) {
        return ki_misuse(NULL, "kith_query_bind: the query is NULL");
    }
    return ki_query_bind(query, "kith_query_bind", name, &operand);
}
