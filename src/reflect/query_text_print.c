/* Writes the tree of a query in its normal form, and mistakes in a text with their place. */
#include <string.h>

#include "base/text_out.h"
#include "reflect/query_syntax.h"
#include "reflect/text.h"

typedef struct tidy_out {
    const ki_syntax *syntax;
    ki_text_out to;
} tidy_out;

static void tidy_bytes(tidy_out *out, const char *bytes, size_t count)
{
    ki_text_add_bytes(&out->to, bytes, count);
}

static void tidy_text(tidy_out *out, const char *text)
{
    ki_text_add_string(&out->to, text);
}

static void tidy_name(tidy_out *out, const ki_syntax_node *node)
{
    tidy_bytes(out, node->name.start, node->name.length);
}

/* ---- Terms */

static void tidy_list(tidy_out *out, uint32_t first, const char *between,
                      void (*print)(tidy_out *out, const ki_syntax_node *node))
{
    for (uint32_t i = first; i != 0; i = ki_syntax_at(out->syntax, i)->next) {
        tidy_text(out, i == first ? "" : between);
        print(out, ki_syntax_at(out->syntax, i));
    }
}

/* Prints what is before the question to another entity, and returns what is after it. */
static const char *tidy_other(tidy_out *out, const ki_syntax_node *node)
{
    if (node->kind == KI_SYNTAX_UP) {
        tidy_text(out, "up(");
        return ")";
    }
    tidy_name(out, node);
    tidy_text(out, " -> ");
    return "";
}

/* Prints R(a, b) or !R(a, b), and `as c`. */
static void tidy_pair(tidy_out *out, const ki_syntax_node *node)
{
    const ki_syntax_node *source = ki_syntax_at(out->syntax, node->first);
    const ki_syntax_node *target = ki_syntax_at(out->syntax, source->next);
    tidy_text(out, node->role == KITH_MUST_NOT ? "!" : "");
    tidy_name(out, node);
    tidy_text(out, "(");
    tidy_name(out, source);
    tidy_text(out, ", ");
    tidy_name(out, target);
    tidy_text(out, target->next == 0 ? ")" : ") as ");
    if (target->next != 0) {
        tidy_name(out, ki_syntax_at(out->syntax, target->next));
    }
}

static void tidy_term(tidy_out *out, const ki_syntax_node *node)
{
    if (node->kind == KI_SYNTAX_PAIR) {
        tidy_pair(out, node);
        return;
    }
    if (node->kind == KI_SYNTAX_VIA || node->kind == KI_SYNTAX_UP) {
        const char *end = tidy_other(out, node);
        tidy_term(out, ki_syntax_at(out->syntax, node->first));
        tidy_text(out, end);
        return;
    }
    if (node->kind == KI_SYNTAX_GROUP) {
        tidy_text(out, "any(");
        tidy_list(out, node->first, ", ", tidy_term);
        tidy_text(out, ")");
        return;
    }
    bool changed = node->role == KITH_MUST_CHANGED;
    tidy_text(out, node->role == KITH_MUST_NOT ? "!"
                   : node->role == KITH_MAY    ? "?"
                   : changed                   ? "changed("
                                               : "");
    tidy_text(out, node->access == KITH_ACCESS_WRITE                             ? "write "
                   : node->role == KITH_MUST && node->access == KITH_ACCESS_NONE ? "with "
                                                                                 : "");
    tidy_name(out, node);
    tidy_text(out, changed ? ")" : "");
}

/* ---- Conditions */

static void tidy_value(tidy_out *out, const ki_syntax_node *node)
{
    if (node->kind == KI_SYNTAX_VIA || node->kind == KI_SYNTAX_UP) {
        const char *end = tidy_other(out, node);
        tidy_value(out, ki_syntax_at(out->syntax, node->first));
        tidy_text(out, end);
        return;
    }
    if (node->kind == KI_SYNTAX_THIS && node->first != 0) {
        tidy_text(out, "this -> ");
        tidy_value(out, ki_syntax_at(out->syntax, node->first));
        return;
    }
    tidy_text(out, node->kind == KI_SYNTAX_PARAMETER ? "$" : "");
    tidy_name(out, node);
}

