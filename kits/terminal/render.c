#include "terminal/render.h"

#include <string.h>

#include "terminal/terminal_heap.h"

/* What has changed is collected from the top left. Mostly it is sent in that order; what is between
 * two cells is sent again where that is shorter than a move of the cursor. Where many cells share
 * few colours, those of one colour are sent together: moves get longer, but to name a colour is
 * longer still. */

/* ---- Cells as the terminal sees them --------------------------------------------------------- */

static bool is_blank(const ki_cell *cell)
{
    return (cell->glyph == KI_GLYPH_NONE || cell->glyph == ' ') &&
           (cell->attributes & (KITH_UNDERLINE | KITH_REVERSE)) == 0;
}

/* Blank, in the terminal's own colours. */
static bool is_bare(ki_renderer *renderer, const ki_cell *cell)
{
    return is_blank(cell) && ki_color_reduce(&renderer->palette, cell->bg) == 0;
}

/* The pen for a cell. On a blank only the background is seen: the rest is what the pen has now, so
 * that it need not change, unless that would show. */
static ki_pen pen_of(ki_renderer *renderer, const ki_cell *cell)
{
    ki_pen pen = {ki_color_reduce(&renderer->palette, cell->fg),
                  ki_color_reduce(&renderer->palette, cell->bg), cell->attributes};
    if (is_blank(cell)) {
        const uint32_t seen = KITH_UNDERLINE | KITH_REVERSE;
        pen.fg = renderer->pen.fg;
        pen.attributes = renderer->pen.attributes & ~seen;
    }
    return pen;
}

#define STRIDE 8

/* Whether so many cells are the same, byte for byte; with one branch for all of them. */
static bool same_stride(const ki_cell *row, const ki_cell *shown)
{
    uint64_t different[2] = {0};
    for (size_t i = 0; i < STRIDE; i++) {
        uint64_t now[2];
        uint64_t before[2];
        memcpy(now, &row[i], sizeof now);
        memcpy(before, &shown[i], sizeof before);
        different[0] |= now[0] ^ before[0];
        different[1] |= now[1] ^ before[1];
    }
    return (different[0] | different[1]) == 0;
}

/* The first cell from `x` on that is not the same; `width` if there is none. Most are the same, so
 * this is what a frame spends its time with. */
static int next_change(const ki_cell *row, const ki_cell *shown, int x, int width)
{
    while (width - x >= STRIDE && same_stride(&row[x], &shown[x])) {
        x += STRIDE;
    }
    while (x < width && memcmp(&row[x], &shown[x], sizeof row[x]) == 0) {
        x++;
    }
    return x;
}

/* Whether two different cells look the same. */
static bool looks_same(ki_renderer *renderer, const ki_cell *a, const ki_cell *b)
{
    if (is_blank(a) && is_blank(b)) {
        return ki_color_reduce(&renderer->palette, a->bg) ==
               ki_color_reduce(&renderer->palette, b->bg);
    }
    if (a->glyph != b->glyph || a->width != b->width || is_blank(a) || is_blank(b)) {
        return false;
    }
    ki_pen first = pen_of(renderer, a);
    ki_pen second = pen_of(renderer, b);
    return ki_pen_is(&first, &second);
}

/* ---- The cursor ------------------------------------------------------------------------------ */

static int digits_of(int number)
{
    return number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : number < 10000 ? 4 : 5;
}

/* Bytes of ki_bytes_add_control. */
static int control_cost(int number)
{
    return number == 1 ? 3 : 3 + digits_of(number);
}

static int absolute_cost(int x, int y)
{
    return x == 0 ? control_cost(y + 1) : 4 + digits_of(y + 1) + digits_of(x + 1);
}

/* From a known column to another in the same row. */
static int along_cost(int from, int to)
{
    return to == from                   ? 0
           : to < from && from - to < 4 ? from - to
                                        : control_cost(to > from ? to - from : from - to);
}

static void move_along(ki_bytes *bytes, int from, int to)
{
    if (to < from && from - to < 4) {
        ki_bytes_add(bytes, "\b\b\b", (size_t)(from - to));
    } else if (to != from) {
        ki_bytes_add_control(bytes, to > from ? to - from : from - to, to > from ? 'C' : 'D');
    }
}

static int down_cost(int rows)
{
    return rows < 4 ? rows : control_cost(rows);
}

