#include "naive_terms.h"

#include <string.h>

#include "test.h"

void naive_begin(naive_terms *t)
{
    memset(t, 0, sizeof(*t));
    t->numbers = 1;
}

void naive_add(naive_terms *t, kith_term term)
{
    t->list[t->count++] = term;
    CHECK(t->count < NAIVE_LIST);
}

kith_term *naive_list(naive_terms *t, uint32_t count)
{
    kith_term *list = &t->terms[t->term_count];
    t->term_count += count + 1;
    CHECK(t->term_count <= NAIVE_NODES);
    return list;
}

kith_condition *naive_condition(naive_terms *t, kith_op op)
{
    CHECK(t->condition_count < NAIVE_NODES);
    kith_condition *condition = &t->conditions[t->condition_count++];
    condition->op = op;
    return condition;
}

kith_operand *naive_operands(naive_terms *t, uint32_t count)
{
    kith_operand *operands = &t->operands[t->operand_count];
    t->operand_count += count;
    CHECK(t->operand_count <= NAIVE_NODES);
    return operands;
}

kith_term naive_pair(naive_terms *t, const kith_type *type, uint32_t source, uint32_t target,
                     uint32_t link)
{
    kith_operand *numbers = naive_operands(t, 4);
    numbers[0] = kith_other_(source, NULL);
    numbers[1] = kith_other_(target, NULL);
    if (link != NAIVE_NO_LINK) {
        numbers[2] = kith_other_(link, NULL);
    }
    kith_condition *condition = naive_condition(t, KITH_OP_PAIR);
    condition->values = numbers;
    return (kith_term){.type = type, .condition = condition};
}

kith_term naive_via(naive_terms *t, kith_op op, const kith_type *type, const char *field,
                    kith_term asked)
{
    kith_condition *condition = naive_condition(t, op);
    kith_term *list = naive_list(t, 1);
    list[0] = asked;
    condition->field = field;
    condition->terms = list;
    return (kith_term){.type = type, .condition = condition};
}

kith_term naive_other(naive_terms *t, uint32_t number, kith_term asked)
{
    kith_term other = naive_via(t, KITH_OP_OTHER, NULL, NULL, asked);
    t->conditions[t->condition_count - 1].offset = number;
    return other;
}

kith_term naive_group(naive_terms *t, kith_op op, kith_term first, kith_term second)
{
    kith_condition *group = naive_condition(t, op);
    kith_term *list = naive_list(t, 2);
    list[0] = first;
    list[1] = second;
    group->terms = list;
    return (kith_term){.condition = group};
}

kith_term naive_not(naive_terms *t, kith_term term)
{
    kith_condition *group = naive_condition(t, KITH_OP_NOT);
    kith_term *list = naive_list(t, 1);
    list[0] = term;
    group->terms = list;
    return (kith_term){.condition = group};
}
