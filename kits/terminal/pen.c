/* Colours and attributes, in as few bytes as they take. */
#include "terminal/pen.h"
#include "terminal/palette.h"

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
    if (KI_COLOR_KIND(color) == KITH_RGB) {
        add_code(c, base + 8);
        add_code(c, 2);
        add_code(c, color >> 16 & 255);
        add_code(c, color >> 8 & 255);
        add_code(c, number);
    } else if (KI_COLOR_KIND(color) != KITH_PALETTE) {
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

void ki_pen_set(ki_pen *pen, const ki_pen *wanted, ki_bytes *bytes)
{
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
    ki_bytes_add(bytes, "\033[", 2);
    ki_bytes_add(bytes, changes.text, changes.length);
    ki_bytes_add(bytes, "m", 1);
    *pen = to;
}
