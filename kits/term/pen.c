/* Colours and attributes, in as few bytes as they take. */
#include <string.h>

#include "term/render.h"

/* ---- Fewer colours --------------------------------------------------------------------------- */

/* The sixteen as most terminals have them. */
static const uint32_t first_colors[16] = {
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF};

static const int cube_levels[6] = {0, 95, 135, 175, 215, 255};

static uint32_t palette_rgb(uint32_t number)
{
    if (number < 16) {
        return first_colors[number];
    }
    if (number < 232) {
        uint32_t cube = number - 16;
        return (uint32_t)cube_levels[cube / 36] << 16 | (uint32_t)cube_levels[cube / 6 % 6] << 8 |
               (uint32_t)cube_levels[cube % 6];
    }
    return (8 + (number - 232) * 10) * 0x010101u;
}

/* Of sixteen colours the nearest one is mostly a grey, and what differs by its hue would look the
 * same. So what has a hue becomes one of the six colours, dark or bright, and only the rest a grey. */
static uint32_t nearest_of_16(uint32_t rgb)
{
    const int parts[3] = {(int)(rgb >> 16 & 255), (int)(rgb >> 8 & 255), (int)(rgb & 255)};
    int most = 0;
    int least = 255;
    for (int i = 0; i < 3; i++) {
        most = parts[i] > most ? parts[i] : most;
        least = parts[i] < least ? parts[i] : least;
    }
    if (most < 64) {
        return KI_COLOR_PALETTE | 0;
    }
    if ((most - least) * 10 < most * 3) {
        int grey = (parts[0] * 3 + parts[1] * 6 + parts[2]) / 10;
        return KI_COLOR_PALETTE | (grey < 64 ? 0 : grey < 178 ? 8 : grey < 242 ? 7 : 15);
    }
    uint32_t color = most > 205 ? 8 : 0;
    for (uint32_t i = 0; i < 3; i++) {
        color |= parts[i] * 2 >= most + least ? 1u << i : 0;
    }
    return KI_COLOR_PALETTE | color;
}

/* The eye tells greens apart best, blues worst. */
static int color_distance(uint32_t a, uint32_t b)
{
    int red = (int)(a >> 16 & 255) - (int)(b >> 16 & 255);
    int green = (int)(a >> 8 & 255) - (int)(b >> 8 & 255);
    int blue = (int)(a & 255) - (int)(b & 255);
    return 3 * red * red + 6 * green * green + blue * blue;
}

/* Without the first sixteen, which every terminal shows in other colours. */
static uint32_t nearest_of_256(uint32_t rgb)
{
    uint32_t best = 16;
    for (uint32_t i = 17; i < 256; i++) {
        if (color_distance(rgb, palette_rgb(i)) < color_distance(rgb, palette_rgb(best))) {
            best = i;
        }
    }
    return KI_COLOR_PALETTE | best;
}

static uint32_t reduce(kith_term_colors colors, uint32_t color)
{
    uint32_t kind = KI_COLOR_KIND(color);
    uint32_t rgb = kind == KI_COLOR_RGB ? color & 0xFFFFFF : palette_rgb(color & 255);
    if (colors == KITH_COLORS_256) {
        return kind == KI_COLOR_RGB ? nearest_of_256(rgb) : color;
    }
    return kind == KI_COLOR_RGB || (color & 255) > 15 ? nearest_of_16(rgb) : color;
}

uint32_t ki_color_nearest(ki_renderer *renderer, kith_term_color color)
{
    uint32_t place = (color * 2654435761u) >> 26;
    if (renderer->cached_from[place] != color) {
        renderer->cached_from[place] = color;
        renderer->cached_to[place] = reduce(renderer->colors, color);
    }
    return renderer->cached_to[place];
}

/* ---- Select graphic rendition ---------------------------------------------------------------- */

typedef struct codes {
    char text[128];
    size_t length;
} codes;