static void move_down(ki_bytes *bytes, int rows)
{
    if (rows < 4) {
        /* As a line feed, but the system does not add a carriage return to it. */
        ki_bytes_add(bytes, "\v\v\v", (size_t)rows);
    } else {
        ki_bytes_add_control(bytes, rows, 'B');
    }
}

/* The shortest of: to the place; down, then along; to the first column, down, then along. */
static void move_to(ki_renderer *renderer, int x, int y)
{
    ki_bytes *bytes = &renderer->bytes;
    if (renderer->x == x && renderer->y == y) {
        return;
    }
    int place = absolute_cost(x, y);
    int down = renderer->y < 0 || renderer->y > y ? place : down_cost(y - renderer->y);
    int along = renderer->x < 0 ? place : down + along_cost(renderer->x, x);
    int from_first = 1 + down + along_cost(0, x);
    if (place <= along && place <= from_first) {
        if (x == 0) {
            ki_bytes_add_control(bytes, y + 1, 'H');
        } else {
            ki_bytes_add_place(bytes, x, y);
        }
    } else {
        bool first = from_first < along;
        if (first) {
            ki_bytes_add(bytes, "\r", 1);
        }
        move_down(bytes, y - renderer->y);
        move_along(bytes, first ? 0 : renderer->x, x);
    }
    renderer->x = x;
    renderer->y = y;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A glyph with marks in the last column. Without wrapping the cursor stays on it, and some
 * terminals (tmux) put the marks on what is to its left. */
static void add_last_glyph(ki_renderer *renderer, const kith_screen *screen, const ki_cell *cell)
{
    bool sure;
    ki_bytes_add_text(&renderer->bytes, "\033[?7h");
    ki_glyph_add(renderer, screen, cell, &sure);
    ki_bytes_add_text(&renderer->bytes, "\033[?7l");
}

static void draw_glyph(ki_renderer *renderer, const kith_screen *screen, int x, int y)
{
    const ki_cell *cell = ki_screen_cell(screen, x, y);
    ki_pen pen = pen_of(renderer, cell);
    ki_pen_set(&renderer->pen, &pen, &renderer->bytes);
    renderer->x = x + (cell->width == 2 ? 2 : 1);
    bool sure = true;
    if (renderer->live && renderer->x >= screen->width &&
        ki_cluster_of(&screen->clusters, cell->glyph) != NULL) {
        add_last_glyph(renderer, screen, cell);
    } else {
        ki_glyph_add(renderer, screen, cell, &sure);
    }
    if (!sure || renderer->x >= screen->width) {
        renderer->x = -1; /* after the last column terminals differ */
    }
}

/* Whether the cells from the cursor to column `x` are better sent again than jumped over. */
static bool fills_gap(ki_renderer *renderer, const kith_screen *screen, int x, int y)
{
    if (renderer->y != y || renderer->x < 0 || renderer->x >= x || x - renderer->x > 4) {
        return false;
    }
    for (int i = renderer->x; i < x; i++) {
        const ki_cell *cell = ki_screen_cell(screen, i, y);
        ki_pen pen = pen_of(renderer, cell);
        if (cell->glyph >= 0x80 || cell->width != 1 || !ki_pen_is(&pen, &renderer->pen)) {
            return false;
        }
    }
    return x - renderer->x <= control_cost(x - renderer->x);
}

/* The column where the blank end of a row begins: spaces in the terminal's own colours. */
static int bare_from(ki_renderer *renderer, const kith_screen *screen, int y)
{
    int from = screen->width;
    while (from > 0 && is_bare(renderer, ki_screen_cell(screen, from - 1, y))) {
        from--;
    }
    return from;
}

#define WIPE_SIZE 3

static void erase_rest(ki_renderer *renderer, int x, int y)
{
    move_to(renderer, x, y);
    ki_pen_set(&renderer->pen, &(ki_pen){renderer->pen.fg, 0, 0}, &renderer->bytes);
    ki_bytes_add(&renderer->bytes, "\033[K", WIPE_SIZE);
}

/* ---- Changes --------------------------------------------------------------------------------- */

static void add_change(ki_renderer *renderer, int x, int y)
{
    if (ki_terminal_grow(&renderer->bytes.allocator, &renderer->changes, &renderer->change_capacity,
                         renderer->change_count + 1, sizeof *renderer->changes) != KITH_OK) {
        renderer->bytes.failed = true;
        return;
    }
    renderer->changes[renderer->change_count++] = (ki_change){.x = (uint16_t)x, .y = (uint16_t)y};
}

/* Whether sending the last changes of a row, blanks from `first` on, takes longer than to wipe. */
static bool is_long(const ki_renderer *renderer, size_t first)
{
    const ki_change *changes = renderer->changes;
    size_t count = renderer->change_count;
    return first < count && changes[count - 1].x - changes[first].x >= WIPE_SIZE;
}

/* Wipes the rest of a row instead of sending its last changes, which are blanks from `first` on, if
 * that is shorter and there is nothing else to the right. */
static void wipe_instead(ki_renderer *renderer, const kith_screen *screen, int y, size_t first)
{
    int bare = bare_from(renderer, screen, y);
    while (first < renderer->change_count && renderer->changes[first].x < bare) {
        first++;
    }
    if (is_long(renderer, first)) {
        renderer->changes[first].wipes = true;
        renderer->change_count = first + 1;
    }
}

/* Collects what has changed in a row, and takes it over into `shown`. */
static void collect_row(ki_renderer *renderer, kith_screen *screen, int y)
{
    const ki_cell *row = ki_screen_cell(screen, 0, y);
    ki_cell *shown = screen->shown + (size_t)y * (size_t)screen->width;
    size_t start = renderer->change_count;
    size_t ink = start; /* after the last change that is not a bare blank */
    int x = renderer->rows[y].change;
    for (; (x = next_change(row, shown, x, screen->width)) < screen->width; x++) {
        bool seen = !looks_same(renderer, &row[x], &shown[x]);
        shown[x] = row[x];
        if (!seen || row[x].width == 0) {
            continue;
        }
        add_change(renderer, x, y);
        if (!is_bare(renderer, &row[x])) {
            ink = renderer->change_count;
        }
    }
    renderer->cells += (uint32_t)(renderer->change_count - start);
    if (is_long(renderer, ink)) {
        wipe_instead(renderer, screen, y, ink);
    }
}

/* ---- Changes by their pens ------------------------------------------------------------------- */

/* The group of a pen, the last one's first; `group_count` if there is none. */
static uint32_t find_group(const ki_renderer *renderer, uint32_t last, const ki_pen *pen)
{
    if (last != 0 && ki_pen_is(&renderer->groups[last].pen, pen)) {
        return last;
    }
    uint32_t group = 1;
    while (group < renderer->group_count && !ki_pen_is(&renderer->groups[group].pen, pen)) {
        group++;
    }
    return group;
}

static void add_to_group(ki_renderer *renderer, ki_pen_group *group, uint32_t number)
{
    if (group->first == 0) {
        group->first = number;
    } else {
        renderer->changes[group->last - 1].next = number;
    }
    group->last = number;
}

/* Puts the changes of each pen together, if that is shorter to send: by estimates of the bytes that
 * naming a colour takes, and of those that moves are longer. With many pens it is not. */
static bool group_changes(ki_renderer *renderer, const kith_screen *screen)
{
    static const uint32_t naming[] = {0, 0, 3, 8, 14};
    uint32_t last = 0;
    uint32_t turns = 0;
    uint32_t inked = 0;
    renderer->groups[0] = (ki_pen_group){0};
    renderer->group_count = 1;
    for (uint32_t i = 0; i < renderer->change_count; i++) {
        const ki_change *change = &renderer->changes[i];
        const ki_cell *cell = ki_screen_cell(screen, change->x, change->y);
        uint32_t group = 0;
        if (!is_blank(cell)) {
            ki_pen pen = pen_of(renderer, cell);
            group = find_group(renderer, last, &pen);
            if (group == renderer->group_count) {
                if (group > KI_PENS_MAX) {
                    return false;
                }
                renderer->groups[renderer->group_count++] = (ki_pen_group){.pen = pen};
            }
            inked++;
            turns += group != last;
            last = group;
        }
        add_to_group(renderer, &renderer->groups[group], i + 1);
    }
    uint32_t pens = renderer->group_count - 1;
    return turns > pens && (turns - pens) * naming[renderer->palette.colors] > inked * 5;
}

/* ---- Sending --------------------------------------------------------------------------------- */

static void send_change(ki_renderer *renderer, const kith_screen *screen, const ki_change *change)
{
    int x = change->x;
    int y = change->y;
    if (change->wipes) {
        erase_rest(renderer, x, y);
        return;
    }
    if (fills_gap(renderer, screen, x, y)) {
        while (renderer->x < x) {
            draw_glyph(renderer, screen, renderer->x, y);
        }
    }
    move_to(renderer, x, y);
    draw_glyph(renderer, screen, x, y);
}

static void send_changes(ki_renderer *renderer, const kith_screen *screen)
{
    if (!group_changes(renderer, screen)) {
        for (size_t i = 0; i < renderer->change_count; i++) {
            send_change(renderer, screen, &renderer->changes[i]);
        }
        return;
    }
    for (uint32_t group = 0; group < renderer->group_count; group++) {
        for (uint32_t i = renderer->groups[group].first; i != 0;) {
            const ki_change *change = &renderer->changes[i - 1];
            send_change(renderer, screen, change);
            i = change->next;
        }
    }
}

/* Notes the first change of each row from `top` to `bottom`. */
static void find_changes(ki_renderer *renderer, const kith_screen *screen, int top, int bottom)
{
    for (int y = top; y <= bottom; y++) {
        const ki_cell *shown = screen->shown + (size_t)y * (size_t)screen->width;
        renderer->rows[y].change =
            next_change(ki_screen_cell(screen, 0, y), shown, 0, screen->width);
    }
}

static void collect_changes(ki_renderer *renderer, kith_screen *screen)
{
    renderer->change_count = 0;
    renderer->cells = 0;
    if (ki_terminal_grow(&renderer->bytes.allocator, &renderer->rows, &renderer->row_capacity,
                         (size_t)screen->height, sizeof *renderer->rows) != KITH_OK) {
        renderer->bytes.failed = true;
        return;
    }
    find_changes(renderer, screen, 0, screen->height - 1);
    int top;
    int bottom;
    if (!renderer->anew && ki_scroll_rows(renderer, screen, &top, &bottom)) {
        find_changes(renderer, screen, top, bottom);
    }
    for (int y = 0; y < screen->height; y++) {
        if (renderer->rows[y].change < screen->width) {
            collect_row(renderer, screen, y);
        }
    }
}

/* ---- Frames ---------------------------------------------------------------------------------- */

void ki_render_finish(ki_renderer *renderer)
{
    ki_terminal_free(&renderer->bytes.allocator, renderer->rows,
                     renderer->row_capacity * sizeof *renderer->rows);
    ki_terminal_free(&renderer->bytes.allocator, renderer->changes,
                     renderer->change_capacity * sizeof *renderer->changes);
    ki_bytes_free(&renderer->bytes);
}

static void wipe_terminal(ki_renderer *renderer, kith_screen *screen)
{
    ki_bytes_add_text(&renderer->bytes, "\033[m\033[H\033[2J");
    renderer->pen = (ki_pen){0};
    renderer->x = renderer->y = 0;
    ki_screen_wipe(screen, screen->shown);
}

kith_result ki_render(ki_renderer *renderer, kith_screen *screen)
{
    ki_bytes *bytes = &renderer->bytes;
    size_t start = bytes->length;
    if (renderer->live) {
        ki_bytes_add_text(bytes, "\033[?2026h");
    }
    size_t content = bytes->length;
    if (renderer->anew) {
        wipe_terminal(renderer, screen);
    }
    collect_changes(renderer, screen);
    send_changes(renderer, screen);
    if (bytes->length == content) {
        bytes->length = start;
    } else if (renderer->live) {
        ki_bytes_add_text(bytes, "\033[?2026l");
    }
    renderer->anew = bytes->failed;
    if (bytes->failed) {
        bytes->length = start;
        bytes->failed = false;
        return KITH_ERR_MEMORY;
    }
    return KITH_OK;
}

kith_result ki_render_rows(ki_renderer *renderer, const kith_screen *screen)
{
    static const ki_pen plain = {0};
    for (int y = 0; y < screen->height; y++) {
        int end = bare_from(renderer, screen, y);
        for (int x = 0; x < end; x++) {
            if (ki_screen_cell(screen, x, y)->width != 0) {
                draw_glyph(renderer, screen, x, y);
            }
        }
        ki_pen_set(&renderer->pen, &plain, &renderer->bytes);
        ki_bytes_add(&renderer->bytes, "\n", 1);
    }
    return renderer->bytes.failed ? KITH_ERR_MEMORY : KITH_OK;
}
