/* What the reader of queries in text reads with: tokens, names, lists, and nodes of the tree. */
#include "reflect/query_syntax_read.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "reflect/text.h"

/* ---- Tokens */

/* Whether the brackets of a word belong to it: Entity(2v1), nan(0x7fc00001). */
static bool syntax_keeps_brackets(const kith_token *token, size_t length)
{
    return (length == 6 && memcmp(token->start, "Entity", 6) == 0) ||
           (length == 3 && memcmp(token->start, "nan", 3) == 0);
}

kith_result ki_syntax_next(ki_syntax *syntax)
{
    kith_reader *reader = &syntax->reader;
    KI_TRY(kith_read_token(reader));
    kith_token *token = &reader->token;
    const char *bracket =
        token->kind == KITH_TOKEN_WORD ? memchr(token->start, '(', token->length) : NULL;
    if (bracket != NULL && !syntax_keeps_brackets(token, (size_t)(bracket - token->start))) {
        token->length = (size_t)(bracket - token->start);
        reader->next = bracket;
    }
    return KITH_OK;
}

bool ki_syntax_is_mark(const ki_syntax *syntax, char mark)
{
    const kith_token *token = &syntax->reader.token;
    return token->kind == KITH_TOKEN_MARK && *token->start == mark;
}

bool ki_syntax_is_word(const ki_syntax *syntax, const char *word)
{
    return syntax->reader.token.kind == KITH_TOKEN_WORD && kith_token_is(&syntax->reader, word);
}

kith_result ki_syntax_skip_word(ki_syntax *syntax, const char *word, bool *was)
{
    *was = ki_syntax_is_word(syntax, word);
    return *was ? ki_syntax_next(syntax) : KITH_OK;
}

kith_result ki_syntax_skip_mark(ki_syntax *syntax, char mark, bool *was)
{
    *was = ki_syntax_is_mark(syntax, mark);
    return *was ? ki_syntax_next(syntax) : KITH_OK;
}

kith_result ki_syntax_need_mark(ki_syntax *syntax, char mark, const char *place)
{
    if (!ki_syntax_is_mark(syntax, mark)) {
        return kith_read_expected(&syntax->reader, "\"%c\" %s", mark, place);
    }
    return ki_syntax_next(syntax);
}

kith_result ki_syntax_need_word(ki_syntax *syntax, const char *word, const char *place)
{
    if (!ki_syntax_is_word(syntax, word)) {
        return kith_read_expected(&syntax->reader, "%s %s", word, place);
    }
    return ki_syntax_next(syntax);
}

bool ki_syntax_is_call(const ki_syntax *syntax, const char *word)
{
    kith_reader ahead = syntax->reader;
    ahead.error = NULL;
    return ki_syntax_is_word(syntax, word) && kith_read_token(&ahead) == KITH_OK &&
           kith_token_is(&ahead, "(");
}

/* An arrow is a token that could begin a number, and a mark right after it. */
bool ki_syntax_is_relation(const ki_syntax *syntax)
{
    kith_reader ahead = syntax->reader;
    ahead.error = NULL;
    bool name = ahead.token.kind == KITH_TOKEN_WORD || ahead.token.kind == KITH_TOKEN_TEXT;
    if (!name || kith_read_token(&ahead) != KITH_OK || !kith_token_is(&ahead, "-")) {
        return false;
    }
    const char *minus = ahead.token.start;
    return kith_read_token(&ahead) == KITH_OK && kith_token_is(&ahead, ">") &&
           ahead.token.start == minus + 1;
}

kith_result ki_syntax_skip_relation(ki_syntax *syntax)
{
    for (uint32_t tokens = 0; tokens < 3; tokens++) {
        KI_TRY(ki_syntax_next(syntax));
    }
    return KITH_OK;
}

kith_result ki_syntax_fail_at(ki_syntax *syntax, kith_token token, const char *format, ...)
{
    char expected[400];
    va_list arguments;
    va_start(arguments, format);
    ki_format(expected, sizeof expected, format, arguments);
    va_end(arguments);
    syntax->reader.token = token;
    return kith_read_expected(&syntax->reader, "%s", expected);
}

/* ---- The tree */

