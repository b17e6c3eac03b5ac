/* Colours for a terminal that may have fewer than the screen. */
#ifndef KI_TERMINAL_PALETTE_H
#define KI_TERMINAL_PALETTE_H

#include <kith/terminal.h>

#define KI_COLOR_KIND(color) (0xFF000000u & (color))

#define KI_COLOR_CACHE 64

/* The colours that a terminal has, and which of them were chosen for others. */
typedef struct ki_palette {
    kith_terminal_colors colors; /* never AUTO */
    uint32_t cached_from[KI_COLOR_CACHE];
    uint32_t cached_to[KI_COLOR_CACHE];
} ki_palette;

/* Does what ki_color_reduce promises, for a terminal that has few colours. */
uint32_t ki_color_nearest(ki_palette *palette, kith_terminal_color color);

/* The colour that is sent to the terminal; 0: its own. */
static inline uint32_t ki_color_reduce(ki_palette *palette, kith_terminal_color color)
{
    uint32_t kind = KI_COLOR_KIND(color);
    if ((kind != KITH_RGB && kind != KITH_PALETTE) || palette->colors == KITH_COLORS_NONE) {
        return 0;
    }
    return palette->colors == KITH_COLORS_TRUE ? color : ki_color_nearest(palette, color);
}

#endif
