/* UTF-8, columns, and what a reader takes for one character. */
#ifndef KI_TERMINAL_UNICODE_H
#define KI_TERMINAL_UNICODE_H

#include <kith/terminal.h>

#define KI_REPLACEMENT 0xFFFDu
#define KI_JOINER 0x200Du
#define KI_EMOJI_STYLE 0xFE0Fu

/* Reads the character at `*at` and moves past it; the text ends in a zero, which is not passed.
 * What is no UTF-8 is U+FFFD: one for each piece that could have been the start of a character. */
uint32_t ki_utf8_read(const char **at);

/* Writes up to 4 bytes; returns how many. `character` is a Unicode scalar value. */
int ki_utf8_write(char *out, uint32_t character);

/* ki_char_width for what is not ASCII, or a control character. */
int ki_unicode_width(uint32_t character);

/* The same as Unicode has it, from U+0300 on. (width.c) */
int ki_table_width(uint32_t character);

/* 0, 1 or 2; -1 for what cannot be shown. */
static inline int ki_char_width(uint32_t character)
{
    return character >= 0x20 && character < 0x7F ? 1 : ki_unicode_width(character);
}

/* A picture that others can be joined to. */
bool ki_is_emoji(uint32_t character);

bool ki_is_skin_tone(uint32_t character);

typedef struct ki_grapheme {
    uint32_t base;             /* the first of its characters */
    int width;                 /* 1 or 2 */
    int count;                 /* of characters that are kept */
    int size;                  /* bytes */
    char text[KITH_CELL_SIZE]; /* ended by a zero */
} ki_grapheme;

/* Reads one, as UAX #29 cuts them, where the terminal's columns allow: marks stay with what they
 * stand on, joined emoji and skin tones are one, two letters are a flag. False at the end. */
bool ki_grapheme_read(ki_grapheme *grapheme, const char **at);

#endif
