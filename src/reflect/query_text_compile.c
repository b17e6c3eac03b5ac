/* Makes terms and conditions of the tree of a query in text. */
#include "reflect/query_text_compile.h"

#include <stddef.h>
#include <string.h>

#include <kith/name.h>

#include "query/condition.h"
#include "query/term_list.h"
#include "reflect/text.h"
#include "store/field_names.h"

/* ---- Memory: one piece for all, with room for the most that a tree of this size can need */

static kith_result compile_reserve(ki_compiler *c)
{
    uint64_t nodes = c->syntax.count;
    uint64_t bytes = (4 * nodes + 2) * sizeof(kith_term) + 3 * nodes * sizeof(kith_condition) +
                     2 * nodes * sizeof(kith_operand) + 2 * c->syntax.reader.length + 2 * nodes;
    c->size = bytes > KI_HEAP_MOST ? KI_HEAP_MOST : (size_t)bytes;
    c->memory = ki_heap_alloc_zeroed(&c->world->store.context.heap, c->size, _Alignof(max_align_t));
    if (c->memory == NULL) {
        return KITH_ERR_MEMORY;
    }
    c->next_operand = (kith_operand *)(void *)c->memory;
    c->next_condition = (kith_condition *)(void *)(c->next_operand + 2 * nodes);
    c->next_term = (kith_term *)(void *)(c->next_condition + 3 * nodes);
    c->next_byte = (char *)(c->next_term + 4 * nodes + 2);
    return KITH_OK;
}

/* ---- Conditions */

/* Whether a list is short enough for a query. */
static kith_result compile_check_count(ki_compiler *c, kith_token start, uint32_t count)
{
    return count <= KI_LIST_MAX
               ? KITH_OK
               : ki_syntax_fail_at(&c->syntax, start,
                                   "a list of at most %u terms, conditions or values, not %u, which"
                                   " starts here",
                                   KI_LIST_MAX, count);
}

/* Where a condition is: within a list that holds if all do, the query's own or that of KITH_OP_ALL, or
 * alone. */
typedef enum compile_place { COMPILE_TOP, COMPILE_ALL, COMPILE_ALONE } compile_place;

/* How many terms a condition becomes. */
static uint32_t compile_width(const ki_compiler *c, uint32_t number, compile_place place)
{
    const ki_syntax_node *node = ki_syntax_at(&c->syntax, number);
    if (place == COMPILE_ALONE ||
        (node->kind != KI_SYNTAX_AND && node->kind != KI_SYNTAX_BETWEEN)) {
        return 1;
    }
    uint32_t width = node->kind == KI_SYNTAX_BETWEEN ? 2 : 0;
    for (uint32_t i = node->first; node->kind == KI_SYNTAX_AND && i != 0;
         i = ki_syntax_at(&c->syntax, i)->next) {
        width += compile_width(c, i, place);
    }
    return width;
}

static kith_result compile_condition(ki_compiler *c, uint32_t number, compile_place place,
                                     kith_term **to);

/* Makes `*to` a group of one term, and adds that; `*inner` is it. */
static void compile_group_of_one(ki_compiler *c, kith_op op, kith_term **to, kith_term **inner)
{
    *inner = c->next_term;
    c->next_term += 2;
    *c->next_condition = (kith_condition){.op = op, .terms = *inner};
    *(*to)++ = (kith_term){.condition = c->next_condition++};
}

/* Adds a term with a list of its own: all of a node's children, or the node itself. */
static kith_result compile_list(ki_compiler *c, uint32_t number, kith_op op, bool itself,
                                kith_term **to)
{
    compile_place place = op == KITH_OP_ALL ? COMPILE_ALL : COMPILE_ALONE;
    const ki_syntax_node *node = ki_syntax_at(&c->syntax, number);
    uint32_t first = itself ? number : node->first;
    kith_condition *condition = c->next_condition++;
    uint32_t width = 0;
    for (uint32_t i = first; i != 0; i = itself ? 0 : ki_syntax_at(&c->syntax, i)->next) {
        width += compile_width(c, i, place);
    }
    KI_TRY(compile_check_count(c, node->name, width));
    if (c->depth == KI_CONDITIONS_DEPTH) {
        return ki_syntax_fail_at(&c->syntax, node->name,
                                 "at most %u groups of conditions within one another",
                                 KI_CONDITIONS_DEPTH);
    }
    c->depth++;
    kith_term *list = c->next_term;
    c->next_term += width + 1;
    *condition = (kith_condition){.op = op, .terms = list};
    *(*to)++ = (kith_term){.condition = condition};
    for (uint32_t i = first; i != 0; i = itself ? 0 : ki_syntax_at(&c->syntax, i)->next) {
        KI_TRY(compile_condition(c, i, place, &list));
    }
    c->depth--;
    return KITH_OK;
}

