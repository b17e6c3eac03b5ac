/* A screen inside: cells, and what is longer than a character. */
#ifndef KI_TERMINAL_SCREEN_H
#define KI_TERMINAL_SCREEN_H

#include <kith/terminal.h>

#include "terminal/cluster.h"
#include "terminal/unicode.h"

#define KI_SIDE_MAX 10000

/* Two cells that are equal byte for byte look the same. */
typedef struct ki_cell {
    uint32_t
        glyph;   /* a character, one of the above, or KI_GLYPH_CLUSTER + a number in `clusters` */
    uint32_t fg; /* never KITH_COLOR_DEFAULT: that is 0 */
    uint32_t bg; /* 0: let through by kith_screen_draw */
    uint16_t attributes;
    uint16_t width; /* 1, 2; 0 for a tail */
} ki_cell;

struct kith_screen {
    kith_allocator allocator;
    int width;
    int height;
    kith_screen_rect clip; /* within the screen; width -1: nothing can be drawn */
    bool of_terminal;
    kith_result result;
    ki_cell *cells;
    ki_cell *shown; /* of_terminal: what the terminal shows */
    ki_clusters clusters;
};

/* `shown` has as many cells as there are, if there are any. */
kith_result ki_screen_init(kith_screen *screen, const kith_allocator *allocator, bool of_terminal,
                           int width, int height);
void ki_screen_finish(kith_screen *screen);

/* kith_screen_resize, also for the screen of a terminal. */
kith_result ki_screen_resize(kith_screen *screen, int width, int height);

/* Makes all of the screen's cells, or those it shows, blank. NULL is fine. */
void ki_screen_wipe(const kith_screen *screen, ki_cell *cells);

static inline ki_cell *ki_screen_cell(const kith_screen *screen, int x, int y)
{
    return &screen->cells[(size_t)y * (size_t)screen->width + (size_t)x];
}

/* Puts a glyph of 1 or 2 columns where the clip allows. */
void ki_screen_set(kith_screen *screen, int x, int y, uint32_t glyph, int width,
                   kith_terminal_style style);

/* The same for a grapheme; without marks if memory runs out, which the screen remembers. */
void ki_screen_set_grapheme(kith_screen *screen, int x, int y, const ki_grapheme *grapheme,
                            kith_terminal_style style);

#endif
