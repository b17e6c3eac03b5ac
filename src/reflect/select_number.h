/* The numbers that a selection itself asks for: its limit, and the place that it is ordered by. */
#ifndef KI_REFLECT_SELECT_NUMBER_H
#define KI_REFLECT_SELECT_NUMBER_H

#include <kith/condition.h>

/* A number that the text has, or that is bound later. */
typedef struct ki_select_number {
    const char *parameter; /* NULL: the text has it */
    kith_operand value;    /* KITH_OPERAND_NONE: none is there yet */
} ki_select_number;

/* Whether a number is not bound yet, or fits as a limit. */
static inline bool ki_select_is_limit(const ki_select_number *number)
{
    return number->parameter != NULL || number->value.kind == KITH_OPERAND_U64 ||
           (number->value.kind == KITH_OPERAND_I64 && number->value.as.i64 >= 0);
}

/* Whether a number is not bound yet, or fits as a coordinate. */
static inline bool ki_select_is_coordinate(const ki_select_number *number)
{
    return number->parameter != NULL || number->value.kind == KITH_OPERAND_I64 ||
           number->value.kind == KITH_OPERAND_U64 || number->value.kind == KITH_OPERAND_F64;
}

#endif
