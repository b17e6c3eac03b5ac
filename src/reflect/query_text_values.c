/* Makes operands of the values in a query in text. */
#include "reflect/query_text_compile.h"

#include <string.h>

#include <kith/hierarchy.h>

#include "query/via.h"
#include "reflect/text.h"

static kith_result compile_number(ki_compiler *c, kith_token token, kith_operand *operand)
{
    const char *text = token.start;
    if (ki_number_parse(KITH_I64, text, token.length, &operand->as.i64)) {
        operand->kind = KITH_OPERAND_I64;
    } else if (ki_number_parse(KITH_U64, text, token.length, &operand->as.u64)) {
        operand->kind = KITH_OPERAND_U64;
    } else if (ki_number_parse(KITH_F64, text, token.length, &operand->as.f64)) {
        operand->kind = KITH_OPERAND_F64;
    } else {
        char expected[96];
        ki_number_expected(KITH_F64, expected, sizeof expected);
        return ki_syntax_fail_at(&c->syntax, token, "%s", expected);
    }
    return KITH_OK;
}

static kith_result compile_entity(ki_compiler *c, kith_token token, kith_operand *operand)
{
    char text[KI_NUMBER_TEXT] = "";
    operand->kind = KITH_OPERAND_ENTITY;
    if (token.length < sizeof text) {
        memcpy(text, token.start, token.length);
        text[token.length] = '\0';
    }
    return strcmp(text, "none") == 0 || kith_entity_from_text(text, &operand->as.entity) == KITH_OK
               ? KITH_OK
               : ki_syntax_fail_at(&c->syntax, token, "an entity, like Entity(2v1), or none");
}

static bool compile_is_way(const ki_syntax_node *node)
{
    return node->kind == KI_SYNTAX_VIA || node->kind == KI_SYNTAX_UP ||
           node->kind == KI_SYNTAX_THIS;
}

kith_result ki_compile_check_steps(ki_compiler *c, const ki_syntax_node *node, uint32_t steps)
{
    return steps < KI_VIA_STEPS_MAX
               ? KITH_OK
               : ki_syntax_fail_at(&c->syntax, node->name, "at most %u relations in one term",
                                   KI_VIA_STEPS_MAX);
}

/* Makes `to` the step of a node to another entity; what comes after it is `of`. */
static kith_result compile_way_step(ki_compiler *c, const ki_syntax_node *node, uint32_t steps,
                                    kith_operand *to, const kith_operand *of)
{
    ki_named_field step;
    KI_TRY(ki_compile_check_steps(c, node, steps));
    if (node->kind == KI_SYNTAX_VIA) {
        KI_TRY(ki_compile_step(c, node->name, &step));
        *to =
            kith_operand_of_(KITH_OPERAND_TARGET, step.type, step.field.name, step.field.size, of);
        return KITH_OK;
    }
    const ki_syntax_node *asked = ki_syntax_at(&c->syntax, node->first);
    *to = kith_operand_of_(KITH_OPERAND_NEAREST, &kith_child_of_type, NULL, 0, of);
    return asked->kind == KI_SYNTAX_FIELD
               ? KITH_OK
               : ki_syntax_fail_at(&c->syntax, asked->name, "one field, in up as a value");
}

/* Makes the operand of a field of another entity, or of the query's entity. */
static kith_result compile_way(ki_compiler *c, const ki_syntax_node *node, kith_operand *to)
{
    ki_named_field found;
    uint32_t entity = node->kind == KI_SYNTAX_VIA || node->kind == KI_SYNTAX_FIELD
                          ? ki_compile_entity(c, node->name)
                          : KI_NO_ENTITY;
    if (entity != KI_NO_ENTITY && node->kind == KI_SYNTAX_FIELD) {
        *to = kith_other_(entity, NULL);
        return KITH_OK;
    }
    for (uint32_t steps = 0; compile_is_way(node);) {
        kith_operand *of = c->next_operand++;
        if (entity != KI_NO_ENTITY) {
            *to = kith_other_(entity, of);
            entity = KI_NO_ENTITY;
        } else if (node->kind == KI_SYNTAX_THIS) {
            bool whole = node->first == 0;
            *to = kith_operand_of_(KITH_OPERAND_THIS, NULL, NULL, 0, whole ? NULL : of);
            if (whole) {
                return KITH_OK;
            }
        } else {
            KI_TRY(compile_way_step(c, node, steps++, to, of));
        }
        node = ki_syntax_at(&c->syntax, node->first);
        to = of;
    }
    KI_TRY(ki_compile_field(c, node->name, &found));
    *to = kith_operand_field_(found.type, found.field.name, found.field.size);
    return KITH_OK;
}

