/* From cells to the bytes that make a terminal show them. */
#ifndef KI_TERMINAL_RENDER_H
#define KI_TERMINAL_RENDER_H

#include "terminal/palette.h"
#include "terminal/pen.h"
#include "terminal/screen.h"

/* A cell that has to be sent, or the rest of a row that is wiped. */
typedef struct ki_change {
    uint16_t x, y;
    bool wipes;
    uint32_t next; /* of the same pen: its number plus one */
} ki_change;

/* A row of the screen. The gains are for scroll.c, and not in the order of rows. */
typedef struct ki_row {
    int change;          /* the first column that differs from what is shown; the width if none does */
    uint64_t now, shown; /* hashes of its characters; 0 if nothing changed in it, or it is blank */
    uint32_t votes[2];   /* how many rows are so far from where they were shown: up, down */
    int move_gain, blank_gain;
} ki_row;

#define KI_PENS_MAX 32

/* The cells that are drawn with one pen. */
typedef struct ki_pen_group {
    ki_pen pen;
    uint32_t first, last; /* numbers plus one */
} ki_pen_group;

typedef struct ki_renderer {
    ki_bytes bytes;
    ki_palette palette;
    kith_terminal_glyphs glyphs; /* never AUTO */
    bool live;               /* frames are shown at once as a whole, and nothing wraps */
    bool anew;               /* the next frame starts with a wiped terminal */
    ki_pen pen;
    int x, y;           /* of the cursor; -1: unknown */
    ki_row *rows;       /* of the screen */
    size_t row_capacity;
    ki_change *changes; /* of this frame, from the top left */
    size_t change_count;
    size_t change_capacity;
    ki_pen_group groups[KI_PENS_MAX + 1]; /* the first is that of blanks */
    uint32_t group_count;
    uint32_t cells; /* that changed */
} ki_renderer;

/* Adds to `bytes` what makes a terminal that shows `screen->shown` show `screen->cells`, and takes
 * that over into `shown`.
 * KITH_ERR_MEMORY   nothing was added, and the next frame is drawn anew */
kith_result ki_render(ki_renderer *renderer, kith_screen *screen);

/* Adds the screen's cells row by row, each ended by a line break, for a file. */
kith_result ki_render_rows(ki_renderer *renderer, const kith_screen *screen);

/* Lets the terminal move rows, where that saves bytes. `renderer->rows` knows the changes. Returns
 * whether it did: then the rows from `*top` to `*bottom` have to be compared again. */
bool ki_scroll_rows(ki_renderer *renderer, const kith_screen *screen, int *top, int *bottom);

void ki_render_finish(ki_renderer *renderer);

/* Adds what shows a glyph. `*sure` is false if terminals do not agree on how many columns that is. */
void ki_glyph_add(ki_renderer *renderer, const kith_screen *screen, const ki_cell *cell,
                  bool *sure);

#endif
