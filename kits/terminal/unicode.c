#include "terminal/unicode.h"

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

/* What changes the order or the place of the characters around it (bidirectional controls, line and
 * paragraph separators, interlinear annotations), and deprecated format controls. On a screen of
 * cells it would make text look like another one. */
static bool is_format_control(uint32_t character)
{
    return character == 0x61C || character == 0x200E || character == 0x200F ||
           (character >= 0x2028 && character <= 0x202E) ||
           (character >= 0x2066 && character <= 0x206F) ||
           (character >= 0xFFF9 && character <= 0xFFFB) || character == 0xE0001;
}

/* Letters that no terminal shows, which name a flag after a black one. */
static bool is_tag(uint32_t character)
{
    return character >= 0xE0020 && character <= 0xE007F;
}

int ki_unicode_width(uint32_t character)
{
    if (character < 0x300) {
        return character < 0x20 || (character >= 0x7F && character < 0xA0) ? -1 : 1;
    }
    if (character >= 0x2500 && character < 0x25A0) {
        return 1; /* boxes and blocks: drawn so often that the way round is worth it */
    }
    if (character > 0x10FFFF || (character >= 0xD800 && character < 0xE000) ||
        is_format_control(character) || is_tag(character)) {
        return -1;
    }
    return ki_table_width(character);
}

/* ---- Characters as readers see them ---------------------------------------------------------- */

static bool is_flag_letter(uint32_t character)
{
    return character >= 0x1F1E6 && character <= 0x1F1FF;
}

/* What has no columns and nothing to be seen: it may only be part of something else. */
static bool is_invisible(uint32_t character)
{
    return (character >= 0x200B && character <= KI_JOINER) ||
           (character >= 0x2060 && character <= 0x2064) || character == 0xFEFF;
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
        return ki_is_emoji(last);
    }
    if (is_tag(next)) {
        return ki_is_emoji(grapheme->base);
    }
    return ki_char_width(next) == 0;
}

/* Adds the character, after a joiner or without. Both or none: a joiner at the end would join what
 * is in the next cell. */
static void grapheme_append(ki_grapheme *grapheme, bool joined, uint32_t character)
{
    char bytes[8];
    int size = joined ? ki_utf8_write(bytes, KI_JOINER) : 0;
    size += ki_utf8_write(bytes + size, character);
    if (grapheme->size + size < KITH_CELL_SIZE) {
        memcpy(grapheme->text + grapheme->size, bytes, (size_t)size);
        grapheme->size += size;
        grapheme->text[grapheme->size] = '\0';
        grapheme->count += joined ? 2 : 1;
    }
}

static void grapheme_begin(ki_grapheme *grapheme, uint32_t first)
{
    int width = first == '\n' ? 1 : ki_char_width(first);
    *grapheme = (ki_grapheme){.width = width == 2 ? 2 : 1};
    if (width == 0) {
        grapheme_append(grapheme, false, ' '); /* a mark without anything to be on */
        grapheme->base = ' ';
    } else {
        first = width < 0 ? KI_REPLACEMENT : first;
        grapheme->base = first;
    }
    grapheme_append(grapheme, false, first);
}

bool ki_grapheme_read(ki_grapheme *grapheme, const char **at)
{
    uint32_t last;
    do {
        last = ki_utf8_read(at);
    } while (is_invisible(last));
    if (last == 0) {
        return false;
    }
    grapheme_begin(grapheme, last);
    for (int read = 1;; read++) {
        const char *ahead = *at;
        uint32_t next = ki_utf8_read(&ahead);
        bool joined = false;
        while (next == KI_JOINER) {
            *at = ahead; /* is left out where it joins nothing */
            next = ki_utf8_read(&ahead);
            joined = ki_is_emoji(next) && ki_is_emoji(grapheme->base);
        }
        if (!joined && !grapheme_goes_on(grapheme, last, next, read)) {
            return true;
        }
        if (is_flag_letter(next)) {
            grapheme->width = 2;
        }
        grapheme_append(grapheme, joined, next);
        last = next;
        *at = ahead;
    }
}