static void add_code(codes *c, uint32_t number)
{
    if (c->length > 0) {
        c->text[c->length++] = ';';
    }
    c->length += (size_t)ki_digits_write(c->text + c->length, number);
}

/* `base` is 30 for the foreground, 40 for the background. */
static void add_color_codes(codes *c, uint32_t color, uint32_t base)
{
    uint32_t number = color & 255;
    if (KI_COLOR_KIND(color) == KI_COLOR_RGB) {
        add_code(c, base + 8);
        add_code(c, 2);
        add_code(c, color >> 16 & 255);
        add_code(c, color >> 8 & 255);
        add_code(c, number);
    } else if (KI_COLOR_KIND(color) != KI_COLOR_PALETTE) {
        add_code(c, base + 9);
    } else if (number < 8) {
        add_code(c, base + number);
    } else if (number < 16) {
        add_code(c, base + 60 + number - 8);
    } else {
        add_code(c, base + 8);
        add_code(c, 5);
        add_code(c, number);
    }
}

/* How each attribute is turned on, and off; bold and dim go off together. */
static const struct {
    uint32_t attribute;
    uint32_t on;
    uint32_t off;
} attribute_codes[] = {
    {KITH_BOLD, 1, 22},      {KITH_DIM, 2, 22},   {KITH_ITALIC, 3, 23},
    {KITH_UNDERLINE, 4, 24}, {KITH_BLINK, 5, 25}, {KITH_REVERSE, 7, 27},
};
#define ATTRIBUTE_COUNT (sizeof attribute_codes / sizeof attribute_codes[0])
#define ALL_ATTRIBUTES 63u

static void add_changes(codes *c, const ki_pen *from, const ki_pen *to)
{
    uint32_t gone = from->attributes & ~to->attributes;
    uint32_t there = from->attributes;
    for (size_t i = 0; i < ATTRIBUTE_COUNT && gone != 0; i++) {
        if ((gone & attribute_codes[i].attribute) != 0) {
            uint32_t with = i < 2 ? KITH_BOLD | KITH_DIM : attribute_codes[i].attribute;
            add_code(c, attribute_codes[i].off);
            gone &= ~with;
            there &= ~with;
        }
    }
    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        if ((to->attributes & ~there & attribute_codes[i].attribute) != 0) {
            add_code(c, attribute_codes[i].on);
        }
    }
    if (from->fg != to->fg) {
        add_color_codes(c, to->fg, 30);
    }
    if (from->bg != to->bg) {
        add_color_codes(c, to->bg, 40);
    }
}

/* What leads to a pen from any other. */
static void add_from_plain(codes *c, const ki_pen *to)
{
    static const ki_pen plain = {0};
    c->length = 0;
    if (to->fg != 0 || to->bg != 0 || to->attributes != 0) {
        add_code(c, 0);
        add_changes(c, &plain, to);
    }
}

/* Whether something goes off. If nothing does, all that is told anew would be told from plain, too. */
static bool turns_off(const ki_pen *from, const ki_pen *to)
{
    return (from->attributes & ~to->attributes) != 0 || (from->fg != 0 && to->fg == 0) ||
           (from->bg != 0 && to->bg == 0);
}

void ki_pen_set(ki_renderer *renderer, const ki_pen *wanted)
{
    ki_pen *pen = &renderer->pen;
    ki_pen to = *wanted;
    to.attributes &= ALL_ATTRIBUTES;
    if (ki_pen_is(pen, &to)) {
        return;
    }
    codes changes;
    changes.length = 0;
    add_changes(&changes, pen, &to);
    if (turns_off(pen, &to)) {
        codes from_plain;
        add_from_plain(&from_plain, &to);
        changes = from_plain.length < changes.length ? from_plain : changes;
    }
    ki_bytes_add(&renderer->bytes, "\033[", 2);
    ki_bytes_add(&renderer->bytes, changes.text, changes.length);
    ki_bytes_add(&renderer->bytes, "m", 1);
    *pen = to;
}
