/* Reads queries in text: tokens become a tree. It knows no types: what names mean is found later. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "reflect/query_syntax_read.h"
#include "reflect/text.h"

/* ---- Terms */

/* Whether the token is this word with a name after it, so that it is not a component's name itself. */
static bool syntax_is_before_name(const ki_syntax *syntax, const char *word)
{
    kith_reader ahead = syntax->reader;
    ahead.error = NULL;
    return ki_syntax_is_word(syntax, word) && kith_read_token(&ahead) == KITH_OK &&
           (ahead.token.kind == KITH_TOKEN_WORD || ahead.token.kind == KITH_TOKEN_TEXT);
}

/* Enters what is within brackets, or after `not` or an arrow: one level deeper. */
static kith_result syntax_enter(ki_syntax *syntax)
{
    if (syntax->depth == KI_SYNTAX_DEPTH) {
        return kith_read_expected(&syntax->reader,
                                  "at most %u levels of brackets, not and -> around a condition or"
                                  " a term",
                                  KI_SYNTAX_DEPTH);
    }
    syntax->depth++;
    return KITH_OK;
}

/* Reads `Relation -> ...` or `up(...)`, where `read` reads the rest. */
static kith_result syntax_read_other(ki_syntax *syntax,
                                     kith_result (*read)(ki_syntax *syntax, uint32_t *number),
                                     uint32_t *number)
{
    bool up = !ki_syntax_is_relation(syntax);
    uint32_t asked = 0;
    KI_TRY(syntax_enter(syntax));
    KI_TRY(ki_syntax_add(syntax, up ? KI_SYNTAX_UP : KI_SYNTAX_VIA, number));
    if (up) {
        KI_TRY(ki_syntax_next(syntax));
        KI_TRY(ki_syntax_next(syntax)); /* the bracket */
    } else {
        KI_TRY(ki_syntax_skip_relation(syntax));
    }
    KI_TRY(read(syntax, &asked));
    syntax->nodes[*number].first = asked;
    syntax->depth--;
    return up ? ki_syntax_need_mark(syntax, ')', "after what up asks for") : KITH_OK;
}

/* Whether what comes is about another entity. */
static bool syntax_is_other(const ki_syntax *syntax)
{
    return ki_syntax_is_call(syntax, "up") || ki_syntax_is_relation(syntax);
}

/* Reads `A`, `Relation -> A` or `up(A)`, of any(...). */
static kith_result syntax_read_member(ki_syntax *syntax, uint32_t *number)
{
    return syntax_is_other(syntax)
               ? syntax_read_other(syntax, syntax_read_member, number)
               : ki_syntax_read_component(syntax, KITH_ONE_OF, KITH_ACCESS_READ, number);
}

/* Reads `any(A, B)` or `changed(A)`. */
static kith_result syntax_read_call_term(ki_syntax *syntax, bool any, uint32_t *number)
{
    uint32_t first = 0;
    if (any) {
        KI_TRY(ki_syntax_add(syntax, KI_SYNTAX_GROUP, number));
    }
    KI_TRY(ki_syntax_next(syntax));
    KI_TRY(ki_syntax_next(syntax)); /* the bracket */
    if (any) {
        KI_TRY(ki_syntax_read_list(syntax, syntax_read_member, &first));
        syntax->nodes[*number].first = first;
        return ki_syntax_need_mark(syntax, ')', "or a comma after a component of any");
    }
    KI_TRY(ki_syntax_read_component(syntax, KITH_MUST_CHANGED, KITH_ACCESS_READ, number));
    return ki_syntax_need_mark(syntax, ')', "after the component of changed");
}

