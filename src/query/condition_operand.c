/* What conditions compare with: exactly, whatever the kinds of the two sides are. */
#include <kith/floats.h>

#include "query/condition.h"

#include <math.h>
#include <stdio.h>

/* ---- Numbers: a comparison with a number of another kind becomes one with a number of the field's
 * own kind that holds for the same values. */

/* An operand, seen from the whole numbers that a kind has. */
typedef enum operand_place {
    OPERAND_BELOW,  /* less than all of them */
    OPERAND_AT,     /* it is one of them */
    OPERAND_AFTER,  /* after one of them, and before the next */
    OPERAND_ABOVE,  /* greater than all of them */
    OPERAND_NOWHERE /* not a number */
} operand_place;

static bool operand_is_signed(kith_kind kind)
{
    return kind == KITH_I8 || kind == KITH_I16 || kind == KITH_I32 || kind == KITH_I64;
}

/* The bits of a whole number of a kind, without that of the sign. */
static uint32_t operand_bits(kith_kind kind)
{
    return kind == KITH_BOOL ? 1 : kith_kind_size(kind) * 8 - operand_is_signed(kind);
}

/* 2 to the power of `bits`, which is at most 64. */
static double operand_power(uint32_t bits)
{
    return bits == 64 ? 18446744073709551616.0 : (double)(UINT64_C(1) << bits);
}

static operand_place operand_locate_f64(double value, kith_kind kind, ki_constant *floor)
{
    bool is_signed = operand_is_signed(kind);
    double limit = operand_power(operand_bits(kind));
    if (value != value) {
        return OPERAND_NOWHERE;
    }
    if (value < (is_signed ? -limit : 0)) {
        return OPERAND_BELOW;
    }
    if (value >= limit) {
        return OPERAND_ABOVE;
    }
    if (!is_signed) {
        floor->u64 = (uint64_t)value;
        return (double)floor->u64 == value ? OPERAND_AT : OPERAND_AFTER;
    }
    floor->i64 = (int64_t)value;
    if ((double)floor->i64 == value) {
        return OPERAND_AT;
    }
    floor->i64 -= value < 0; /* the conversion goes towards 0 */
    return OPERAND_AFTER;
}

static operand_place operand_locate_u64(uint64_t value, kith_kind kind, ki_constant *floor)
{
    uint32_t bits = operand_bits(kind);
    if (bits < 64 && value >> bits != 0) {
        return OPERAND_ABOVE;
    }
    if (operand_is_signed(kind)) {
        floor->i64 = (int64_t)value;
    } else {
        floor->u64 = value;
    }
    return OPERAND_AT;
}

static operand_place operand_locate_i64(int64_t value, kith_kind kind, ki_constant *floor)
{
    if (value >= 0) {
        return operand_locate_u64((uint64_t)value, kind, floor);
    }
    if (!operand_is_signed(kind) ||
        value < -1 - (int64_t)((UINT64_C(1) << operand_bits(kind)) - 1)) {
        return OPERAND_BELOW;
    }
    floor->i64 = value;
    return OPERAND_AT;
}

static operand_place operand_locate(const kith_operand *operand, kith_kind kind, ki_constant *floor)
{
    switch (operand->kind) {
    case KITH_OPERAND_F64: return operand_locate_f64(operand->as.f64, kind, floor);
    case KITH_OPERAND_I64: return operand_locate_i64(operand->as.i64, kind, floor);
    case KITH_OPERAND_U64: return operand_locate_u64(operand->as.u64, kind, floor);
    default: return operand_locate_u64(operand->as.boolean, kind, floor);
    }
}

/* A comparison that holds for all values of a kind or, with `all` false, for none; of floats it does not
 * hold for what is not a number. */
static kith_op operand_fixed(kith_kind kind, bool all, ki_constant *constant)
{
    if (kind == KITH_F32) {
        constant->f32 = -HUGE_VALF;
    } else if (kind == KITH_F64) {
        constant->f64 = -HUGE_VAL;
    } else if (operand_is_signed(kind)) {
        constant->i64 = -1 - (int64_t)((UINT64_C(1) << operand_bits(kind)) - 1);
    } else {
        constant->u64 = 0;
    }
    return all ? KITH_OP_GREATER_EQUAL : KITH_OP_LESS;
}

static kith_op operand_compare_whole(kith_op op, kith_kind kind, const kith_operand *operand,
                                     ki_constant *constant)
{
    switch (operand_locate(operand, kind, constant)) {
    case OPERAND_AT: return op;
    case OPERAND_BELOW: return operand_fixed(kind, (op & KITH_OP_GREATER) != 0, constant);
    case OPERAND_ABOVE: return operand_fixed(kind, (op & KITH_OP_LESS) != 0, constant);
    case OPERAND_NOWHERE: return operand_fixed(kind, false, constant);
    case OPERAND_AFTER: break;
    }
    bool less = (op & KITH_OP_LESS) != 0;
    bool greater = (op & KITH_OP_GREATER) != 0;
    if (less == greater) {
        return operand_fixed(kind, less, constant);
    }
    return less ? KITH_OP_LESS_EQUAL : KITH_OP_GREATER;
}

