/* From cells to the bytes that make a terminal show them. */
#ifndef KI_TERM_RENDER_H
#define KI_TERM_RENDER_H

#include <string.h>

#include "term/screen.h"

/* Bytes on their way. A failure to grow is remembered in `failed`: then some are missing. */
typedef struct ki_bytes {
    kith_allocator allocator;
    char *data;
    size_t length;
    size_t capacity;
    bool failed;
} ki_bytes;

/* Makes room for `size` more bytes. */
bool ki_bytes_reserve(ki_bytes *bytes, size_t size);

static inline void ki_bytes_add(ki_bytes *bytes, const char *data, size_t size)
{
    if (size > 0 && (size <= bytes->capacity - bytes->length || ki_bytes_reserve(bytes, size))) {
        memcpy(bytes->data + bytes->length, data, size);
        bytes->length += size;
    }
}

void ki_bytes_add_text(ki_bytes *bytes, const char *text);

/* "\033[" NUMBER `end`; a number of 1 is left out. */
void ki_bytes_add_control(ki_bytes *bytes, int number, char end);

/* "\033[" `first` ";" `second` `end`. */
void ki_bytes_add_pair(ki_bytes *bytes, int first, int second, char end);

/* What moves the cursor to a cell. */
void ki_bytes_add_place(ki_bytes *bytes, int x, int y);

/* Decimal digits, without a zero behind them; returns how many. */
int ki_digits_write(char *out, uint32_t number);

void ki_bytes_free(ki_bytes *bytes);

/* How the terminal will draw what comes next. */
typedef struct ki_pen {
    uint32_t fg; /* as `colors` allows; 0: the terminal's */
    uint32_t bg;
    uint32_t attributes;
} ki_pen;

static inline bool ki_pen_is(const ki_pen *a, const ki_pen *b)
{
    return a->fg == b->fg && a->bg == b->bg && a->attributes == b->attributes;
}

#define KI_COLOR_CACHE 64

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
    kith_term_colors colors; /* never AUTO */
    kith_term_glyphs glyphs; /* never AUTO */
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
    uint32_t cells;                       /* that changed */
    uint32_t cached_from[KI_COLOR_CACHE]; /* colours that were reduced, and to what */
    uint32_t cached_to[KI_COLOR_CACHE];
} ki_renderer;

/* Adds to `bytes` what makes a terminal that shows `screen->shown` show `screen->cells`, and takes that
 * over into `shown`.
 * KITH_ERR_MEMORY   nothing was added, and the next frame is drawn anew */
kith_result ki_render(ki_renderer *renderer, kith_screen *screen);

/* Adds the screen's cells row by row, each ended by a line break, for a file. */
kith_result ki_render_rows(ki_renderer *renderer, const kith_screen *screen);

/* Notes the first change of each row from `top` to `bottom` in `renderer->rows`. */
void ki_find_changes(ki_renderer *renderer, const kith_screen *screen, int top, int bottom);

/* Lets the terminal move rows, where that saves bytes. `renderer->rows` knows the changes, and is
 * brought up to date. */
void ki_scroll_rows(ki_renderer *renderer, const kith_screen *screen);

void ki_render_finish(ki_renderer *renderer);

#define KI_COLOR_KIND(color) (0xFF000000u & (color))
#define KI_COLOR_RGB 0x01000000u
#define KI_COLOR_PALETTE 0x02000000u

/* ki_color_reduce for a terminal that has few colours. */
uint32_t ki_color_nearest(ki_renderer *renderer, kith_term_color color);

/* The colour as the terminal will be told; 0 for its own. */
static inline uint32_t ki_color_reduce(ki_renderer *renderer, kith_term_color color)
{
    uint32_t kind = KI_COLOR_KIND(color);
    if ((kind != KI_COLOR_RGB && kind != KI_COLOR_PALETTE) ||
        renderer->colors == KITH_COLORS_NONE) {
        return 0;
    }
    return renderer->colors == KITH_COLORS_TRUE ? color : ki_color_nearest(renderer, color);
}

/* Makes the pen the one that is wanted. */
void ki_pen_set(ki_renderer *renderer, const ki_pen *wanted);

/* Adds what shows a glyph. `*sure` is false if terminals do not agree on how many columns that is. */
void ki_glyph_add(ki_renderer *renderer, const kith_screen *screen, const ki_cell *cell,
                  bool *sure);

#endif