static kith_result syntax_read_term(ki_syntax *syntax, uint32_t *number)
{
    if (syntax_is_other(syntax)) {
        return syntax_read_other(syntax, syntax_read_term, number);
    }
    bool any = ki_syntax_is_call(syntax, "any");
    if (any || ki_syntax_is_call(syntax, "changed")) {
        return syntax_read_call_term(syntax, any, number);
    }
    if (ki_syntax_is_pair(syntax)) {
        return ki_syntax_read_pair(syntax, true, number);
    }
    KI_TRY(ki_syntax_check_word(syntax));
    bool absent;
    bool optional = false;
    KI_TRY(ki_syntax_skip_mark(syntax, '!', &absent));
    if (absent && ki_syntax_is_pair(syntax)) {
        KI_TRY(ki_syntax_read_pair(syntax, false, number));
        syntax->nodes[*number].role = KITH_MUST_NOT;
        return KITH_OK;
    }
    if (!absent) {
        KI_TRY(ki_syntax_skip_mark(syntax, '?', &optional));
    }
    kith_access access = absent ? KITH_ACCESS_NONE : KITH_ACCESS_READ;
    if (!absent && syntax_is_before_name(syntax, "write")) {
        access = KITH_ACCESS_WRITE;
        KI_TRY(ki_syntax_next(syntax));
    } else if (!absent && !optional && syntax_is_before_name(syntax, "with")) {
        access = KITH_ACCESS_NONE;
        KI_TRY(ki_syntax_next(syntax));
    }
    return ki_syntax_read_component(syntax,
                                 absent     ? KITH_MUST_NOT
                                 : optional ? KITH_MAY
                                            : KITH_MUST,
                                 access, number);
}

static kith_result syntax_read_terms(ki_syntax *syntax)
{
    bool all;
    KI_TRY(ki_syntax_skip_mark(syntax, '*', &all));
    return all ? KITH_OK : ki_syntax_read_list(syntax, syntax_read_term, &syntax->terms);
}

/* ---- Values */

static kith_result syntax_read_field(ki_syntax *syntax, uint32_t *number)
{
    return ki_syntax_read_name(syntax, KI_SYNTAX_FIELD, "a field, like Health.current", number);
}

/* Reads a field, which may be that of another entity. */
static kith_result syntax_read_any_field(ki_syntax *syntax, uint32_t *number)
{
    return syntax_is_other(syntax) ? syntax_read_other(syntax, syntax_read_any_field, number)
                                   : syntax_read_field(syntax, number);
}

/* Reads `this`, or a field from there on, after `this ->`. */
static kith_result syntax_read_this(ki_syntax *syntax, uint32_t *number)
{
    uint32_t field = 0;
    bool leads = ki_syntax_is_relation(syntax);
    KI_TRY(ki_syntax_add(syntax, KI_SYNTAX_THIS, number));
    if (!leads) {
        return ki_syntax_next(syntax);
    }
    KI_TRY(ki_syntax_skip_relation(syntax));
    KI_TRY(syntax_read_any_field(syntax, &field));
    syntax->nodes[*number].first = field;
    return KITH_OK;
}

/* Reads `$name`. */
static kith_result syntax_read_parameter(ki_syntax *syntax, uint32_t *number)
{
    const char *dollar = syntax->reader.token.start;
    KI_TRY(ki_syntax_next(syntax));
    if (syntax->reader.token.kind != KITH_TOKEN_WORD || syntax->reader.token.start != dollar + 1) {
        return kith_read_expected(&syntax->reader, "the name of a parameter after $");
    }
    return ki_syntax_add_token(syntax, KI_SYNTAX_PARAMETER, number);
}

static ki_syntax_kind syntax_word_kind(const ki_syntax *syntax)
{
    const kith_token *token = &syntax->reader.token;
    if (ki_syntax_is_word(syntax, "true") || ki_syntax_is_word(syntax, "false")) {
        return KI_SYNTAX_BOOL;
    }
    if (ki_syntax_is_word(syntax, "none") || memchr(token->start, '(', token->length) != NULL) {
        return *token->start == 'n' && token->length > 4 ? KI_SYNTAX_NUMBER : KI_SYNTAX_ENTITY;
    }
    return ki_syntax_is_word(syntax, "inf") || ki_syntax_is_word(syntax, "nan") ? KI_SYNTAX_NUMBER
                                                                                : KI_SYNTAX_FIELD;
}

