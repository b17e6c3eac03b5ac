/* The types that conditions are about. */
#include "query/condition.h"
#include "query/term_list.h"

const kith_operand *ki_condition_operands(const kith_condition *condition, uint32_t *count)
{
    *count = 1;
    if (!ki_condition_has_list(condition)) {
        return &condition->value;
    }
    *count = 0;
    while (condition->values[*count].kind != KITH_OPERAND_NONE) {
        ++*count;
    }
    return condition->values;
}

/* Whether an entity without the relation satisfies a term about another entity. */
static bool types_is_satisfied_alone(const kith_term *term)
{
    kith_role role = ki_via_innermost(term)->role;
    return role == KITH_MAY || (role == KITH_MUST_NOT && term->condition->op == KITH_OP_NEAREST);
}

/* Appends the types of an operand: those along the way, and that of the field. With `required` only the
 * one that the entity must have which the condition is about. */
static uint32_t types_add_operand(const kith_operand *operand, bool required,
                                  const kith_type **types, uint32_t count)
{
    if (!ki_operand_is_field(operand)) {
        return count;
    }
    if (required && operand->kind == KITH_OPERAND_OTHER) {
        return count;
    }
    for (bool more = true; more && operand != NULL; operand = operand->of) {
        if (operand->kind != KITH_OPERAND_THIS && operand->kind != KITH_OPERAND_OTHER) {
            if (types != NULL) {
                types[count] = operand->type;
            }
            count++;
            more = !required;
        }
    }
    return count;
}

/* Whether a term is a pair, and not the query's entity is what has its relation. */
static bool types_is_pair_of_others(const kith_term *term)
{
    if (term->condition == NULL || term->condition->op != KITH_OP_PAIR) {
        return false;
    }
    const bool many = (term->type->relation & KITH_MANY) != 0;
    const kith_operand *holder = &term->condition->values[many ? 2 : 0];
    return holder->kind != KITH_OPERAND_OTHER || holder->length != 0;
}

/* Appends the types of a term of a group. With `required`, only what an entity must have. */
static uint32_t types_add_term(const kith_term *term, bool required, const kith_type **types,
                               uint32_t count)
{
    const kith_condition *condition = term->condition;
    if (condition != NULL && condition->op == KITH_OP_PAIR && term->type == NULL) {
        return count;
    }
    if (condition != NULL && condition->op == KITH_OP_OTHER) {
        return required ? count : types_add_term(condition->terms, false, types, count);
    }
    if (condition != NULL && ki_via_is_condition(condition)) {
        bool satisfied = types_is_satisfied_alone(term);
        if (types != NULL && !(required && satisfied)) {
            types[count] = term->type;
        }
        count += !(required && satisfied);
        return required ? count : types_add_term(condition->terms, false, types, count);
    }
    if (condition != NULL && condition->op == KITH_OP_KEY) {
        if (types != NULL) {
            types[count] = term->type;
        }
        count++;
        return required ? count : types_add_term(condition->terms, false, types, count);
    }
    if (condition != NULL && ki_condition_is_group(condition)) {
        if (required && condition->op != KITH_OP_ALL) {
            return count;
        }
        for (uint32_t i = 0, all = ki_terms_count(condition->terms); i < all; i++) {
            count = types_add_term(&condition->terms[i], required, types, count);
        }
        return count;
    }
    if (required && (term->role == KITH_MUST_NOT || types_is_pair_of_others(term))) {
        return count;
    }
    if (types != NULL) {
        types[count] = term->type;
    }
    count++;
    uint32_t operand_count = 0;
    const kith_operand *operands =
        condition == NULL ? NULL : ki_condition_operands(condition, &operand_count);
    bool listed = condition != NULL && condition->op == KITH_OP_IN;
    for (uint32_t i = 0; i < operand_count && !(required && listed); i++) {
        count = types_add_operand(&operands[i], required, types, count);
    }
    return count;
}

uint32_t ki_conditions_types(const kith_term *terms, bool required, const kith_type **types)
{
    uint32_t count = 0;
    for (uint32_t i = 0, all = ki_terms_count(terms); i < all; i++) {
        if (terms[i].condition != NULL) {
            count = types_add_term(&terms[i], required, types, count);
        }
    }
    return count;
}
