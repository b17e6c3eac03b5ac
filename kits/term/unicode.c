#include "term/unicode.h"

#include <string.h>

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

uint32_t ki_utf8_read(const char **at)
{
    const unsigned char *text = (const unsigned char *)*at;
    uint32_t first = *text;
    if (first == 0) {
        return 0;
    }
    ++*at;
    if (first < 0x80) {
        return first;
    }
    int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC2 || first > 0xF4) {
        return KI_REPLACEMENT;
    }
    uint32_t character = first & (0x3Fu >> more);
    /* The second byte is where forms that are too long, surrogates and numbers beyond Unicode show. */
    uint32_t lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    uint32_t highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    for (int i = 1; i <= more; i++) {
        uint32_t byte = text[i];
        if (byte < lowest || byte > highest) {
            return KI_REPLACEMENT;
        }
        ++*at;
        character = character << 6 | (byte & 0x3F);
        lowest = 0x80;
        highest = 0xBF;
    }
    return character;
}

int ki_utf8_write(char *out, uint32_t character)
{
    if (character < 0x80) {
        out[0] = (char)character;
        return 1;
    }
    int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    static const uint32_t marks[] = {0, 0xC0, 0xE0, 0xF0};
    out[0] = (char)(marks[more] | character >> (6 * more));
    for (int i = 1; i <= more; i++) {
        out[i] = (char)(0x80 | (character >> (6 * (more - i)) & 0x3F));
    }
    return more + 1;
}

/* ---- Columns --------------------------------------------------------------------------------- */

bool ki_is_emoji(uint32_t character)
{
    return (character >= 0x1F300 && character <= 0x1FAFF) ||
           (character >= 0x2600 && character <= 0x27BF) ||
           (character >= 0x2190 && character <= 0x21FF) ||
           (character >= 0x2B00 && character <= 0x2BFF);
}

bool ki_is_skin_tone(uint32_t character)
{
    return character >= 0x1F3FB && character <= 0x1F3FF;
}

int ki_unicode_width(uint32_t character)
{
    if (character < 0x300) {
        return character < 0x20 || (character >= 0x7F && character < 0xA0) ? -1 : 1;
    }
    if (character >= 0x2500 && character < 0x25A0) {
        return 1; /* boxes and blocks: drawn so often that the way round is worth it */
    }
    if (character > 0x10FFFF || (character >= 0xD800 && character < 0xE000)) {
        return -1;
    }
    return ki_table_width(character);
}

/* ---- Characters as readers see them ---------------------------------------------------------- */

static bool is_flag_letter(uint32_t character)
{
    return character >= 0x1F1E6 && character <= 0x1F1FF;
}

/* Whether `next` belongs to what was read so far, which ends in `last`. */
static bool grapheme_goes_on(const ki_grapheme *grapheme, uint32_t last, uint32_t next, int read)
{
    if (next < 0x300) {
        return false;
    }
    if (is_flag_letter(next)) {
        return read == 1 && is_flag_letter(grapheme->base);
    }
    if (ki_is_skin_tone(next)) {
        return ki_is_emoji(last) || last == KI_JOINER;
    }
    if (last == KI_JOINER && ki_is_emoji(next)) {
        return ki_is_emoji(grapheme->base);
    }
    return ki_char_width(next) == 0;
}

static void grapheme_append(ki_grapheme *grapheme, uint32_t character)
{
    char bytes[4];
    int size = ki_utf8_write(bytes, character);
    if (grapheme->size + size < KITH_CELL_SIZE) {
        memcpy(grapheme->text + grapheme->size, bytes, (size_t)size);
        grapheme->size += size;
        grapheme->text[grapheme->size] = '\0';
        grapheme->count++;
    }
}

bool ki_grapheme_read(ki_grapheme *grapheme, const char **at)
{
    uint32_t last = ki_utf8_read(at);
    if (last == 0) {
        return false;
    }
    int width = last == '\n' ? 1 : ki_char_width(last);
    *grapheme = (ki_grapheme){.width = 1};
    if (width == 0) {
        grapheme_append(grapheme, ' '); /* a mark without anything to stand on */
        grapheme->base = ' ';
    } else {
        last = width < 0 ? KI_REPLACEMENT : last;
        grapheme->base = last;
        grapheme->width = width == 2 ? 2 : 1;
    }
    grapheme_append(grapheme, last);
    for (int read = 1;; read++) {
        const char *ahead = *at;
        uint32_t next = ki_utf8_read(&ahead);
        if (!grapheme_goes_on(grapheme, last, next, read)) {
            return true;
        }
        if (is_flag_letter(next)) {
            grapheme->width = 2;
        }
        grapheme_append(grapheme, next);
        last = next;
        *at = ahead;
    }
}