/* How a float compares with an operand: -1, 0 or 1. Neither is a NaN. */
static int operand_order(double value, const kith_operand *operand)
{
    if (operand->kind == KITH_OPERAND_F64) {
        return (value > operand->as.f64) - (value < operand->as.f64);
    }
    /* `value` is not a NaN, so it is somewhere among the whole numbers. */
    bool is_signed = operand->kind == KITH_OPERAND_I64;
    ki_constant floor;
    operand_place place = operand_locate_f64(value, is_signed ? KITH_I64 : KITH_U64, &floor);
    if (place == OPERAND_BELOW || place == OPERAND_ABOVE) {
        return place == OPERAND_BELOW ? -1 : 1;
    }
    uint64_t u64 = operand->kind == KITH_OPERAND_BOOL ? operand->as.boolean : operand->as.u64;
    int order = is_signed ? (floor.i64 > operand->as.i64) - (floor.i64 < operand->as.i64)
                          : (floor.u64 > u64) - (floor.u64 < u64);
    return order == 0 && place == OPERAND_AFTER ? 1 : order;
}

static kith_op operand_compare_float(kith_op op, kith_kind kind, const kith_operand *operand,
                                     ki_constant *constant)
{
    double value = operand->kind == KITH_OPERAND_F64   ? operand->as.f64
                   : operand->kind == KITH_OPERAND_I64 ? (double)operand->as.i64
                   : operand->kind == KITH_OPERAND_U64 ? (double)operand->as.u64
                                                       : (double)operand->as.boolean;
    if (value != value) {
        return operand_fixed(kind, false, constant);
    }
    if (kind == KITH_F32) {
        constant->f32 = (float)value;
        value = (double)constant->f32;
    } else {
        constant->f64 = value;
    }
    int order = operand_order(value, operand);
    if (order == 0) {
        return op;
    }
    /* The nearest float is not the operand, but above or below it, and no float is between. */
    bool less = (op & KITH_OP_LESS) != 0;
    bool greater = (op & KITH_OP_GREATER) != 0;
    if (less == greater) {
        return operand_fixed(kind, less, constant);
    }
    if (less) {
        return order > 0 ? KITH_OP_LESS : KITH_OP_LESS_EQUAL;
    }
    return order > 0 ? KITH_OP_GREATER_EQUAL : KITH_OP_GREATER;
}

kith_op ki_condition_number(kith_op op, kith_kind kind, const kith_operand *operand,
                            ki_constant *constant)
{
    return kind == KITH_F32 || kind == KITH_F64
               ? operand_compare_float(op, kind, operand, constant)
               : operand_compare_whole(op, kind, operand, constant);
}

/* ---- Which operands fit a field */

static bool operand_is_number(const kith_operand *operand)
{
    return operand->kind >= KITH_OPERAND_BOOL && operand->kind <= KITH_OPERAND_F64;
}

/* "the text \"abc\"", "the number 7". */
static void operand_describe(const kith_operand *operand, char *text, size_t size)
{
    switch (operand->kind) {
    case KITH_OPERAND_BOOL:
        snprintf(text, size, "%s", operand->as.boolean ? "true" : "false");
        break;
    case KITH_OPERAND_I64:
        snprintf(text, size, "the number %lld", (long long)operand->as.i64);
        break;
    case KITH_OPERAND_U64:
        snprintf(text, size, "the number %llu", (unsigned long long)operand->as.u64);
        break;
    case KITH_OPERAND_F64: snprintf(text, size, "the number %g", operand->as.f64); break;
    case KITH_OPERAND_STRING:
        snprintf(text, size, "the text \"%.*s\"",
                 (int)(operand->length < 60 ? operand->length : 60), operand->as.string);
        break;
    case KITH_OPERAND_TEXT:
        snprintf(text, size, "interned text number %u", operand->as.text.number);
        break;
    case KITH_OPERAND_ENTITY:
        snprintf(text, size, "the entity %uv%u", operand->as.entity.index1,
                 operand->as.entity.generation);
        break;
    default: snprintf(text, size, "what is no value (kind %d)", (int)operand->kind); break;
    }
}

void ki_condition_name_field(const ki_condition_node *node, char *text, size_t size)
{
    text[0] = '\0';
    const kith_type *type = node->field.component->type;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        uint32_t at = node->field.offset - field->offset;
        if (node->field.offset >= field->offset && at < field->size) {
            if (node->field.size == field->size) {
                snprintf(text, size, "%s", field->name);
            } else {
                snprintf(text, size, "%s[%u]", field->name, at / kith_kind_size(field->kind));
            }
            return;
        }
    }
}