kith_result ki_syntax_add(ki_syntax *syntax, ki_syntax_kind kind, uint32_t *number)
{
    KI_TRY(ki_heap_grow(syntax->heap, &syntax->nodes, &syntax->capacity, syntax->count + 1,
                        sizeof *syntax->nodes, 32));
    *number = syntax->count++;
    syntax->nodes[*number] = (ki_syntax_node){.kind = kind, .name = syntax->reader.token};
    return KITH_OK;
}

kith_result ki_syntax_add_token(ki_syntax *syntax, ki_syntax_kind kind, uint32_t *number)
{
    KI_TRY(ki_syntax_add(syntax, kind, number));
    return ki_syntax_next(syntax);
}

kith_result ki_syntax_add_over(ki_syntax *syntax, ki_syntax_kind kind, uint32_t first,
                               kith_token start, uint32_t *number)
{
    KI_TRY(ki_syntax_add(syntax, kind, number));
    syntax->nodes[*number].first = first;
    syntax->nodes[*number].name = start;
    return KITH_OK;
}

void ki_syntax_append(ki_syntax *syntax, ki_syntax_list *list, uint32_t number)
{
    if (list->first == 0) {
        list->first = number;
    } else {
        syntax->nodes[list->last].next = number;
    }
    list->last = number;
}

kith_result ki_syntax_read_list(ki_syntax *syntax,
                                kith_result (*read)(ki_syntax *syntax, uint32_t *number),
                                uint32_t *first)
{
    ki_syntax_list list = {0, 0};
    bool more = true;
    while (more) {
        uint32_t number = 0;
        KI_TRY(read(syntax, &number));
        ki_syntax_append(syntax, &list, number);
        KI_TRY(ki_syntax_skip_mark(syntax, ',', &more));
    }
    *first = list.first;
    return KITH_OK;
}

kith_result ki_syntax_read_name(ki_syntax *syntax, ki_syntax_kind kind, const char *expected,
                                uint32_t *number)
{
    kith_token_kind found = syntax->reader.token.kind;
    if (found != KITH_TOKEN_WORD && found != KITH_TOKEN_TEXT) {
        return kith_read_expected(&syntax->reader, "%s", expected);
    }
    return ki_syntax_add_token(syntax, kind, number);
}

/* Reads `this`, or a name for an entity of a row. */
static kith_result syntax_read_entity_name(ki_syntax *syntax, uint32_t *number)
{
    const kith_token *token = &syntax->reader.token;
    if (token->kind != KITH_TOKEN_WORD || memchr(token->start, '.', token->length) != NULL) {
        return kith_read_expected(&syntax->reader, "this, or a name for an entity of the row");
    }
    return ki_syntax_add_token(syntax, KI_SYNTAX_FIELD, number);
}

bool ki_syntax_is_pair(const ki_syntax *syntax)
{
    kith_reader ahead = syntax->reader;
    ahead.error = NULL;
    bool name = ahead.token.kind == KITH_TOKEN_WORD || ahead.token.kind == KITH_TOKEN_TEXT;
    return name && kith_read_token(&ahead) == KITH_OK && kith_token_is(&ahead, "(");
}

kith_result ki_syntax_read_pair(ki_syntax *syntax, bool names, uint32_t *number)
{
    ki_syntax_list list = {0, 0};
    uint32_t name = 0;
    bool was = false;
    KI_TRY(ki_syntax_add_token(syntax, KI_SYNTAX_PAIR, number));
    KI_TRY(ki_syntax_next(syntax)); /* the bracket */
    KI_TRY(syntax_read_entity_name(syntax, &name));
    ki_syntax_append(syntax, &list, name);
    KI_TRY(ki_syntax_need_mark(syntax, ',', "after the first entity of a pair"));
    KI_TRY(syntax_read_entity_name(syntax, &name));
    ki_syntax_append(syntax, &list, name);
    KI_TRY(ki_syntax_need_mark(syntax, ')', "after the second entity of a pair"));
    KI_TRY(names ? ki_syntax_skip_word(syntax, "as", &was) : KITH_OK);
    if (was) {
        KI_TRY(syntax_read_entity_name(syntax, &name));
        ki_syntax_append(syntax, &list, name);
    }
    syntax->nodes[*number].first = list.first;
    return KITH_OK;
}

void ki_syntax_free(ki_syntax *syntax)
{
    ki_heap_free(syntax->heap, syntax->nodes, syntax->capacity * sizeof *syntax->nodes,
                 _Alignof(max_align_t));
}
