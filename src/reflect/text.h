/* Values as text: what writing and reading share. The meaning of a text never depends on the locale. */
#ifndef KI_REFLECT_TEXT_H
#define KI_REFLECT_TEXT_H

#include <kith/reader.h>
#include <kith/world.h>

#include "base/context.h"
#include "base/utf8.h"

/* ---- Numbers: text_number.c */

/* The longest number, and a handle. */
#define KI_NUMBER_TEXT 40u

/* Writes one value of a kind that is a number (KITH_BYTES: a byte), and a zero byte at the end. Floats
 * have the fewest digits that read back as the same value. */
void ki_number_print(kith_kind kind, const void *bytes, char text[KI_NUMBER_TEXT]);

/* Reads one; false if the text is not a number, or out of the range of the kind. NULL `bytes` only
 * checks. */
bool ki_number_parse(kith_kind kind, const char *text, size_t length, void *bytes);

/* "a whole number from 0 to 255": what ki_number_parse takes. */
void ki_number_expected(kith_kind kind, char *text, size_t size);

/* ---- Characters */

/* How many of the `left` bytes are the character above 0x7f that starts here; 0 if none does, or if
 * it is a control character. */
static inline size_t ki_text_character(const unsigned char *c, size_t left)
{
    bool control = left > 1 && *c == 0xC2 && c[1] < 0xA0;
    return control ? 0 : ki_utf8_length(c, left);
}

/* ---- Tokens: text_token.c */

/* Whether a name can be written without quotes. */
bool ki_text_is_word(const char *name);

/* Writes the bytes that a quoted token means, at most `capacity` of them, into `bytes` (NULL: nowhere);
 * `*count` is how many there are. KITH_ERR_INPUT for a wrong escape. */
kith_result ki_text_unquote(kith_reader *reader, char *bytes, size_t capacity, size_t *count);

/* ---- Fields: text_parse.c */

/* Reads a text that is one field of a type, and nothing else, into `bytes`, where the field begins;
 * NULL: only checks it. What is wrong is left for kith_error. */
kith_result ki_text_parse_field(kith_world *world, const char *call, const kith_type *type,
                                const kith_field *field, const char *text, char *bytes);

#endif