static void tidy_condition(tidy_out *out, const ki_syntax_node *node);

/* Prints a condition that is part of another: in brackets if its own parts would else be read as
 * those of the whole. */
static void tidy_part(tidy_out *out, const ki_syntax_node *node)
{
    bool brackets = node->kind == KI_SYNTAX_OR || node->kind == KI_SYNTAX_AND;
    tidy_text(out, brackets ? "(" : "");
    tidy_condition(out, node);
    tidy_text(out, brackets ? ")" : "");
}

static void tidy_part_of_or(tidy_out *out, const ki_syntax_node *node)
{
    (node->kind == KI_SYNTAX_AND ? tidy_condition : tidy_part)(out, node);
}

static void tidy_question(tidy_out *out, const ki_syntax_node *node)
{
    static const char *const compares[] = {"", " < ", " = ", " <= ", " > ", " != ", " >= "};
    const ki_syntax_node *field = ki_syntax_at(out->syntax, node->first);
    tidy_name(out, field);
    switch (node->kind) {
    case KI_SYNTAX_PREFIX: tidy_text(out, " prefix "); break;
    case KI_SYNTAX_CONTAINS: tidy_text(out, " contains "); break;
    case KI_SYNTAX_LIKE: tidy_text(out, " like "); break;
    case KI_SYNTAX_BETWEEN: tidy_text(out, " between "); break;
    case KI_SYNTAX_IN: tidy_text(out, " in ("); break;
    default: tidy_text(out, compares[node->op]); break;
    }
    tidy_list(out, field->next, node->kind == KI_SYNTAX_BETWEEN ? " and " : ", ", tidy_value);
    tidy_text(out, node->kind == KI_SYNTAX_IN ? ")" : "");
}

static void tidy_condition(tidy_out *out, const ki_syntax_node *node)
{
    const char *end;
    switch (node->kind) {
    case KI_SYNTAX_VIA:
    case KI_SYNTAX_UP:
        end = tidy_other(out, node);
        tidy_part(out, ki_syntax_at(out->syntax, node->first));
        tidy_text(out, end);
        break;
    case KI_SYNTAX_OR: tidy_list(out, node->first, " or ", tidy_part_of_or); break;
    case KI_SYNTAX_AND: tidy_list(out, node->first, " and ", tidy_part); break;
    case KI_SYNTAX_NOT:
        tidy_text(out, "not ");
        tidy_part(out, ki_syntax_at(out->syntax, node->first));
        break;
    case KI_SYNTAX_HAS:
    case KI_SYNTAX_WITHIN:
        tidy_text(out, node->kind == KI_SYNTAX_HAS ? "has(" : "within(");
        tidy_list(out, node->first, ", ", tidy_value);
        tidy_text(out, ")");
        break;
    case KI_SYNTAX_PAIR: tidy_pair(out, node); break;
    default: tidy_question(out, node); break;
    }
}

/* ---- Outputs */

static void tidy_output(tidy_out *out, const ki_syntax_node *node)
{
    static const char *const calls[] = {"sum(", "min(", "max(", "avg("};
    if (node->kind == KI_SYNTAX_DISTANCE) {
        tidy_text(out, "distance(");
        tidy_list(out, node->first, ", ", tidy_value);
        tidy_text(out, ")");
    } else if (node->kind >= KI_SYNTAX_SUM) {
        tidy_text(out, calls[node->kind - KI_SYNTAX_SUM]);
        tidy_value(out, ki_syntax_at(out->syntax, node->first));
        tidy_text(out, ")");
    } else {
        tidy_value(out, node);
    }
    tidy_text(out, node->descending ? " desc" : "");
}

size_t ki_syntax_print_output(const ki_syntax *syntax, uint32_t output, char *text, size_t size)
{
    tidy_out out = {.syntax = syntax, .to = ki_text_start(text, size)};
    ki_syntax_node node = *ki_syntax_at(syntax, output);
    node.descending = false;
    tidy_output(&out, &node);
    return out.to.length;
}

