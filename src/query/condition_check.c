/* Checks conditions among a query's terms, before anything is followed further than it was checked. */
#include "query/condition.h"

#include "query/pair_walk.h"
#include "query/term_list.h"

static bool check_is_comparison(kith_op op)
{
    return op >= KITH_OP_LESS && op <= KITH_OP_GREATER_EQUAL;
}

/* Checks the way to a field of another entity. NULL: it is right. */
static const char *check_way(const kith_operand *operand)
{
    uint32_t steps = 0;
    if (operand->kind == KITH_OPERAND_OTHER && operand->length >= KITH_ROW_ENTITIES) {
        return "is compared with what has a number in a row that is not below 8";
    }
    if (operand->kind == KITH_OPERAND_THIS || operand->kind == KITH_OPERAND_OTHER) {
        operand = operand->of;
    }
    for (; operand != NULL && operand->kind != KITH_OPERAND_FIELD; operand = operand->of) {
        bool nearest = operand->kind == KITH_OPERAND_NEAREST;
        if ((operand->kind != KITH_OPERAND_TARGET && !nearest) || operand->of == NULL) {
            return "is compared with what is no field of another entity: KITH_ITS_VIA, KITH_ITS_UP"
                   " and KITH_OF_THIS end with KITH_ITS, and KITH_OF_THIS begins";
        }
        if (operand->type == NULL || (nearest ? (operand->type->relation & KITH_ACYCLIC) == 0
                                              : operand->type->relation == 0 &&
                                                    operand->as.string == NULL)) {
            return "is compared with what KITH_ITS_VIA or KITH_ITS_UP do not lead to, as the type"
                   " there is not a relation";
        }
        if (nearest && operand->of->kind != KITH_OPERAND_FIELD) {
            return "is compared with what KITH_ITS_UP leads up to, which is only KITH_ITS";
        }
        if (++steps > KI_VIA_STEPS_MAX) {
            return "is compared with a field that is more than four relations away";
        }
    }
    return operand != NULL && operand->type == NULL ? "is compared with a field that has no type"
                                                    : NULL;
}

/* The two or three numbers of a place, and a distance. */
static const char *check_distance(const kith_condition *condition)
{
    uint32_t count = 0;
    bool numbers = true;
    for (; condition->values[count].kind != KITH_OPERAND_NONE; count++) {
        kith_operand_kind kind = condition->values[count].kind;
        numbers = numbers && (kind == KITH_OPERAND_BOUND ||
                              (kind >= KITH_OPERAND_I64 && kind <= KITH_OPERAND_F64));
    }
    return numbers && (count == 3 || count == 4)
               ? NULL
               : "asks for a distance, but not with the numbers x, y and the distance, or x, y, z"
                 " and the distance";
}

static const char *check_operands(const kith_condition *condition)
{
    const char *wrong = NULL;
    if (condition->op == KITH_OP_WITHIN) {
        return check_distance(condition);
    }
    if (condition->op != KITH_OP_IN) {
        return ki_operand_is_field(&condition->value) ? check_way(&condition->value) : NULL;
    }
    for (const kith_operand *value = condition->values;
         wrong == NULL && value->kind != KITH_OPERAND_NONE; value++) {
        wrong = ki_operand_is_field(value) ? check_way(value) : NULL;
    }
    return wrong;
}

static kith_result check_question(ki_context *context, const char *call, const kith_term *term)
{
    const kith_condition *condition = term->condition;
    const char *wrong = NULL;
    if (term->type == NULL) {
        wrong = "has no type";
    } else if (!check_is_comparison(condition->op) && !ki_condition_has_list(condition) &&
               !ki_op_is_of_text(condition->op) && !ki_op_is_of_path(condition->op)) {
        wrong = "has an operator that compares nothing; there are < <= == != > and >=";
    } else if (ki_condition_has_list(condition) && condition->values == NULL) {
        wrong = "has no list of values";
    } else if (!ki_condition_has_list(condition) &&
               (condition->value.kind == KITH_OPERAND_NONE ||
                (uint32_t)condition->value.kind > KITH_OPERAND_OTHER)) {
        wrong = "has nothing to compare with";
    } else {
        wrong = check_operands(condition);
    }
    return wrong == NULL ? KITH_OK
                         : ki_fail(context, KITH_ERR_INPUT, "%s: a condition about %s %s", call,
                                   term->type == NULL ? "(null)" : term->type->name, wrong);
}