static kith_result syntax_read_value(ki_syntax *syntax, uint32_t *number)
{
    if (ki_syntax_is_word(syntax, "this")) {
        return syntax_read_this(syntax, number);
    }
    if (syntax_is_other(syntax)) {
        return syntax_read_any_field(syntax, number);
    }
    switch (syntax->reader.token.kind) {
    case KITH_TOKEN_WORD: return ki_syntax_add_token(syntax, syntax_word_kind(syntax), number);
    case KITH_TOKEN_NUMBER: return ki_syntax_add_token(syntax, KI_SYNTAX_NUMBER, number);
    case KITH_TOKEN_CHAR:
    case KITH_TOKEN_TEXT: return ki_syntax_add_token(syntax, KI_SYNTAX_STRING, number);
    case KITH_TOKEN_MARK:
        if (ki_syntax_is_mark(syntax, '$')) {
            return syntax_read_parameter(syntax, number);
        }
        break;
    case KITH_TOKEN_END: break;
    }
    return kith_read_expected(&syntax->reader,
                              "a value: a number, a text, a field, $name, this, true, false or"
                              " none");
}

/* ---- Conditions */

/* Reads < <= > >= = == or !=. Two marks make one where no space is between them. */
static kith_result syntax_read_operator(ki_syntax *syntax, kith_token field, uint32_t *op)
{
    const kith_reader *reader = &syntax->reader;
    char mark = '\0';
    if (reader->token.kind == KITH_TOKEN_MARK) {
        mark = *reader->token.start;
    }
    bool equal =
        mark != '\0' && reader->next < reader->text + reader->length && *reader->next == '=';
    if ((mark == '<' || mark == '=') && ki_syntax_is_foreign(syntax)) {
        return ki_syntax_reject_operator(syntax);
    }
    if (mark == '<') {
        *op = equal ? KITH_OP_LESS_EQUAL : KITH_OP_LESS;
    } else if (mark == '>') {
        *op = equal ? KITH_OP_GREATER_EQUAL : KITH_OP_GREATER;
    } else if (mark == '=') {
        *op = KITH_OP_EQUAL;
    } else if (mark == '!' && equal) {
        *op = KITH_OP_NOT_EQUAL;
    } else if (memchr(field.start, '.', field.length) == NULL) {
        static const char *const words[] = {"not"};
        return ki_syntax_fail_at(syntax, field,
                                 "a condition, like has(T), T.field < 20 or name = 'a'%s",
                                 ki_syntax_hint(field, words, 1).text);
    } else {
        return ki_syntax_reject_operator(syntax);
    }
    KI_TRY(ki_syntax_next(syntax));
    return equal ? ki_syntax_next(syntax) : KITH_OK;
}

/* Reads what comes after `field in`: values in brackets. */
static kith_result syntax_read_values(ki_syntax *syntax, uint32_t field)
{
    uint32_t first = 0;
    KI_TRY(ki_syntax_need_mark(syntax, '(', "after in"));
    KI_TRY(ki_syntax_read_list(syntax, syntax_read_value, &first));
    syntax->nodes[field].next = first;
    return ki_syntax_need_mark(syntax, ')', "or a comma after a value of in");
}

/* Reads what comes after `field between`. */
static kith_result syntax_read_range(ki_syntax *syntax, uint32_t field)
{
    uint32_t least = 0;
    uint32_t most = 0;
    KI_TRY(syntax_read_value(syntax, &least));
    KI_TRY(ki_syntax_need_word(syntax, "and", "between the two values of between"));
    KI_TRY(syntax_read_value(syntax, &most));
    syntax->nodes[field].next = least;
    syntax->nodes[least].next = most;
    return KITH_OK;
}

