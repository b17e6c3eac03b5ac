/* Values as text: the parts that writing and reading are made of. What a text means never depends on
 * the host's locale. */
#ifndef KI_REFLECT_TEXT_H
#define KI_REFLECT_TEXT_H

#include <kith/type.h>

#include "base/context.h"

/* ---- Numbers: text_number.c */

/* The longest number, and a handle. */
#define KI_NUMBER_TEXT 40u

/* Writes one value of a kind that is a number (KITH_BYTES: a byte), with a zero byte behind it.
 * Floats have the fewest digits that read back as the same value. */
void ki_number_print(kith_kind kind, const void *bytes, char text[KI_NUMBER_TEXT]);

/* Reads one; false if the text is none, or not in the range of the kind. NULL `bytes` only looks. */
bool ki_number_parse(kith_kind kind, const char *text, size_t length, void *bytes);

/* "a whole number from 0 to 255": what ki_number_parse takes. */
void ki_number_expected(kith_kind kind, char *text, size_t size);

/* ---- Tokens: text_token.c */

typedef enum ki_token_kind {
    KI_TOKEN_END,    /* of the text */
    KI_TOKEN_WORD,   /* Position, velocity.x, path[2].y, Entity(2v1), nan(0x7fc00001) */
    KI_TOKEN_NUMBER, /* what starts like a number; it may still be none */
    KI_TOKEN_CHAR,   /* with its quotes, escapes as they stand */
    KI_TOKEN_TEXT,   /* likewise */
    KI_TOKEN_MARK    /* any other byte */
} ki_token_kind;

typedef struct ki_text_reader {
    ki_context *context; /* where errors go */
    const char *call;
    const char *text;
    const char *next; /* behind the token */
    struct {
        ki_token_kind kind;
        const char *start;
        size_t length;
    } token; /* the last one read */
} ki_text_reader;

/* Reads a token. KITH_ERR_INPUT for quotes that do not close, and for control characters. */
kith_result ki_text_next(ki_text_reader *reader);

bool ki_text_is(const ki_text_reader *reader, const char *token);

/* Whether a name can stand in a text without quotes. */
bool ki_text_is_word(const char *name);

/* KITH_ERR_INPUT, at a place in the text; or at the token: "expected X, found TOKEN". */
kith_result ki_text_fail(ki_text_reader *reader, const char *where, const char *format, ...)
    KI_PRINTF(3, 4);
kith_result ki_text_expected(ki_text_reader *reader, const char *format, ...) KI_PRINTF(2, 3);

/* The bytes that a quoted token stands for, at most `capacity` of them into `bytes` (NULL: none);
 * `*count` tells how many there are. KITH_ERR_INPUT for an escape that is none. */
kith_result ki_text_unquote(ki_text_reader *reader, char *bytes, size_t capacity, size_t *count);

#endif
