/* The nearest colour that a terminal has. */
#include "terminal/palette.h"

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
        return KITH_PALETTE | 0;
    }
    if ((most - least) * 10 < most * 3) {
        int grey = (parts[0] * 3 + parts[1] * 6 + parts[2]) / 10;
        return KITH_PALETTE | (grey < 64 ? 0 : grey < 178 ? 8 : grey < 242 ? 7 : 15);
    }
    uint32_t color = most > 205 ? 8 : 0;
    for (uint32_t i = 0; i < 3; i++) {
        color |= parts[i] * 2 >= most + least ? 1u << i : 0;
    }
    return KITH_PALETTE | color;
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
    return KITH_PALETTE | best;
}

static uint32_t reduce(kith_terminal_colors colors, uint32_t color)
{
    uint32_t kind = KI_COLOR_KIND(color);
    uint32_t rgb = kind == KITH_RGB ? color & 0xFFFFFF : palette_rgb(color & 255);
    if (colors == KITH_COLORS_256) {
        return kind == KITH_RGB ? nearest_of_256(rgb) : color;
    }
    return kind == KITH_RGB || (color & 255) > 15 ? nearest_of_16(rgb) : color;
}

uint32_t ki_color_nearest(ki_palette *palette, kith_terminal_color color)
{
    uint32_t place = (color * 2654435761u) >> 26;
    if (palette->cached_from[place] != color) {
        palette->cached_from[place] = color;
        palette->cached_to[place] = reduce(palette->colors, color);
    }
    return palette->cached_to[place];
}