/* Reads a field and what is asked about it. */
static kith_result syntax_read_question(ki_syntax *syntax, uint32_t *number)
{
    static const struct {
        const char *word;
        ki_syntax_kind kind;
    } words[] = {{"between", KI_SYNTAX_BETWEEN},
                 {"in", KI_SYNTAX_IN},
                 {"prefix", KI_SYNTAX_PREFIX},
                 {"contains", KI_SYNTAX_CONTAINS},
                 {"like", KI_SYNTAX_LIKE}};
    kith_token start = syntax->reader.token;
    uint32_t field = 0;
    uint32_t value = 0;
    uint32_t op = 0;
    KI_TRY(ki_syntax_read_name(syntax, KI_SYNTAX_FIELD, "a condition, like Health.current < 20",
                               &field));
    ki_syntax_kind kind = KI_SYNTAX_COMPARE;
    for (size_t i = 0; i < sizeof words / sizeof words[0] && kind == KI_SYNTAX_COMPARE; i++) {
        bool was;
        KI_TRY(ki_syntax_skip_word(syntax, words[i].word, &was));
        kind = was ? words[i].kind : kind;
    }
    if (kind == KI_SYNTAX_IN) {
        KI_TRY(syntax_read_values(syntax, field));
    } else if (kind == KI_SYNTAX_BETWEEN) {
        KI_TRY(syntax_read_range(syntax, field));
    } else {
        if (kind == KI_SYNTAX_COMPARE) {
            KI_TRY(syntax_read_operator(syntax, start, &op));
        }
        KI_TRY(syntax_read_value(syntax, &value));
        syntax->nodes[field].next = value;
    }
    KI_TRY(ki_syntax_add_over(syntax, kind, field, start, number));
    syntax->nodes[*number].op = op;
    return KITH_OK;
}

static kith_result syntax_read_or(ki_syntax *syntax, uint32_t *number);

static kith_result syntax_read_not(ki_syntax *syntax, uint32_t *number)
{
    kith_token start = syntax->reader.token;
    if (ki_syntax_is_word(syntax, "not")) {
        uint32_t inner = 0;
        KI_TRY(syntax_enter(syntax));
        KI_TRY(ki_syntax_next(syntax));
        KI_TRY(syntax_read_not(syntax, &inner));
        syntax->depth--;
        return ki_syntax_add_over(syntax, KI_SYNTAX_NOT, inner, start, number);
    }
    if (ki_syntax_is_mark(syntax, '(')) {
        KI_TRY(syntax_enter(syntax));
        KI_TRY(ki_syntax_next(syntax));
        KI_TRY(syntax_read_or(syntax, number));
        syntax->depth--;
        return ki_syntax_need_mark(syntax, ')', "after the condition in brackets");
    }
    if (ki_syntax_is_mark(syntax, '!') || ki_syntax_is_mark(syntax, '~')) {
        return kith_read_expected(&syntax->reader, "not before a condition that must not hold");
    }
    if (syntax_is_other(syntax)) {
        return syntax_read_other(syntax, syntax_read_not, number);
    }
    if (ki_syntax_is_call(syntax, "has")) {
        return ki_syntax_read_call(syntax, KI_SYNTAX_HAS, syntax_read_value, number);
    }
    return ki_syntax_is_call(syntax, "within")
               ? ki_syntax_read_call(syntax, KI_SYNTAX_WITHIN, syntax_read_value, number)
           : ki_syntax_is_pair(syntax) ? ki_syntax_read_pair(syntax, false, number)
                                       : syntax_read_question(syntax, number);
}

/* Reads conditions with a word between them; one alone is itself. */
static kith_result syntax_read_joined(ki_syntax *syntax, ki_syntax_kind kind, const char *word,
                                      kith_result (*read)(ki_syntax *syntax, uint32_t *number),
                                      uint32_t *number)
{
    kith_token start = syntax->reader.token;
    ki_syntax_list list = {0, 0};
    bool more = true;
    while (more) {
        uint32_t part = 0;
        KI_TRY(read(syntax, &part));
        ki_syntax_append(syntax, &list, part);
        KI_TRY(ki_syntax_skip_word(syntax, word, &more));
    }
    *number = list.first;
    return list.first == list.last ? KITH_OK
                                   : ki_syntax_add_over(syntax, kind, list.first, start, number);
}

static kith_result syntax_read_and(ki_syntax *syntax, uint32_t *number)
{
    return syntax_read_joined(syntax, KI_SYNTAX_AND, "and", syntax_read_not, number);
}

static kith_result syntax_read_or(ki_syntax *syntax, uint32_t *number)
{
    return syntax_read_joined(syntax, KI_SYNTAX_OR, "or", syntax_read_and, number);
}

