/* Steps of reading a query in text. Those that return a kith_result fail with KITH_ERR_INPUT, which the
 * reader's error explains, or KITH_ERR_MEMORY. */
#ifndef KI_REFLECT_QUERY_SYNTAX_READ_H
#define KI_REFLECT_QUERY_SYNTAX_READ_H

#include "reflect/query_syntax.h"

/* ---- Tokens */

/* Reads the next token. What a value has in brackets is part of its word; `changed(Position)` is not. */
kith_result ki_syntax_next(ki_syntax *syntax);

bool ki_syntax_is_mark(const ki_syntax *syntax, char mark);
bool ki_syntax_is_word(const ki_syntax *syntax, const char *word);

/* Whether the token is this word with a bracket after it. */
bool ki_syntax_is_call(const ki_syntax *syntax, const char *word);

/* Whether the token is a name with an arrow after it, that of a relation; reads on after the arrow. */
bool ki_syntax_is_relation(const ki_syntax *syntax);
kith_result ki_syntax_skip_relation(ki_syntax *syntax);

/* Reads on if the token is this word, or this mark, and says so. */
kith_result ki_syntax_skip_word(ki_syntax *syntax, const char *word, bool *was);
kith_result ki_syntax_skip_mark(ki_syntax *syntax, char mark, bool *was);

/* Reads a mark, or a word, that must be there; `place` is for the message: "after changed". */
kith_result ki_syntax_need_mark(ki_syntax *syntax, char mark, const char *place);
kith_result ki_syntax_need_word(ki_syntax *syntax, const char *word, const char *place);

/* ---- The tree */

/* Adds a node with the token as its name. */
kith_result ki_syntax_add(ki_syntax *syntax, ki_syntax_kind kind, uint32_t *number);

/* The same, and reads on. */
kith_result ki_syntax_add_token(ki_syntax *syntax, ki_syntax_kind kind, uint32_t *number);

/* Adds a node whose children are `first` and those linked to it; it begins where `start` does. */
kith_result ki_syntax_add_over(ki_syntax *syntax, ki_syntax_kind kind, uint32_t first,
                               kith_token start, uint32_t *number);

/* A list of siblings that grows at its end. */
typedef struct ki_syntax_list {
    uint32_t first; /* 0: it is empty */
    uint32_t last;
} ki_syntax_list;

void ki_syntax_append(ki_syntax *syntax, ki_syntax_list *list, uint32_t number);

/* Reads a list with commas between what `read` reads. */
kith_result ki_syntax_read_list(ki_syntax *syntax,
                                kith_result (*read)(ki_syntax *syntax, uint32_t *number),
                                uint32_t *first);

/* Whether the token is a name with a bracket after it, as that of a pair; reads `R(a, b)` and, if there
 * may be names for links, `as c`. */
bool ki_syntax_is_pair(const ki_syntax *syntax);
kith_result ki_syntax_read_pair(ki_syntax *syntax, bool names, uint32_t *number);

/* Reads a component, which gets this role and access. */
kith_result ki_syntax_read_component(ki_syntax *syntax, kith_role role, kith_access access,
                                     uint32_t *number);

/* Reads `has(T)`, `within(T, x, y, distance)` or `distance(T, x, y)`, as `kind` says; `read` reads their
 * numbers. */
kith_result ki_syntax_read_call(ki_syntax *syntax, ki_syntax_kind kind,
                                kith_result (*read)(ki_syntax *syntax, uint32_t *number),
                                uint32_t *number);

/* Reads a name: a word, or a text in quotes ("). */
kith_result ki_syntax_read_name(ki_syntax *syntax, ki_syntax_kind kind, const char *expected,
                                uint32_t *number);

/* ---- Clauses, and mistakes: query_text_mistakes.c */

/* The words that clauses begin with, by number. */
extern const char *const ki_syntax_clauses[];

/* The clause that a token begins; KI_CLAUSE_LIMIT + 1: none. */
unsigned ki_syntax_clause_of(const kith_reader *reader);

/* Reports a word before a component that other languages have there. A component may be called so. */
kith_result ki_syntax_check_word(ki_syntax *syntax);

/* Whether the token is a mark or a word of other languages, which a message has a hint for. */
bool ki_syntax_is_foreign(ki_syntax *syntax);

/* Reports that no operator comes after a field. */
kith_result ki_syntax_reject_operator(ki_syntax *syntax);

/* Reports that the text goes on where clauses from number `from` on could begin. */
kith_result ki_syntax_unexpected(ki_syntax *syntax, unsigned from);

/* The word that a token was probably meant to be, as kith_hint_text has it; "": none is near. */
kith_hint_line ki_syntax_hint(kith_token token, const char *const *words, size_t count);

#endif