kith_result ki_compile_value(ki_compiler *c, uint32_t number, kith_operand *operand)
{
    const ki_syntax_node *node = ki_syntax_at(&c->syntax, number);
    char *bytes;
    size_t length = 0;
    switch (node->kind) {
    case KI_SYNTAX_NUMBER: return compile_number(c, node->name, operand);
    case KI_SYNTAX_ENTITY: return compile_entity(c, node->name, operand);
    case KI_SYNTAX_BOOL:
        operand->kind = KITH_OPERAND_BOOL;
        operand->as.boolean = *node->name.start == 't';
        return KITH_OK;
    case KI_SYNTAX_FIELD:
    case KI_SYNTAX_VIA:
    case KI_SYNTAX_UP:
    case KI_SYNTAX_THIS: return compile_way(c, node, operand);
    default:
        KI_TRY(ki_compile_bytes(c, node->name, &bytes, &length));
        operand->kind = node->kind == KI_SYNTAX_STRING ? KITH_OPERAND_STRING : KITH_OPERAND_BOUND;
        operand->as.string = bytes;
        operand->length = (uint32_t)length;
        return KITH_OK;
    }
}

ki_compile_sort ki_compile_sort_of(const kith_field *field)
{
    bool one = field->size == kith_kind_size(field->kind);
    if (!one && field->kind != KITH_CHAR) {
        return KI_COMPILE_LIST;
    }
    switch (field->kind) {
    case KITH_TEXT: return KI_COMPILE_TEXT;
    case KITH_CHAR: return one ? KI_COMPILE_NUMBER : KI_COMPILE_TEXT;
    case KITH_BOOL: return KI_COMPILE_BOOL;
    case KITH_ENTITY: return KI_COMPILE_ENTITY;
    default: return KI_COMPILE_NUMBER;
    }
}

/* Whether a value can be compared with a field. */
static bool compile_fits(ki_compiler *c, uint32_t value, const ki_named_field *field)
{
    const ki_syntax_node *node = ki_syntax_at(&c->syntax, value);
    ki_compile_sort sort = ki_compile_sort_of(&field->field);
    ki_named_field other;
    while (compile_is_way(node) && node->first != 0) {
        node = ki_syntax_at(&c->syntax, node->first);
    }
    switch (node->kind) {
    case KI_SYNTAX_NUMBER: return sort == KI_COMPILE_NUMBER;
    case KI_SYNTAX_BOOL: return sort == KI_COMPILE_BOOL;
    case KI_SYNTAX_STRING: return sort == KI_COMPILE_TEXT;
    case KI_SYNTAX_THIS:
    case KI_SYNTAX_ENTITY: return sort == KI_COMPILE_ENTITY;
    case KI_SYNTAX_FIELD:
        if (ki_compile_entity(c, node->name) != KI_NO_ENTITY) {
            return sort == KI_COMPILE_ENTITY;
        }
        return ki_compile_field(c, node->name, &other) == KITH_OK &&
               ki_compile_sort_of(&other.field) == sort;
    default: return true;
    }
}

kith_result ki_compile_operand(ki_compiler *c, const ki_named_field *field, uint32_t value,
                               kith_operand *operand)
{
    static const char *const names[] = {"a number", "true or false", "a text in ' '",
                                        "an entity, like Entity(2v1) or none"};
    KI_TRY(ki_compile_value(c, value, operand));
    const bool is_char = field->field.kind == KITH_CHAR && field->field.size == 1;
    if (is_char && operand->length == 1 && operand->kind == KITH_OPERAND_STRING) {
        *operand = kith_operand_char_(*operand->as.string);
        return KITH_OK;
    }
    char *next_byte = c->next_byte;
    bool fits = compile_fits(c, value, field);
    c->next_byte = next_byte;
    return fits ? KITH_OK
                : ki_syntax_fail_at(&c->syntax, ki_syntax_at(&c->syntax, value)->name,
                                    "%s%s for %s.%s",
                                    is_char ? "a single character, or " : "",
                                    names[ki_compile_sort_of(&field->field)], field->type->name,
                                    field->field.name);
}