/* ---- What is given out */

/* Reads a field or a component of another entity. */
static kith_result syntax_read_output_of_other(ki_syntax *syntax, uint32_t *number)
{
    return syntax_is_other(syntax)
               ? syntax_read_other(syntax, syntax_read_output_of_other, number)
               : ki_syntax_read_name(syntax, KI_SYNTAX_FIELD, "a field or a component", number);
}

/* Reads `count` or `entity`. */
static kith_result syntax_read_output_word(ki_syntax *syntax, uint32_t *number)
{
    const bool count = ki_syntax_is_word(syntax, "count");
    if (ki_syntax_is_call(syntax, "count")) {
        KI_TRY(ki_syntax_next(syntax));
        return kith_read_expected(&syntax->reader, "count without brackets");
    }
    return ki_syntax_add_token(syntax, count ? KI_SYNTAX_COUNT : KI_SYNTAX_ENTITY, number);
}

/* Reads a field or a component, which no bracket comes after. */
static kith_result syntax_read_output_name(ki_syntax *syntax, uint32_t *number)
{
    static const char expected[] = "a field, a component, entity, count, sum(...), min(...),"
                                   " max(...) or avg(...)";
    static const char *const words[] = {"count", "sum", "min", "max", "avg"};
    if (ki_syntax_is_mark(syntax, '*')) {
        return kith_read_expected(&syntax->reader, "%s (without select, there are all fields)",
                                  expected);
    }
    if (ki_syntax_is_pair(syntax)) {
        return kith_read_expected(
            &syntax->reader, "%s%s", expected,
            ki_syntax_hint(syntax->reader.token, words, sizeof words / sizeof words[0]).text);
    }
    return ki_syntax_read_name(syntax, KI_SYNTAX_FIELD, expected, number);
}

static kith_result syntax_read_output(ki_syntax *syntax, uint32_t *number)
{
    static const struct {
        const char *word;
        ki_syntax_kind kind;
    } calls[] = {{"sum", KI_SYNTAX_SUM},
                 {"min", KI_SYNTAX_MIN},
                 {"max", KI_SYNTAX_MAX},
                 {"avg", KI_SYNTAX_AVG}};
    kith_token start = syntax->reader.token;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (ki_syntax_is_call(syntax, calls[i].word)) {
            uint32_t field = 0;
            KI_TRY(ki_syntax_next(syntax));
            KI_TRY(ki_syntax_next(syntax)); /* the bracket */
            KI_TRY(syntax_read_any_field(syntax, &field));
            KI_TRY(ki_syntax_need_mark(syntax, ')', "after the field"));
            return ki_syntax_add_over(syntax, calls[i].kind, field, start, number);
        }
    }
    if (syntax_is_other(syntax)) {
        return syntax_read_output_of_other(syntax, number);
    }
    if (ki_syntax_is_word(syntax, "count") || ki_syntax_is_word(syntax, "entity")) {
        return syntax_read_output_word(syntax, number);
    }
    return syntax_read_output_name(syntax, number);
}

static kith_result syntax_read_order(ki_syntax *syntax, uint32_t *number)
{
    bool descending;
    KI_TRY(ki_syntax_is_call(syntax, "distance")
               ? ki_syntax_read_call(syntax, KI_SYNTAX_DISTANCE, syntax_read_value, number)
               : syntax_read_output(syntax, number));
    KI_TRY(ki_syntax_skip_word(syntax, "desc", &descending));
    syntax->nodes[*number].descending = descending;
    return KITH_OK;
}

/* Reads `parents first` or `children first`, if that comes. Each word alone could be a component. */
static kith_result syntax_read_depth(ki_syntax *syntax)
{
    const bool parents = ki_syntax_is_word(syntax, "parents");
    kith_reader ahead = syntax->reader;
    ahead.error = NULL;
    if ((!parents && !ki_syntax_is_word(syntax, "children")) ||
        kith_read_token(&ahead) != KITH_OK || ahead.token.kind != KITH_TOKEN_WORD ||
        !kith_token_is(&ahead, "first")) {
        return KITH_OK;
    }
    syntax->order = parents ? KITH_PARENTS_FIRST : KITH_CHILDREN_FIRST;
    KI_TRY(ki_syntax_next(syntax));
    return ki_syntax_next(syntax);
}