static kith_result check_group(ki_context *context, const char *call, const kith_term *terms,
                               uint32_t depth);
static kith_result check_member(ki_context *context, const char *call, const kith_term *term,
                                uint32_t depth);

/* Checks what another entity is asked, which is not a condition. `numbered`: its value may be read. */
static kith_result check_asked_of_other(ki_context *context, const char *call,
                                        const kith_term *asked, bool numbered)
{
    const char *name = asked->type == NULL ? "(null)" : asked->type->name;
    if (KI_CHECKED && asked->access == KITH_ACCESS_WRITE) {
        return ki_misuse(context,
                         "%s: a term of another entity writes %s; read it, and write it through"
                         " a lookup or a command",
                         call, name);
    }
    const bool any = asked->role == KITH_ONE_OF;
    bool right = asked->type != NULL && (any || asked->group == 0) &&
                 asked->access != KITH_ACCESS_WRITE &&
                 (asked->role == KITH_MUST || asked->role == KITH_MUST_NOT ||
                  ((asked->role == KITH_MAY || any) && numbered)) &&
                 (asked->access == KITH_ACCESS_NONE || (asked->role != KITH_MUST_NOT && numbered));
    return right ? KITH_OK
                 : ki_fail(context, KITH_ERR_INPUT,
                           numbered ? "%s: what KITH_VIA or KITH_UP asks about %s is not KITH_READ,"
                                      " KITH_WITH, KITH_WITHOUT, KITH_OPTIONAL, KITH_ANY_OF or a"
                                      " condition"
                                    : "%s: what KITH_VIA or KITH_UP asks about %s, within a group"
                                      " of conditions, is not KITH_WITH, KITH_WITHOUT or a"
                                      " condition; KITH_ANY_OF is for the query's own list",
                           call, name);
}

/* What is wrong with a step to another entity, which is not by KITH_OTHER; NULL: nothing. */
static const char *check_step(const kith_term *term, const kith_term *list, uint32_t steps)
{
    const bool nearest = term->condition->op == KITH_OP_NEAREST;
    if (term->type == NULL ||
        (term->type->relation == 0 &&
         (nearest || (term->condition->field == NULL && term->condition->size == 0)))) {
        return "does not lead to another entity, as it is not a relation";
    }
    if (nearest && (term->type->relation & KITH_ACYCLIC) == 0) {
        return "is not KITH_ACYCLIC, and could lead in a circle";
    }
    if (nearest && list[0].condition != NULL &&
        (list[0].type == NULL || list[0].condition->op == KITH_OP_PAIR)) {
        return "leads up to one component, so that it takes no group of conditions, and no pair";
    }
    if (nearest && ki_via_is_condition(list[0].condition)) {
        return "leads up to a component, from where it does not go on";
    }
    return steps > KI_VIA_STEPS_MAX ? "is the fifth relation of a term, which may have four" : NULL;
}

/* The same of KITH_OTHER, before which a term has `before` steps. */
static const char *check_begin(const kith_term *term, uint32_t before)
{
    if (term->type != NULL || before != 0) {
        return "has no type, and is not in KITH_VIA, KITH_UP or another KITH_OTHER";
    }
    if (term->condition->offset == 0) {
        return "is about number 0, the query's own entity, which other terms are about";
    }
    return term->condition->offset >= KITH_ROW_ENTITIES
               ? "has a number in a row that is not below 8"
               : NULL;
}