static bool compile_is_of_text(const ki_syntax_node *node)
{
    return node->kind == KI_SYNTAX_PREFIX || node->kind == KI_SYNTAX_CONTAINS ||
           node->kind == KI_SYNTAX_LIKE;
}

/* Whether a field can be asked what a node asks. */
static kith_result compile_check(ki_compiler *c, const ki_syntax_node *node,
                                 const ki_named_field *field)
{
    ki_compile_sort sort = ki_compile_sort_of(&field->field);
    kith_token name = ki_syntax_at(&c->syntax, node->first)->name;
    bool texts = compile_is_of_text(node);
    bool orders = node->kind == KI_SYNTAX_BETWEEN ||
                  (node->kind == KI_SYNTAX_COMPARE && node->op != KITH_OP_EQUAL &&
                   node->op != KITH_OP_NOT_EQUAL);
    if (sort == KI_COMPILE_LIST) {
        return ki_syntax_fail_at(
            &c->syntax, name, "a field with one value (%s.%s is %u bytes of %s)", field->type->name,
            field->field.name, field->field.size, kith_kind_name(field->field.kind));
    }
    if ((texts && sort != KI_COMPILE_TEXT) || (orders && sort != KI_COMPILE_NUMBER)) {
        return ki_syntax_fail_at(&c->syntax, name, "a field that is a %s (%s.%s is %s)",
                                 texts ? "text" : "number", field->type->name, field->field.name,
                                 kith_kind_name(field->field.kind));
    }
    return KITH_OK;
}

static void compile_add(ki_compiler *c, const ki_named_field *field, kith_condition condition,
                        kith_term **to)
{
    condition.field = field->field.name;
    condition.size = field->field.size;
    *c->next_condition = condition;
    *(*to)++ = (kith_term){.type = field->type, .condition = c->next_condition++};
}

/* Whether a question is about the path of the entity: `path`. */
static bool compile_is_path(const ki_compiler *c, const ki_syntax_node *node)
{
    const kith_token *name = &ki_syntax_at(&c->syntax, node->first)->name;
    return name->kind == KITH_TOKEN_WORD && name->length == 4 &&
           memcmp(name->start, "path", 4) == 0;
}

/* Adds the term of a question about the path. */
static kith_result compile_path(ki_compiler *c, const ki_syntax_node *node, kith_term **to)
{
    const ki_syntax_node *name = ki_syntax_at(&c->syntax, node->first);
    const ki_syntax_node *value = ki_syntax_at(&c->syntax, name->next);
    bool like = node->kind == KI_SYNTAX_LIKE;
    kith_operand operand = {.kind = KITH_OPERAND_NONE};
    if (!like && (node->kind != KI_SYNTAX_COMPARE || node->op != KITH_OP_EQUAL)) {
        return ki_syntax_fail_at(&c->syntax, name->name, "path = or path like, or not before it");
    }
    if (value->kind != KI_SYNTAX_STRING && value->kind != KI_SYNTAX_PARAMETER) {
        return ki_syntax_fail_at(&c->syntax, value->name, "a text in ' ' for a path, or $name");
    }
    KI_TRY(ki_compile_value(c, name->next, &operand));
    *c->next_condition =
        (kith_condition){.op = like ? KITH_OP_PATH_LIKE : KITH_OP_PATH, .value = operand};
    *(*to)++ = (kith_term){.type = &kith_name_type, .condition = c->next_condition++};
    return KITH_OK;
}

/* a = b, a != b */
static kith_result compile_same(ki_compiler *c, const ki_syntax_node *node, kith_term **to)
{
    kith_term *list = *to;
    if (node->op == KITH_OP_NOT_EQUAL) {
        compile_group_of_one(c, KITH_OP_NOT, to, &list);
    } else {
        ++*to;
    }
    return ki_compile_same(c, node, list);
}

