/* Rectangles, borders, bars, little curves and half cells. */
#include <kith/floats.h>

#include <math.h>

#include "terminal/screen.h"

#define UPPER_HALF 0x2580u
#define LOWER_HALF 0x2584u
#define FULL_BLOCK 0x2588u

/* The part of a rectangle that the clip lets through, so that huge ones cost nothing. */
typedef struct inner {
    int x, y, end_x, end_y;
} inner;

static inner inside_clip(const kith_screen *screen, kith_screen_rect rect)
{
    const kith_screen_rect *clip = &screen->clip;
    if (rect.width < 1 || rect.height < 1) {
        return (inner){0}; /* where that ends may be no int */
    }
    int64_t end_x = (int64_t)rect.x + rect.width;
    int64_t end_y = (int64_t)rect.y + rect.height;
    int64_t clip_x = (int64_t)clip->x + clip->width;
    int64_t clip_y = (int64_t)clip->y + clip->height;
    return (inner){.x = rect.x > clip->x ? rect.x : clip->x,
                   .y = rect.y > clip->y ? rect.y : clip->y,
                   .end_x = (int)(end_x < clip_x ? end_x : clip_x),
                   .end_y = (int)(end_y < clip_y ? end_y : clip_y)};
}

void kith_screen_fill(kith_screen *screen, kith_screen_rect rect, uint32_t character,
                      kith_terminal_style style)
{
    if (screen == NULL) {
        return;
    }
    int width = ki_char_width(character);
    uint32_t glyph = width <= 0 ? KI_REPLACEMENT : character;
    int step = width == 2 ? 2 : 1;
    inner in = inside_clip(screen, rect);
    if (step == 2 && in.x < in.end_x) {
        /* Columns are counted from the rectangle's edge; an odd one that is left is a blank. */
        in.x -= (int)(((int64_t)in.x - rect.x) % 2);
    }
    for (int y = in.y; y < in.end_y; y++) {
        for (int x = in.x; x < in.end_x; x += step) {
            bool fits = step == 1 || (int64_t)x + 1 < (int64_t)rect.x + rect.width;
            ki_screen_set(screen, x, y, fits ? glyph : ' ', fits ? step : 1, style);
        }
    }
}

/* Sides, then corners: left upper, right upper, left lower, right lower. */
static const uint32_t border_glyphs[][6] = {
    {0x2500, 0x2502, 0x250C, 0x2510, 0x2514, 0x2518},
    {0x2501, 0x2503, 0x250F, 0x2513, 0x2517, 0x251B},
    {0x2550, 0x2551, 0x2554, 0x2557, 0x255A, 0x255D},
    {0x2500, 0x2502, 0x256D, 0x256E, 0x2570, 0x256F},
    {'-', '|', '+', '+', '+', '+'},
};

void kith_screen_box(kith_screen *screen, kith_screen_rect rect, kith_screen_border border,
                     kith_terminal_style style)
{
    if (screen == NULL || (unsigned)border > KITH_BORDER_ASCII || rect.width < 1 ||
        rect.height < 1 || rect.x > KI_SIDE_MAX || rect.y > KI_SIDE_MAX) {
        return;
    }
    const uint32_t *glyphs = border_glyphs[border];
    int64_t right = (int64_t)rect.x + rect.width - 1;
    int64_t bottom = (int64_t)rect.y + rect.height - 1;
    int last_x = (int)(right > KI_SIDE_MAX ? KI_SIDE_MAX : right);
    int last_y = (int)(bottom > KI_SIDE_MAX ? KI_SIDE_MAX : bottom);
    inner in = inside_clip(screen, rect);
    for (int x = in.x; x < in.end_x; x++) {
        ki_screen_set(screen, x, rect.y, glyphs[0], 1, style);
        ki_screen_set(screen, x, last_y, glyphs[0], 1, style);
    }
    for (int y = in.y; y < in.end_y; y++) {
        ki_screen_set(screen, rect.x, y, glyphs[1], 1, style);
        ki_screen_set(screen, last_x, y, glyphs[1], 1, style);
    }
    ki_screen_set(screen, rect.x, rect.y, glyphs[2], 1, style);
    ki_screen_set(screen, last_x, rect.y, glyphs[3], 1, style);
    ki_screen_set(screen, rect.x, last_y, glyphs[4], 1, style);
    ki_screen_set(screen, last_x, last_y, glyphs[5], 1, style);
}

