/* Messages about queries in text that end too early, or that have what programmers of SQL and C write
 * there. */
#include <stdio.h>
#include <string.h>

#include "reflect/query_syntax_read.h"

const char *const ki_syntax_clauses[] = {"where", "group", "select", "order", "limit"};

unsigned ki_syntax_clause_of(const kith_reader *reader)
{
    unsigned clause = reader->token.kind == KITH_TOKEN_WORD ? 0 : KI_CLAUSE_LIMIT + 1;
    while (clause <= KI_CLAUSE_LIMIT && !kith_token_is(reader, ki_syntax_clauses[clause])) {
        clause++;
    }
    return clause;
}

/* Whether what comes is spelled so, in upper or lower case; a word as a whole. */
static bool mistake_is(const kith_reader *reader, const char *spelled)
{
    const size_t length = strlen(spelled);
    const kith_token *token = &reader->token;
    if (token->kind == KITH_TOKEN_WORD
            ? token->length != length
            : length > (size_t)(reader->text + reader->length - token->start)) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if ((token->start[i] | 0x20) != spelled[i]) { /* marks have this bit as well */
            return false;
        }
    }
    return true;
}

/* What was expected instead of a word before a component; NULL: the token is no such word. */
static const char *mistake_before_component(const ki_syntax *syntax)
{
    static const char absent[] = "! before a component that must not be there";
    static const struct {
        const char *word;
        const char *expected;
    } words[] = {{"not", absent},
                 {"without", absent},
                 {"select", "the components, and then select, as in Health select Health.current"},
                 {"from", "the components, without from"},
                 {"where", "the components, or * for all entities, before where"}};
    if (syntax->reader.token.kind != KITH_TOKEN_WORD) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (mistake_is(&syntax->reader, words[i].word)) {
            return words[i].expected;
        }
    }
    return NULL;
}

/* What to write instead of the token, in brackets; "": no hint. Marks that belong together, such as &&,
 * become one token. */
static const char *mistake_hint(ki_syntax *syntax, bool in_terms)
{
    static const char comma[] = " (write a comma)";
    static const char any[] = " (write any(A, B))";
    static const char where[] = " (conditions come after where)";
    static const char from[] = " (there is no from: the components come first)";
    static const char end[] = " (there is no ; at the end)";
    static const char comment[] = " (comments begin with #)";
    static const struct {
        const char *spelled; /* those that begin with another one come before that */
        const char *in_terms;
        const char *after_terms;
    } hints[] = {{"&&", comma, " (write and)"},
                 {"&", comma, " (write and)"},
                 {"and", comma, ""},
                 {"||", any, " (write or)"},
                 {"|", any, " (write or)"},
                 {"or", any, ""},
                 {"<>", where, " (write !=)"},
                 {"=<", where, " (write <=)"},
                 {"=>", where, " (write >=)"},
                 {"<", where, ""},
                 {">", where, ""},
                 {"=", where, ""},
                 {"!=", where, ""},
                 {"is", where, " (write has(T), or not has(T))"},
                 {"asc", "", " (without a word, the least come first)"},
                 {"from", from, from},
                 {";", end, end},
                 {"--", comment, comment},
                 {"//", comment, comment},
                 {"/*", comment, comment}};
    kith_token *token = &syntax->reader.token;
    if (token->kind == KITH_TOKEN_END || token->kind == KITH_TOKEN_TEXT ||
        token->kind == KITH_TOKEN_CHAR) {
        return "";
    }
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        if (mistake_is(&syntax->reader, hints[i].spelled)) {
            const char *hint = in_terms ? hints[i].in_terms : hints[i].after_terms;
            token->length = *hint != '\0' ? strlen(hints[i].spelled) : token->length;
            return hint;
        }
    }
    return "";
}

kith_hint_line ki_syntax_hint(kith_token token, const char *const *words, size_t count)
{
    kith_hint hint = {.word = token.start, .length = token.length};
    for (size_t i = 0; i < count; i++) {
        kith_hint_offer(&hint, words[i]);
    }
    return hint.best != NULL && token.kind == KITH_TOKEN_WORD ? kith_hint_text(&hint)
                                                              : (kith_hint_line){""};
}

kith_result ki_syntax_check_word(ki_syntax *syntax)
{
    kith_reader ahead = syntax->reader;
    const char *expected = mistake_before_component(syntax);
    ahead.error = NULL;
    if (expected == NULL || kith_read_token(&ahead) != KITH_OK ||
        ki_syntax_clause_of(&ahead) <= KI_CLAUSE_LIMIT) {
        return KITH_OK;
    }
    return ahead.token.kind == KITH_TOKEN_WORD || ahead.token.kind == KITH_TOKEN_TEXT ||
                   kith_token_is(&ahead, "*")
               ? kith_read_expected(&syntax->reader, "%s", expected)
               : KITH_OK;
}

bool ki_syntax_is_foreign(ki_syntax *syntax)
{
    return *mistake_hint(syntax, false) != '\0';
}

kith_result ki_syntax_reject_operator(ki_syntax *syntax)
{
    static const char *const words[] = {"between", "in", "prefix", "contains", "like"};
    const char *meant = mistake_hint(syntax, false);
    const kith_hint_line hint =
        ki_syntax_hint(syntax->reader.token, words, sizeof words / sizeof words[0]);
    return kith_read_expected(
        &syntax->reader,
        "one of < <= > >= = != between in prefix contains like, after a field%s",
        *meant != '\0' ? meant : hint.text);
}

kith_result ki_syntax_unexpected(ki_syntax *syntax, unsigned from)
{
    static const char *const words[] = {"where", "group by", "select", "order by", "limit"};
    static const char *const left[] = {"where, group by, select, order by, limit, ",
                                       "and, or, group by, select, order by, limit, ",
                                       "select, order by, limit, ",
                                       "order by, limit, ",
                                       "limit, ",
                                       ""};
    static const char *const joins[] = {"and", "or"};
    static const char *const orders[] = {"desc"};
    const kith_token token = syntax->reader.token;
    const char *meant = mistake_hint(syntax, from == KI_CLAUSE_WHERE);
    kith_hint_line hint = ki_syntax_hint(token, words + from, KI_CLAUSE_LIMIT + 1 - from);
    if (hint.text[0] == '\0' && from == KI_CLAUSE_GROUP) {
        hint = ki_syntax_hint(token, joins, 2);
    } else if (hint.text[0] == '\0' && from == KI_CLAUSE_LIMIT) {
        hint = ki_syntax_hint(token, orders, 1);
    }
    char early[40] = ""; /* a clause that should have come before the last one */
    const unsigned clause = ki_syntax_clause_of(&syntax->reader);
    KI_ASSERT(from <= KI_CLAUSE_LIMIT + 1);
    if (clause < KI_CLAUSE_LIMIT && clause + 1 < from) {
        snprintf(early, sizeof early, " (%s comes before %s)", words[clause], words[from - 1]);
    }
    return kith_read_expected(&syntax->reader, "%s%s%sthe end of the query%s%s",
                              syntax->terms != 0 && from == 0 ? "a comma, " : "", left[from],
                              from <= KI_CLAUSE_LIMIT ? "or " : "",
                              *meant != '\0' ? meant : hint.text, early);
}