/* Adds the one or two terms of a question about a field. */
static kith_result compile_question(ki_compiler *c, const ki_syntax_node *node, kith_term **to)
{
    ki_named_field field;
    uint32_t value = ki_syntax_at(&c->syntax, node->first)->next;
    kith_operand operand = {.kind = KITH_OPERAND_NONE};
    if (compile_is_path(c, node)) {
        return compile_path(c, node, to);
    }
    if (ki_compile_is_same(c, node)) {
        return compile_same(c, node, to);
    }
    KI_TRY(ki_compile_field(c, ki_syntax_at(&c->syntax, node->first)->name, &field));
    KI_TRY(compile_check(c, node, &field));
    if (node->kind == KI_SYNTAX_IN) {
        kith_operand *values = c->next_operand;
        uint32_t count = 0;
        for (uint32_t i = value; i != 0; i = ki_syntax_at(&c->syntax, i)->next) {
            count++;
        }
        KI_TRY(compile_check_count(c, node->name, count));
        c->next_operand += count + 1; /* and the end of the list */
        for (uint32_t i = 0; i < count; value = ki_syntax_at(&c->syntax, value)->next, i++) {
            KI_TRY(ki_compile_operand(c, &field, value, &values[i]));
        }
        compile_add(c, &field, (kith_condition){.op = KITH_OP_IN, .values = values}, to);
        return KITH_OK;
    }
    KI_TRY(ki_compile_operand(c, &field, value, &operand));
    if (compile_is_of_text(node) && ki_operand_is_field(&operand)) {
        return ki_syntax_fail_at(&c->syntax, ki_syntax_at(&c->syntax, value)->name,
                                 "a text in ' ' after prefix, contains or like, or $name");
    }
    kith_op op = node->kind == KI_SYNTAX_PREFIX     ? KITH_OP_PREFIX
                 : node->kind == KI_SYNTAX_CONTAINS ? KITH_OP_CONTAINS
                 : node->kind == KI_SYNTAX_LIKE     ? KITH_OP_LIKE
                 : node->kind == KI_SYNTAX_BETWEEN  ? KITH_OP_GREATER_EQUAL
                                                    : (kith_op)node->op;
    compile_add(c, &field, (kith_condition){.op = op, .value = operand}, to);
    if (node->kind == KI_SYNTAX_BETWEEN) {
        operand = (kith_operand){.kind = KITH_OPERAND_NONE};
        KI_TRY(ki_compile_operand(c, &field, ki_syntax_at(&c->syntax, value)->next, &operand));
        compile_add(c, &field, (kith_condition){.op = KITH_OP_LESS_EQUAL, .value = operand}, to);
    }
    return KITH_OK;
}

kith_result ki_compile_coordinates(ki_compiler *c, kith_token component, const kith_type *type,
                                   uint32_t count, const kith_field *fields[3])
{
    static const char *const names[] = {"x", "y", "z"};
    bool found = true;
    KI_ASSERT(count <= 3); /* the syntax has no more */
    for (uint32_t i = 0; i < count; i++) {
        const kith_field *field = ki_field_find(type, names[i], 1);
        found = found && field != NULL && field->size == kith_kind_size(field->kind) &&
                field->kind >= KITH_I8 && field->kind <= KITH_F64;
        fields[i] = field;
    }
    return found ? KITH_OK
                 : ki_syntax_fail_at(&c->syntax, component,
                                     "a component with fields x, y%s that are numbers",
                                     count == 3 ? ", z" : "");
}