/* 0 for what is not a number. */
static float clamped(float value, float highest)
{
    return value > 0 ? (value < highest ? value : highest) : 0;
}

void kith_screen_bar(kith_screen *screen, int x, int y, int width, float part,
                     kith_terminal_style style)
{
    if (screen == NULL || width < 1) {
        return;
    }
    inner in = inside_clip(screen, (kith_screen_rect){x, y, width, 1});
    int64_t eighths = (int64_t)(kith_mul_f64((double)clamped(part, 1), width * 8.0) + 0.5);
    for (int column = in.x; column < in.end_x && in.y < in.end_y; column++) {
        int64_t here = eighths - ((int64_t)column - x) * 8;
        uint32_t glyph = here >= 8  ? FULL_BLOCK
                         : here > 0 ? (uint32_t)(0x2590 - here) /* from 1/8, U+258F, to 7/8 */
                                    : ' ';
        ki_screen_set(screen, column, y, glyph, 1, style);
    }
}

void kith_screen_spark(kith_screen *screen, int x, int y, int width, const float *values,
                       size_t count, float highest, kith_terminal_style style)
{
    if (screen == NULL || values == NULL || width < 1) {
        return;
    }
    size_t shown = count < (size_t)width ? count : (size_t)width;
    const float *first = values + (count - shown);
    if (!(highest > 0)) {
        highest = 0;
        for (size_t i = 0; i < shown; i++) {
            highest = first[i] > highest && isfinite(first[i]) ? first[i] : highest;
        }
    }
    inner in = inside_clip(screen, (kith_screen_rect){x, y, width, 1});
    for (int column = in.x; column < in.end_x && in.y < in.end_y; column++) {
        int64_t number = (int64_t)column - x - ((int64_t)width - (int64_t)shown);
        float value = number < 0 || !(highest > 0) ? 0 : clamped(first[number], highest);
        /* What is more than nothing can be seen. */
        double part = value < highest ? (double)value / (double)highest : 1;
        int level = value > 0 ? 1 + (int)(part * 7.5) : 0;
        uint32_t glyph = level == 0 ? ' ' : 0x2580 + (uint32_t)(level > 8 ? 8 : level);
        ki_screen_set(screen, column, y, glyph, 1, style);
    }
}

void kith_screen_dot(kith_screen *screen, int x, int y, kith_terminal_color color)
{
    int row = y >= 0 ? y / 2 : -1;
    if (screen == NULL || color == KITH_COLOR_NONE || x < 0 || x >= screen->width || row < 0 ||
        row >= screen->height) {
        return;
    }
    const ki_cell *cell = ki_screen_cell(screen, x, row);
    bool upper = y % 2 == 0;
    kith_terminal_color other = cell->bg; /* of the half that is not set */
    if (cell->glyph == (upper ? LOWER_HALF : UPPER_HALF)) {
        other = cell->fg == KITH_COLOR_NONE ? KITH_COLOR_DEFAULT : cell->fg;
    }
    if (color == KITH_COLOR_DEFAULT) {
        /* A foreground that is the terminal's own is not its background. */
        if (other == KITH_COLOR_DEFAULT || other == KITH_COLOR_NONE) {
            ki_screen_set(screen, x, row, ' ', 1, (kith_terminal_style){.bg = KITH_COLOR_DEFAULT});
            return;
        }
        ki_screen_set(screen, x, row, upper ? LOWER_HALF : UPPER_HALF, 1,
                      (kith_terminal_style){other, KITH_COLOR_DEFAULT, 0});
        return;
    }
    ki_screen_set(screen, x, row, upper ? UPPER_HALF : LOWER_HALF, 1,
                  (kith_terminal_style){color, other, 0});
}