size_t ki_syntax_print(const ki_syntax *syntax, char *text, size_t size)
{
    tidy_out out = {.syntax = syntax, .to = ki_text_start(text, size)};
    tidy_text(&out, syntax->explain.start == NULL ? "" : "explain ");
    tidy_text(&out, syntax->analyzes ? "analyze " : "");
    if (syntax->terms == 0) {
        tidy_text(&out, "*");
    }
    tidy_list(&out, syntax->terms, ", ", tidy_term);
    if (syntax->condition != 0) {
        tidy_text(&out, " where ");
        tidy_condition(&out, ki_syntax_at(syntax, syntax->condition));
    }
    tidy_text(&out, syntax->groups != 0 ? " group by " : "");
    tidy_list(&out, syntax->groups, ", ", tidy_output);
    tidy_text(&out, syntax->outputs != 0 ? " select " : "");
    tidy_list(&out, syntax->outputs, ", ", tidy_output);
    tidy_text(&out, syntax->orders != 0 ? " order by " : "");
    tidy_list(&out, syntax->orders, ", ", tidy_output);
    if (syntax->order != KITH_SCAN_ORDER) {
        tidy_text(&out, syntax->order == KITH_PARENTS_FIRST ? " order by parents first"
                                                            : " order by children first");
    }
    if (syntax->limit != 0) {
        tidy_text(&out, " limit ");
        tidy_value(&out, ki_syntax_at(syntax, syntax->limit));
    }
    return out.to.length;
}

/* ---- Mistakes with their place */

#define SHOWN_BEFORE 60u /* bytes of a line that are shown before the place of a mistake */
#define SHOWN_AFTER 40u

/* The start of the character that a byte is part of, no further back than `start`. */
static const char *tidy_character(const char *start, const char *c)
{
    while (c > start && ((unsigned char)*c & 0xC0) == 0x80) {
        c--;
    }
    return c;
}

/* Prints the part of a line from `start` to `end`; what a terminal might obey becomes a question mark.
 * Or, as wide as it, spaces. */
static void tidy_line(tidy_out *out, const char *start, const char *end, bool spaces)
{
    for (const char *c = start; c < end;) {
        size_t left = (size_t)(end - c);
        unsigned char byte = (unsigned char)*c;
        size_t step = byte < 0x80 ? 1 : ki_text_character((const unsigned char *)c, left);
        bool plain = step != 0 && byte >= 0x20 && byte != 0x7f;
        step = step == 0 ? 1 : step;
        if (spaces) {
            tidy_text(out, " ");
        } else if (plain) {
            tidy_bytes(out, c, step);
        } else {
            tidy_text(out, byte == '\t' ? " " : "?");
        }
        c += step;
    }
}

size_t kith_print_text_error(const char *text, const kith_text_error *error, char *shown,
                             size_t size)
{
    tidy_out out = {.to = ki_text_start(shown, size)};
    if (KI_CHECKED && (text == NULL || error == NULL)) {
        ki_misuse(NULL, "kith_print_text_error: the text or the error is NULL");
        return out.to.length;
    }
    const char *line = text;
    for (uint32_t i = 1; i < error->line && line != NULL; i++) {
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    if (error->line == 0 || line == NULL) {
        tidy_text(&out, error->message);
        return out.to.length;
    }
    ki_text_add(&out.to, "line %u, column %u: ", error->line, error->column);
    tidy_text(&out, error->message);
    size_t length = strcspn(line, "\n");
    size_t before = error->column == 0 ? 0 : error->column - 1;
    const char *at = line + (before < length ? before : length);
    const char *start =
        (size_t)(at - line) > SHOWN_BEFORE ? tidy_character(line, at - SHOWN_BEFORE) : line;
    const char *end = (size_t)(line + length - at) > SHOWN_AFTER
                          ? tidy_character(at, at + SHOWN_AFTER)
                          : line + length;
    tidy_text(&out, "\n    ");
    tidy_line(&out, start, end, false);
    tidy_text(&out, "\n    ");
    tidy_line(&out, start, at, true);
    tidy_text(&out, "^");
    return out.to.length;
}