kith_result ki_condition_check_op(ki_context *context, const char *call,
                                  const ki_condition_node *node)
{
    const bool text = ki_condition_is_text(&node->field);
    const bool equality = node->op == KITH_OP_EQUAL || node->op == KITH_OP_NOT_EQUAL;
    const bool number = !text && node->field.kind != KITH_ENTITY;
    const bool in_text = ki_op_is_of_text(node->op);
    if (equality || (in_text ? text && node->form == KI_CONDITION_STRING : number)) {
        return KITH_OK;
    }
    const char *type = node->field.component->type->name;
    char name[KI_CONDITION_FIELD_NAME];
    ki_condition_name_field(node, name, sizeof name);
    if (in_text && text) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: whether %s.%s begins with a text, contains it or is like it is asked"
                       " of a given text, not of another field",
                       call, type, name);
    }
    if (in_text) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: %s.%s is %s; only texts begin with a given text, contain it, or are"
                       " like it",
                       call, type, name, kith_kind_name(node->field.kind));
    }
    return ki_fail(context, KITH_ERR_INPUT,
                   "%s: %s.%s holds %s, which are equal or not, but not less or greater", call,
                   type, name, text ? "texts" : "entities");
}

static kith_result operand_reject(ki_context *context, const char *call,
                                  const ki_condition_node *node, const char *takes,
                                  const kith_operand *operand)
{
    char given[100];
    char name[KI_CONDITION_FIELD_NAME];
    operand_describe(operand, given, sizeof given);
    if (node->form == KI_CONDITION_PATH) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: a path is compared with %s, not with %s", call,
                       takes, given);
    }
    ki_condition_name_field(node, name, sizeof name);
    return ki_fail(context, KITH_ERR_INPUT, "%s: %s.%s is %s, and is compared with %s, not with %s",
                   call, node->field.component->type->name, name, kith_kind_name(node->field.kind),
                   takes, given);
}

/* The number of a text, if it was interned. */
static uint32_t operand_find_text(const ki_texts *texts, const ki_condition_node *node)
{
    return node->field.kind == KITH_TEXT ? ki_texts_find(texts, node->text, node->length)
                                         : UINT32_MAX;
}

static kith_result operand_set_text(ki_context *context, const char *call, ki_condition_node *node,
                                    const kith_operand *operand, const ki_texts *texts)
{
    node->text = operand->as.string;
    node->length = operand->length;
    if (operand->kind == KITH_OPERAND_TEXT) {
        const ki_text *text = ki_texts_at(texts, operand->as.text.number);
        if (text == NULL) {
            return operand_reject(context, call, node, "texts of its own world", operand);
        }
        node->text = text->bytes;
        node->length = text->length;
    } else if (operand->kind != KITH_OPERAND_STRING || node->text == NULL) {
        return operand_reject(context, call, node, "texts", operand);
    }
    node->number = operand_find_text(texts, node);
    return KITH_OK;
}

/* Sets a number of a place, or a distance. */
static kith_result operand_set_coordinate(ki_context *context, const char *call,
                                          ki_condition_node *node, const kith_operand *operand)
{
    switch (operand->kind) {
    case KITH_OPERAND_I64: node->constant.f64 = (double)operand->as.i64; return KITH_OK;
    case KITH_OPERAND_U64: node->constant.f64 = (double)operand->as.u64; return KITH_OK;
    case KITH_OPERAND_F64: node->constant.f64 = operand->as.f64; return KITH_OK;
    default: break;
    }
    char given[100];
    operand_describe(operand, given, sizeof given);
    return ki_fail(context, KITH_ERR_INPUT,
                   "%s: a place and a distance of %s are numbers, and one of them is %s", call,
                   node->field.component->type->name, given);
}

kith_result ki_condition_set_operand(ki_context *context, const char *call, ki_condition_node *node,
                                     const kith_operand *operand, const ki_texts *texts)
{
    switch (node->form) {
    case KI_CONDITION_COORDINATE: return operand_set_coordinate(context, call, node, operand);
    case KI_CONDITION_PATH:
    case KI_CONDITION_STRING: return operand_set_text(context, call, node, operand, texts);
    case KI_CONDITION_ENTITY:
        if (operand->kind != KITH_OPERAND_ENTITY) {
            return operand_reject(context, call, node, "entities", operand);
        }
        node->constant.entity = operand->as.entity;
        return KITH_OK;
    default: break;
    }
    if (!operand_is_number(operand)) {
        return operand_reject(context, call, node,
                              node->field.kind == KITH_CHAR ? "one letter, as 'a', or a number"
                                                            : "numbers",
                              operand);
    }
    node->op = ki_condition_number(node->asked, node->field.kind, operand, &node->constant);
    return KITH_OK;
}