/* What is wrong with a condition about what a function computes, or a group of such ones; NULL: nothing.
 * They are about one type, `*type`, which is NULL before the first of them. */
static const char *check_computed(const kith_term *terms, const kith_type **type)
{
    const char *wrong = NULL;
    for (uint32_t i = 0, count = ki_terms_count(terms); wrong == NULL && i < count; i++) {
        const kith_condition *condition = terms[i].condition;
        if (condition == NULL || condition->op >= KITH_OP_PAIR || ki_op_is_of_path(condition->op) ||
            ki_via_is_condition(condition)) {
            return "asks what is computed something else than KITH_IF and the like";
        }
        if (ki_condition_is_group(condition)) {
            wrong = check_computed(condition->terms, type);
            continue;
        }
        uint32_t operand_count;
        const kith_operand *operands = ki_condition_operands(condition, &operand_count);
        bool same = *type == NULL || terms[i].type == *type;
        bool known = true;
        *type = terms[i].type;
        for (uint32_t k = 0; k < operand_count; k++) {
            same = same && (operands[k].kind != KITH_OPERAND_FIELD || operands[k].type == *type);
            known = known && operands[k].kind < KITH_OPERAND_THIS;
        }
        wrong = !known
                    ? "compares what is computed with what is found from an entity; it is compared"
                      " with a value, or with another field of it"
                : !same ? "asks about fields of several types, of which one is computed"
                        : NULL;
    }
    return wrong;
}

/* Checks a condition about what a function computes. */
static kith_result check_key(ki_context *context, const char *call, const kith_term *term,
                             uint32_t depth)
{
    const kith_term *terms = term->condition->terms;
    const kith_type *type = NULL;
    const char *wrong = term->type == NULL             ? "has no type"
                        : term->condition->key == NULL ? "has no function"
                        : terms == NULL || ki_term_is_end(&terms[0]) || !ki_term_is_end(&terms[1])
                            ? "takes one condition; to ask more, write KITH_IF_ALL(...)"
                            : NULL;
    if (wrong == NULL) {
        KI_TRY(check_group(context, call, terms, depth + 1));
        wrong = check_computed(terms, &type);
        wrong = wrong == NULL && type == NULL ? "asks nothing about what is computed" : wrong;
    }
    return wrong == NULL ? KITH_OK
                         : ki_fail(context, KITH_ERR_INPUT, "%s: KITH_IF_KEY: %s %s", call,
                                   term->type == NULL ? "it" : term->type->name, wrong);
}

/* Checks the way to another entity, and what that is asked. */
static kith_result check_other(ki_context *context, const char *call, const kith_term *term,
                               bool numbered, uint32_t depth)
{
    uint32_t steps = 0;
    for (uint32_t terms = 0; ki_via_is_condition(term->condition); terms++) {
        const kith_term *list = term->condition->terms;
        const bool begins = term->condition->op == KITH_OP_OTHER;
        steps += !begins;
        const char *wrong =
            list == NULL || ki_term_is_end(&list[0]) || !ki_term_is_end(&list[1])
                ? "is about one term; to ask more, write one more KITH_VIA, KITH_UP or KITH_OTHER"
            : begins ? check_begin(term, terms)
                     : check_step(term, list, steps);
        if (wrong != NULL) {
            return ki_fail(context, KITH_ERR_INPUT, "%s: %s: %s %s", call,
                           begins ? "KITH_OTHER" : "KITH_VIA or KITH_UP",
                           begins               ? "it"
                           : term->type == NULL ? "(null)"
                                                : term->type->name,
                           wrong);
        }
        KI_TRY(ki_terms_check(context, call, "terms", list));
        term = list;
    }
    return term->condition == NULL ? check_asked_of_other(context, call, term, numbered)
                                   : check_member(context, call, term, depth + 1);
}

