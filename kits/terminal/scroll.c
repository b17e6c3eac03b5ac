/* Text that scrolls. Rows that the terminal shows already, some rows away, it moves there by
 * itself: that takes about twenty bytes instead of all of their text.
 *
 * A guess says how far: the distance at which the most rows are found again, by their characters.
 * Then it is counted, cell by cell, which rows to move. Rows that look alike by chance cost a
 * moment of counting, and nothing that is shown depends on the guess: what is moved is noted in
 * `shown`, and what still differs is sent as ever. */
#include <string.h>

#include "terminal/render.h"
#include "terminal/terminal_heap.h"

/* Fewer changed rows than this are sent. */
#define ROWS_LEAST 3

/* So many cells must be saved for the bytes that scrolling takes. */
#define CELLS_LEAST 24

/* Rows to be moved: all from `top` to `bottom`, by `rows`. */
typedef struct scroll {
    int top, bottom;
    int rows;
    bool down;
} scroll;

static bool is_ink(const ki_cell *cell)
{
    return (cell->glyph != KI_GLYPH_NONE && cell->glyph != ' ') || cell->bg != 0;
}

/* ---- How far --------------------------------------------------------------------------------- */

/* 0 for a row without anything on it: such rows are everywhere, and tell nothing. */
static uint64_t hash_row(const ki_cell *row, int width)
{
    uint64_t hash[4] = {0};
    int x = 0;
    for (; x + 4 <= width; x += 4) {
        for (int i = 0; i < 4; i++) { /* four that do not wait for each other */
            hash[i] = hash[i] * 0x9E3779B97F4A7C15u + (row[x + i].glyph & ~(uint32_t)' ');
        }
    }
    for (; x < width; x++) {
        hash[0] = hash[0] * 0x9E3779B97F4A7C15u + (row[x].glyph & ~(uint32_t)' ');
    }
    return ((hash[0] * 31 + hash[1]) * 31 + hash[2]) * 31 + hash[3];
}

/* Every pair of a row as it is now and one as it was, that look alike, is a vote for its distance. */
static void vote(ki_renderer *renderer, int height)
{
    ki_row *rows = renderer->rows;
    for (int y = 0; y < height; y++) {
        for (int from = 0; from < height && rows[y].now != 0; from++) {
            if (rows[from].shown == rows[y].now && from != y) {
                rows[from > y ? from - y : y - from].votes[from < y]++;
            }
        }
    }
}

/* The distance with the most votes; 0 rows if there is none. */
static scroll guess(ki_renderer *renderer, const kith_screen *screen)
{
    ki_row *rows = renderer->rows;
    scroll best = {.rows = 0};
    uint32_t most = 1;
    for (int y = 0; y < screen->height; y++) {
        const ki_cell *shown = screen->shown + (size_t)y * (size_t)screen->width;
        const bool same = rows[y].change == screen->width;
        rows[y].now = same ? 0 : hash_row(ki_screen_cell(screen, 0, y), screen->width);
        rows[y].shown = same ? 0 : hash_row(shown, screen->width);
        rows[y].votes[0] = rows[y].votes[1] = 0;
    }
    vote(renderer, screen->height);
    for (int i = 1; i < screen->height; i++) {
        for (int down = 0; down < 2; down++) {
            if (rows[i].votes[down] > most) {
                most = rows[i].votes[down];
                best = (scroll){.rows = i, .down = down != 0};
            }
        }
    }
    return best;
}

/* ---- Which rows ------------------------------------------------------------------------------ */

static int count_different(const ki_cell *row, const ki_cell *other, int width)
{
    int count = 0;
    for (int x = 0; x < width; x++) {
        count += memcmp(&row[x], &other[x], sizeof row[x]) != 0;
    }
    return count;
}

static int count_ink(const ki_cell *row, int width)
{
    int count = 0;
    for (int x = 0; x < width; x++) {
        count += is_ink(&row[x]);
    }
    return count;
}

/* Notes for each row how many cells it saves to move another one there, and to make it blank. Rows
 * are counted in the direction from which the others come: the i-th gets what the one `rows` later
 * shows. */