/* within(T, x, y, distance), or with x, y and z. */
static kith_result compile_within(ki_compiler *c, const ki_syntax_node *node, kith_term **to)
{
    const ki_syntax_node *component = ki_syntax_at(&c->syntax, node->first);
    const kith_type *type;
    KI_TRY(ki_compile_component(c, component->name, &type));
    kith_operand *values = c->next_operand;
    uint32_t count = 0;
    for (uint32_t i = component->next; i != 0; i = ki_syntax_at(&c->syntax, i)->next) {
        const ki_syntax_node *value = ki_syntax_at(&c->syntax, i);
        if (value->kind != KI_SYNTAX_NUMBER && value->kind != KI_SYNTAX_PARAMETER) {
            return ki_syntax_fail_at(&c->syntax, value->name, "a number, or $name");
        }
        KI_TRY(ki_compile_value(c, i, &values[count++]));
    }
    c->next_operand += count + 1; /* and the end of the list */
    const kith_field *fields[3];
    KI_TRY(ki_compile_coordinates(c, component->name, type, count - 1, fields));
    *c->next_condition = (kith_condition){.op = KITH_OP_WITHIN, .values = values};
    *(*to)++ = (kith_term){.type = type, .condition = c->next_condition++};
    return KITH_OK;
}

/* has(T): as a condition it may name a type that a term names as well. */
static kith_result compile_has(ki_compiler *c, const ki_syntax_node *node, compile_place place,
                               kith_term **to)
{
    kith_term *list = *to;
    const kith_type *type;
    KI_TRY(ki_compile_component(c, ki_syntax_at(&c->syntax, node->first)->name, &type));
    if (place == COMPILE_TOP) {
        compile_group_of_one(c, KITH_OP_ALL, to, &list);
    } else {
        ++*to;
    }
    *list = (kith_term){.type = type, .access = KITH_ACCESS_NONE};
    return KITH_OK;
}

/* R(a, b): among the terms of the query it would find entities. */
static kith_result compile_pair(ki_compiler *c, const ki_syntax_node *node, compile_place place,
                                kith_term **to)
{
    kith_term *list = *to;
    if (place == COMPILE_TOP) {
        compile_group_of_one(c, KITH_OP_ALL, to, &list);
    } else {
        ++*to;
    }
    return ki_compile_pair(c, node, list);
}

/* The number of the entity of a row that a way begins at; 0: it begins where it is asked. */
static uint32_t compile_begin(const ki_compiler *c, const ki_syntax_node *node)
{
    uint32_t number = node->kind == KI_SYNTAX_VIA ? ki_compile_entity(c, node->name) : KI_NO_ENTITY;
    return number == KI_NO_ENTITY ? 0 : number;
}

/* Makes `to` the beginning of a question to another entity, and `*list`, of one term, what it asks.
 * `steps` relations come before it. */
static kith_result compile_other(ki_compiler *c, const ki_syntax_node *node, uint32_t steps,
                                 kith_term *to, kith_term **list)
{
    ki_named_field by = {.type = &kith_child_of_type};
    const ki_syntax_node *asked = ki_syntax_at(&c->syntax, node->first);
    const uint32_t number = steps == 0 ? compile_begin(c, node) : 0;
    if (number != 0) {
        *list = c->next_term;
        c->next_term += 2;
        *c->next_condition =
            (kith_condition){.op = KITH_OP_OTHER, .offset = number, .terms = *list};
        *to = (kith_term){.condition = c->next_condition++};
        return KITH_OK;
    }
    if (node->kind == KI_SYNTAX_VIA) {
        KI_TRY(ki_compile_step(c, node->name, &by));
    }
    KI_TRY(ki_compile_check_steps(c, node, steps));
    if (node->kind == KI_SYNTAX_UP && asked->kind != KI_SYNTAX_TERM &&
        (asked->kind < KI_SYNTAX_COMPARE || asked->kind > KI_SYNTAX_HAS ||
         asked->kind == KI_SYNTAX_BETWEEN)) {
        return ki_syntax_fail_at(&c->syntax, asked->name,
                                 "one component, or one comparison of a field, in up");
    }
    *list = c->next_term;
    c->next_term += 2;
    *c->next_condition =
        (kith_condition){.op = node->kind == KI_SYNTAX_UP ? KITH_OP_NEAREST : KITH_OP_TARGET,
                         .field = by.field.name,
                         .size = by.field.size,
                         .terms = *list};
    *to = (kith_term){.type = by.type, .condition = c->next_condition++};
    return KITH_OK;
}