/* What is wrong with a pair; NULL: nothing that can be told without the others. */
static const char *check_pair(const kith_term *term, bool grouped)
{
    const kith_operand *numbers = term->condition->values;
    uint32_t count = 0;
    uint32_t any = 0;
    if (term->type != NULL && term->type->relation == 0) {
        return "is no relation, and links no entities";
    }
    for (; numbers != NULL && count < 4 && numbers[count].kind != KITH_OPERAND_NONE; count++) {
        const bool is_any = numbers[count].length == KITH_ANY;
        if (numbers[count].kind != KITH_OPERAND_OTHER || numbers[count].of != NULL ||
            (numbers[count].length >= KITH_ROW_ENTITIES && !is_any)) {
            return "links entities of a row, whose numbers are below 8";
        }
        any += is_any;
    }
    if (count != 2 && count != 3) {
        return "has the numbers of a source and a target, and perhaps of the link";
    }
    if (count == 3 && (term->type == NULL || (term->type->relation & KITH_MANY) == 0)) {
        return "is not of KITH_LINKS: its links are no entities";
    }
    if (any != 0 && (any > 1 || count == 3 || term->type == NULL)) {
        return "has KITH_ANY as one of its two ends, and finds no link";
    }
    return count == 3 && grouped ? "finds no link within a group of conditions, where it asks"
                                   " whether two entities are linked"
                                 : NULL;
}

static kith_result check_member(ki_context *context, const char *call, const kith_term *term,
                                uint32_t depth)
{
    if (term->access != KITH_ACCESS_NONE || term->group != 0 ||
        (term->role != KITH_MUST && (term->role != KITH_MUST_NOT || term->condition != NULL))) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: a term is in a group of conditions, or is one, but is not KITH_IF,"
                       " KITH_IF_ANY or the like, KITH_VIA, KITH_UP, KITH_WITH or KITH_WITHOUT",
                       call);
    }
    if (term->condition != NULL && term->condition->op == KITH_OP_PAIR) {
        const char *wrong = check_pair(term, depth != 0);
        return wrong == NULL ? KITH_OK
                             : ki_fail(context, KITH_ERR_INPUT, "%s: KITH_PAIR: %s %s", call,
                                       term->type == NULL ? "(null)" : term->type->name, wrong);
    }
    if (ki_via_is_condition(term->condition)) {
        return check_other(context, call, term, depth == 0, depth);
    }
    if (term->condition != NULL && term->condition->op == KITH_OP_KEY) {
        return check_key(context, call, term, depth);
    }
    if (term->condition == NULL) {
        return term->type != NULL
                   ? KITH_OK
                   : ki_fail(context, KITH_ERR_INPUT, "%s: a term in a group has no type", call);
    }
    return ki_condition_is_group(term->condition)
               ? check_group(context, call, term->condition->terms, depth + 1)
               : check_question(context, call, term);
}

/* Checks the list of a group. */
static kith_result check_group(ki_context *context, const char *call, const kith_term *terms,
                               uint32_t depth)
{
    if (terms == NULL || depth > KI_CONDITIONS_DEPTH) {
        return ki_fail(context, KITH_ERR_INPUT,
                       terms == NULL ? "%s: a group of conditions has no list of terms"
                                     : "%s: groups of conditions are within one another more than"
                                       " 16 times",
                       call);
    }
    KI_TRY(ki_terms_check(context, call, "terms", terms));
    for (uint32_t i = 0, count = ki_terms_count(terms); i < count; i++) {
        KI_TRY(check_member(context, call, &terms[i], depth));
    }
    return KITH_OK;
}

kith_result ki_conditions_check(ki_context *context, const char *call, const kith_term *terms)
{
    for (uint32_t i = 0, count = ki_terms_count(terms); i < count; i++) {
        if (terms[i].condition != NULL) {
            KI_TRY(check_member(context, call, &terms[i], 0));
        }
    }
    return KITH_OK;
}