static void count_gains(ki_renderer *renderer, const kith_screen *screen, const scroll *s)
{
    const int width = screen->width;
    const int height = screen->height;
    for (int i = 0; i < height; i++) {
        const int y = s->down ? height - 1 - i : i;
        const int from = s->down ? y - s->rows : y + s->rows;
        const ki_cell *row = ki_screen_cell(screen, 0, y);
        const ki_cell *shown = screen->shown + (size_t)y * (size_t)width;
        const int sent = count_different(row, shown, width);
        renderer->rows[i].blank_gain = sent - count_ink(row, width);
        if (i + s->rows < height) {
            const ki_cell *moved = screen->shown + (size_t)from * (size_t)width;
            renderer->rows[i].move_gain = sent - count_different(row, moved, width);
        }
    }
}

/* The stretch of rows that saves the most: some get others, and the `rows` after them become blank. */
static int choose_rows(const ki_renderer *renderer, int height, scroll *s)
{
    const ki_row *rows = renderer->rows;
    int most = 0;
    int moved = 0;
    int blank = 0;
    int first = 0;
    int best_first = 0;
    int best_last = 0;
    for (int i = 0; i < s->rows; i++) {
        blank += rows[i].blank_gain;
    }
    for (int i = 0; i + s->rows < height; i++) {
        first = moved > 0 ? first : i;
        moved = (moved > 0 ? moved : 0) + rows[i].move_gain;
        blank += rows[i + s->rows].blank_gain - rows[i].blank_gain;
        if (moved + blank > most) {
            most = moved + blank;
            best_first = first;
            best_last = i + s->rows;
        }
    }
    s->top = s->down ? height - 1 - best_last : best_first;
    s->bottom = s->down ? height - 1 - best_first : best_last;
    return most;
}

/* ---- Moving ---------------------------------------------------------------------------------- */

/* Lines are deleted or inserted at the top of a region that ends where the moving does. */
static void send_scroll(ki_renderer *renderer, const scroll *s)
{
    ki_bytes *bytes = &renderer->bytes;
    /* The terminal fills the rows that become blank with the pen. */
    ki_pen_set(&renderer->pen, &(ki_pen){renderer->pen.fg, 0, 0}, bytes);
    ki_bytes_add_pair(bytes, s->top + 1, s->bottom + 1, 'r');
    if (s->top > 0) { /* the region has moved the cursor to the first cell */
        ki_bytes_add_control(bytes, s->top + 1, 'H');
    }
    ki_bytes_add_control(bytes, s->rows, s->down ? 'L' : 'M');
    ki_bytes_add_text(bytes, "\033[r");
    renderer->x = renderer->y = 0;
}

static void note_scroll(const kith_screen *screen, const scroll *s)
{
    const size_t width = (size_t)screen->width;
    const size_t kept = (size_t)(s->bottom - s->top + 1 - s->rows) * width;
    const size_t by = (size_t)s->rows * width;
    ki_cell *region = screen->shown + (size_t)s->top * width;
    ki_cell *bared = s->down ? region : region + kept;
    memmove(s->down ? region + by : region, s->down ? region : region + by, kept * sizeof *region);
    for (size_t i = 0; i < by; i++) {
        bared[i] = (ki_cell){.width = 1};
    }
}

bool ki_scroll_rows(ki_renderer *renderer, const kith_screen *screen, int *top, int *bottom)
{
    int changed = 0;
    for (int y = 0; y < screen->height; y++) {
        changed += renderer->rows[y].change < screen->width;
    }
    if (changed < ROWS_LEAST) {
        return false;
    }
    scroll s = guess(renderer, screen);
    if (s.rows == 0) {
        return false;
    }
    count_gains(renderer, screen, &s);
    if (choose_rows(renderer, screen->height, &s) < CELLS_LEAST) {
        return false;
    }
    send_scroll(renderer, &s);
    note_scroll(screen, &s);
    *top = s.top;
    *bottom = s.bottom;
    return true;
}