/* Adds the term of a condition about another entity. */
static kith_result compile_of_other(ki_compiler *c, const ki_syntax_node *node, kith_term **to)
{
    kith_term *list = (*to)++;
    uint32_t steps = 0;
    uint32_t number = 0;
    const bool begins = compile_begin(c, node) != 0;
    if (c->depth == KI_CONDITIONS_DEPTH) {
        return ki_syntax_fail_at(&c->syntax, node->name,
                                 "at most %u groups of conditions within one another",
                                 KI_CONDITIONS_DEPTH);
    }
    for (; node->kind == KI_SYNTAX_VIA || node->kind == KI_SYNTAX_UP; steps++) {
        kith_term *from = list;
        KI_TRY(compile_other(c, node, steps == 0 ? 0 : steps - begins, from, &list));
        number = node->first;
        node = ki_syntax_at(&c->syntax, number);
    }
    c->depth++;
    KI_TRY(compile_condition(c, number, COMPILE_ALONE, &list));
    c->depth--;
    return KITH_OK;
}

/* Adds the terms of a condition, as many as compile_width says. */
static kith_result compile_condition(ki_compiler *c, uint32_t number, compile_place place,
                                     kith_term **to)
{
    const ki_syntax_node *node = ki_syntax_at(&c->syntax, number);
    switch (node->kind) {
    case KI_SYNTAX_OR: return compile_list(c, number, KITH_OP_ANY, false, to);
    case KI_SYNTAX_NOT: return compile_list(c, number, KITH_OP_NOT, false, to);
    case KI_SYNTAX_HAS: return compile_has(c, node, place, to);
    case KI_SYNTAX_VIA:
    case KI_SYNTAX_UP: return compile_of_other(c, node, to);
    case KI_SYNTAX_WITHIN: return compile_within(c, node, to);
    case KI_SYNTAX_PAIR: return compile_pair(c, node, place, to);
    case KI_SYNTAX_AND:
        if (place == COMPILE_ALONE) {
            return compile_list(c, number, KITH_OP_ALL, false, to);
        }
        for (uint32_t i = node->first; i != 0; i = ki_syntax_at(&c->syntax, i)->next) {
            KI_TRY(compile_condition(c, i, place, to));
        }
        return KITH_OK;
    default:
        return node->kind == KI_SYNTAX_BETWEEN && place == COMPILE_ALONE
                   ? compile_list(c, number, KITH_OP_ALL, true, to)
                   : compile_question(c, node, to);
    }
}

/* ---- Terms */

/* `group` is the number of the group that a term of role KITH_ONE_OF is in. */
static kith_result compile_term(ki_compiler *c, const ki_syntax_node *node, uint32_t group,
                                kith_term **to)
{
    const kith_type *type;
    KI_TRY(ki_compile_component(c, node->name, &type));
    if (!ki_component_name(ki_world_component(c->world, type), c->naming)) {
        return ki_syntax_fail_at(&c->syntax, node->name,
                                 "each component once in the list of terms");
    }
    if (node->access == KITH_ACCESS_WRITE && ki_world_is_view(c->world)) {
        return ki_syntax_fail_at(&c->syntax, node->name,
                                 "a component that is read, since the world is a view");
    }
    if (c->selects && node->access == KITH_ACCESS_WRITE) {
        return ki_syntax_fail_at(&c->syntax, node->name,
                                 "a component that is read, since a selection writes nothing");
    }
    *(*to)++ =
        (kith_term){.type = type, .access = node->access, .role = node->role, .group = group};
    return KITH_OK;
}

/* Adds a term about another entity; `any`: it is in the group `group`. */
static kith_result compile_term_of_other(ki_compiler *c, const ki_syntax_node *node, bool any,
                                         uint32_t group, kith_term **to)
{
    kith_term *list = (*to)++;
    const kith_type *type;
    const bool begins = compile_begin(c, node) != 0;
    for (uint32_t steps = 0; node->kind == KI_SYNTAX_VIA || node->kind == KI_SYNTAX_UP; steps++) {
        kith_term *from = list;
        KI_TRY(compile_other(c, node, steps == 0 ? 0 : steps - begins, from, &list));
        node = ki_syntax_at(&c->syntax, node->first);
    }
    if (node->kind == KI_SYNTAX_GROUP) {
        return ki_syntax_fail_at(&c->syntax, node->name,
                                 "one component after an arrow or in up; of several, write"
                                 " any(Targets -> A, Targets -> B)");
    }
    if (node->kind != KI_SYNTAX_TERM || (node->role > KITH_MAY && !any) ||
        node->access == KITH_ACCESS_WRITE) {
        return ki_syntax_fail_at(&c->syntax, node->name,
                                 "a component that another entity has, lacks with ! or may have"
                                 " with ?, which is not written");
    }
    KI_TRY(ki_compile_component(c, node->name, &type));
    *list = (kith_term){
        .type = type, .access = node->access, .role = node->role, .group = group};
    return KITH_OK;
}

