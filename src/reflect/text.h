/* Values as text: the parts that writing and reading are made of. What a text means never depends on
 * the host's locale. */
#ifndef KI_REFLECT_TEXT_H
#define KI_REFLECT_TEXT_H

#include <kith/reader.h>

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

/* ---- Characters: text_print.c */

/* How many of the `left` bytes are the character behind 0x7f that starts here; 0 if none does, or one
 * that is a control. */
size_t ki_text_character(const unsigned char *c, size_t left);

/* ---- Tokens: text_token.c */

/* Whether a name can stand in a text without quotes. */
bool ki_text_is_word(const char *name);

/* The bytes that a quoted token stands for, at most `capacity` of them into `bytes` (NULL: none);
 * `*count` tells how many there are. KITH_ERR_INPUT for an escape that is none. */
kith_result ki_text_unquote(kith_reader *reader, char *bytes, size_t capacity, size_t *count);

#endif
