/* What is sent to show a glyph: as it is, or what ASCII has for it. */
#include <string.h>

#include "terminal/render.h"

/* U+00A1 to U+017F without their marks; ? where there is nothing like it. */
static const char ascii_latin[] =
    "!cLoY|S\"Ca<--R-o+23'uP.,1o>113?AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsa"
    "aaaaaaceeeeiiiidnooooo/ouuuuytyAaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgG"
    "gGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsS"
    "sTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";

/* U+2500 to U+257F, lines and their corners, then U+2580 to U+259F, blocks: from the bottom up,
 * from the left, shades, quarters. */
static const char ascii_boxes[] =
    "--||--||++||++++++++++++++++++++++++++++++++++++++++++++++++++++"
    "++++++++++++--||-|+++++++++++++++++++++++++++++++/\\X-|-|-|-|-|-|"
    "\"_.-=+*%###==--||.:#\"|..'####'##";

static char ascii_of(uint32_t character)
{
    if (character < 0x7F) {
        return (char)character;
    }
    if (character == 0xA0) {
        return ' ';
    }
    if (character < 0xA1 + sizeof ascii_latin - 1) {
        return ascii_latin[character - 0xA1];
    }
    if (character >= 0x2500 && character < 0x25A0) {
        return ascii_boxes[character - 0x2500];
    }
    switch (character) {
    case 0x2018:
    case 0x2019: return '\'';
    case 0x201C:
    case 0x201D: return '"';
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014:
    case 0x2212: return '-';
    case 0x2022:
    case 0x25C6:
    case 0x25CF: return '*';
    case 0x2665: return '+';
    case 0x25CB: return 'o';
    case 0x25A0: return '#';
    case 0x2026: return '.';
    case 0x2190: return '<';
    case 0x2191: return '^';
    case 0x2192: return '>';
    case 0x2193: return 'v';
    default: return '?';
    }
}

static void add_ascii(ki_renderer *renderer, const kith_screen *screen, const ki_cell *cell)
{
    const ki_cluster *cluster = ki_cluster_of(&screen->clusters, cell->glyph);
    char text[2] = {ascii_of(cluster != NULL ? cluster->base : cell->glyph), ' '};
    ki_bytes_add(&renderer->bytes, text, cell->width == 2 ? 2 : 1);
}

/* A cluster for a terminal that knows no joined emoji: its first one. Marks stay. */
static void add_unjoined(ki_renderer *renderer, const char *text)
{
    const char *at = text;
    const char *start = at;
    for (uint32_t character; (character = ki_utf8_read(&at)) != 0; start = at) {
        const char *ahead = at;
        if (start != text && (ki_is_skin_tone(character) || ki_char_width(character) < 0)) {
            continue; /* a tag has no width of its own */
        }
        if (character == KI_JOINER && ki_is_emoji(ki_utf8_read(&ahead))) {
            return;
        }
        if (character != KI_EMOJI_STYLE) {
            ki_bytes_add(&renderer->bytes, start, (size_t)(at - start));
        }
    }
}

void ki_glyph_add(ki_renderer *renderer, const kith_screen *screen, const ki_cell *cell, bool *sure)
{
    *sure = true;
    if (cell->glyph == KI_GLYPH_NONE) {
        ki_bytes_add(&renderer->bytes, " ", 1);
    } else if (renderer->glyphs == KITH_GLYPHS_ASCII) {
        add_ascii(renderer, screen, cell);
    } else if (cell->glyph < KI_GLYPH_CLUSTER) {
        char text[4];
        int size = ki_utf8_write(text, cell->glyph);
        ki_bytes_add(&renderer->bytes, text, (size_t)size);
        *sure = cell->glyph < 0x1F000;
    } else {
        const ki_cluster *cluster = ki_cluster_of(&screen->clusters, cell->glyph);
        *sure = false;
        if (renderer->glyphs == KITH_GLYPHS_JOINED) {
            ki_bytes_add_text(&renderer->bytes, cluster->text);
        } else {
            add_unjoined(renderer, cluster->text);
        }
    }
}