static kith_result compile_terms(ki_compiler *c)
{
    const ki_syntax *syntax = &c->syntax;
    uint32_t count = 0;
    for (uint32_t i = syntax->terms; i != 0; i = ki_syntax_at(syntax, i)->next) {
        bool pair = ki_syntax_at(syntax, i)->kind == KI_SYNTAX_PAIR;
        uint32_t member = pair ? 0 : ki_syntax_at(syntax, i)->first;
        for (count += member == 0; member != 0; member = ki_syntax_at(syntax, member)->next) {
            count++;
        }
    }
    count += syntax->condition != 0 ? compile_width(c, syntax->condition, COMPILE_TOP) : 0;
    kith_token start = {.kind = KITH_TOKEN_END, .start = syntax->reader.text};
    KI_TRY(compile_check_count(
        c, syntax->terms != 0 ? ki_syntax_at(syntax, syntax->terms)->name : start, count));
    kith_term *to = c->next_term;
    c->next_term += count + 1;
    kith_term *terms = to;
    uint32_t group = 0;
    for (uint32_t i = syntax->terms; i != 0; i = ki_syntax_at(syntax, i)->next) {
        const ki_syntax_node *node = ki_syntax_at(syntax, i);
        if (node->kind == KI_SYNTAX_TERM) {
            KI_TRY(compile_term(c, node, 0, &to));
        } else if (node->kind == KI_SYNTAX_PAIR) {
            kith_term *pair = to;
            if (node->role == KITH_MUST_NOT) {
                compile_group_of_one(c, KITH_OP_NOT, &to, &pair);
            } else {
                to++;
            }
            KI_TRY(ki_compile_pair(c, node, pair));
        } else if (node->kind != KI_SYNTAX_GROUP) {
            KI_TRY(compile_term_of_other(c, node, false, 0, &to));
        } else {
            for (uint32_t k = node->first; k != 0; k = ki_syntax_at(syntax, k)->next) {
                const ki_syntax_node *member = ki_syntax_at(syntax, k);
                KI_TRY(member->kind == KI_SYNTAX_TERM
                           ? compile_term(c, member, group, &to)
                           : compile_term_of_other(c, member, true, group, &to));
            }
            group++;
        }
    }
    if (syntax->condition != 0) {
        KI_TRY(compile_condition(c, syntax->condition, COMPILE_TOP, &to));
    }
    c->terms = terms;
    return KITH_OK;
}

/* ---- All of it */

kith_result ki_text_result(ki_context *context, const char *call, kith_text_error *error,
                           kith_text_error *to, kith_result result)
{
    if (result == KITH_OK) {
        return KITH_OK;
    }
    if (result == KITH_ERR_INPUT && error->line != 0) {
        ki_fail(context, result, "%s: line %u, column %u: %s", call, error->line, error->column,
                error->message);
    } else if (result == KITH_ERR_MEMORY) {
        ki_fail(context, result, "%s: memory ran out", call);
    }
    if (to != NULL) {
        *to = *error;
        if (error->line == 0) {
            memcpy(to->message, context->error, sizeof to->message);
        }
    }
    return result;
}

kith_result ki_compile(ki_compiler *c, const char *text, kith_text_error *error)
{
    KI_TRY(ki_syntax_read(&c->syntax, &c->world->store.context.heap, text, strlen(text), error));
    KI_TRY(compile_reserve(c));
    KI_TRY(ki_compile_names(c));
    c->naming = ki_store_begin_names(&c->world->store);
    return compile_terms(c);
}

void ki_compiler_free(ki_compiler *c)
{
    ki_heap_free(&c->world->store.context.heap, c->memory, c->size, _Alignof(max_align_t));
    ki_syntax_free(&c->syntax);
}