static kith_result syntax_read_limit(ki_syntax *syntax)
{
    if (ki_syntax_is_mark(syntax, '$')) {
        return syntax_read_parameter(syntax, &syntax->limit);
    }
    if (syntax->reader.token.kind != KITH_TOKEN_NUMBER) {
        return kith_read_expected(&syntax->reader, "a number of rows, or $name, after limit");
    }
    return ki_syntax_add_token(syntax, KI_SYNTAX_NUMBER, &syntax->limit);
}

/* ---- Clauses */

/* Reads one clause, after its first word. */
static kith_result syntax_read_clause(ki_syntax *syntax, unsigned clause)
{
    switch (clause) {
    case KI_CLAUSE_WHERE: return syntax_read_or(syntax, &syntax->condition);
    case KI_CLAUSE_GROUP:
        KI_TRY(ki_syntax_need_word(syntax, "by", "after group"));
        return ki_syntax_read_list(syntax, syntax_read_any_field, &syntax->groups);
    case KI_CLAUSE_SELECT: return ki_syntax_read_list(syntax, syntax_read_output, &syntax->outputs);
    case KI_CLAUSE_ORDER:
        KI_TRY(ki_syntax_need_word(syntax, "by", "after order"));
        KI_TRY(syntax_read_depth(syntax));
        return syntax->order != KITH_SCAN_ORDER
                   ? KITH_OK
                   : ki_syntax_read_list(syntax, syntax_read_order, &syntax->orders);
    default: return syntax_read_limit(syntax);
    }
}

/* Whether the token is this word with a query after it, so that it is not a component's name. */
static bool syntax_is_before_query(const ki_syntax *syntax, const char *word)
{
    kith_reader ahead = syntax->reader;
    ahead.error = NULL;
    if (!ki_syntax_is_word(syntax, word) || kith_read_token(&ahead) != KITH_OK ||
        ahead.token.kind == KITH_TOKEN_END || kith_token_is(&ahead, ",")) {
        return false;
    }
    return ki_syntax_clause_of(&ahead) > KI_CLAUSE_LIMIT;
}

static kith_result syntax_read_explain(ki_syntax *syntax)
{
    if (!syntax_is_before_query(syntax, "explain")) {
        return KITH_OK;
    }
    syntax->explain = syntax->reader.token;
    KI_TRY(ki_syntax_next(syntax));
    syntax->analyzes = syntax_is_before_query(syntax, "analyze");
    return syntax->analyzes ? ki_syntax_next(syntax) : KITH_OK;
}

static kith_result syntax_read_query(ki_syntax *syntax)
{
    uint32_t none;
    unsigned from = KI_CLAUSE_WHERE;
    KI_TRY(ki_syntax_add(syntax, KI_SYNTAX_TERM, &none)); /* number 0 */
    KI_TRY(ki_syntax_next(syntax));
    KI_TRY(syntax_read_explain(syntax));
    KI_TRY(syntax_read_terms(syntax));
    for (unsigned clause = 0; clause <= KI_CLAUSE_LIMIT; clause++) {
        kith_token start = syntax->reader.token;
        bool was;
        KI_TRY(ki_syntax_skip_word(syntax, ki_syntax_clauses[clause], &was));
        if (was) {
            syntax->clauses[clause] = start;
            KI_TRY(syntax_read_clause(syntax, clause));
            from = clause + 1;
        }
    }
    return syntax->reader.token.kind == KITH_TOKEN_END ? KITH_OK
                                                       : ki_syntax_unexpected(syntax, from);
}

kith_result ki_syntax_read(ki_syntax *syntax, ki_heap *heap, const char *text, size_t length,
                           kith_text_error *error)
{
    *syntax = (ki_syntax){.reader = {.text = text, .length = length, .error = error}, .heap = heap};
    return syntax_read_query(syntax);
}
