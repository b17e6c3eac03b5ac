#include "terminal/screen.h"

#include <string.h>

#include "terminal/terminal_heap.h"

static size_t cell_bytes(int width, int height)
{
    return (size_t)width * (size_t)height * sizeof(ki_cell);
}

static bool are_sides(int width, int height)
{
    return width >= 1 && width <= KI_SIDE_MAX && height >= 1 && height <= KI_SIDE_MAX;
}

void ki_screen_wipe(const kith_screen *screen, ki_cell *cells)
{
    if (cells == NULL) {
        return;
    }
    size_t width = (size_t)screen->width;
    for (size_t x = 0; x < width; x++) {
        cells[x] = (ki_cell){.width = 1};
    }
    for (size_t y = 1; y < (size_t)screen->height; y++) {
        memcpy(cells + y * width, cells, width * sizeof *cells);
    }
}

/* ---- Making ---------------------------------------------------------------------------------- */

kith_result ki_screen_resize(kith_screen *screen, int width, int height)
{
    if (!are_sides(width, height)) {
        return KITH_ERR_INPUT;
    }
    ki_cell *cells = ki_terminal_alloc(&screen->allocator, cell_bytes(width, height));
    ki_cell *shown = NULL;
    if (cells != NULL && screen->of_terminal) {
        shown = ki_terminal_alloc(&screen->allocator, cell_bytes(width, height));
    }
    if (cells == NULL || (shown == NULL && screen->of_terminal)) {
        ki_terminal_free(&screen->allocator, cells, cell_bytes(width, height));
        return KITH_ERR_MEMORY;
    }
    ki_terminal_free(&screen->allocator, screen->cells, cell_bytes(screen->width, screen->height));
    ki_terminal_free(&screen->allocator, screen->shown, cell_bytes(screen->width, screen->height));
    screen->cells = cells;
    screen->shown = shown;
    screen->width = width;
    screen->height = height;
    screen->clip = (kith_screen_rect){0, 0, width, height};
    screen->result = KITH_OK;
    ki_screen_wipe(screen, cells);
    ki_screen_wipe(screen, shown);
    return KITH_OK;
}

kith_result ki_screen_init(kith_screen *screen, const kith_allocator *allocator, bool of_terminal,
                           int width, int height)
{
    *screen = (kith_screen){.allocator = *allocator, .of_terminal = of_terminal};
    return ki_screen_resize(screen, width, height);
}

void ki_screen_finish(kith_screen *screen)
{
    ki_terminal_free(&screen->allocator, screen->cells, cell_bytes(screen->width, screen->height));
    ki_terminal_free(&screen->allocator, screen->shown, cell_bytes(screen->width, screen->height));
    ki_terminal_free(&screen->allocator, screen->clusters.items,
                     screen->clusters.capacity * sizeof *screen->clusters.items);
}

kith_screen *kith_screen_new(int width, int height, const kith_allocator *allocator)
{
    kith_allocator own;
    if (!ki_terminal_allocator(&own, allocator) || !are_sides(width, height)) {
        return NULL;
    }
    kith_screen *screen = ki_terminal_alloc(&own, sizeof *screen);
    if (screen != NULL && ki_screen_init(screen, &own, false, width, height) != KITH_OK) {
        ki_terminal_free(&own, screen, sizeof *screen);
        return NULL;
    }
    return screen;
}

void kith_screen_free(kith_screen *screen)
{
    if (screen != NULL && !screen->of_terminal) {
        kith_allocator own = screen->allocator;
        ki_screen_finish(screen);
        ki_terminal_free(&own, screen, sizeof *screen);
    }
}

kith_result kith_screen_resize(kith_screen *screen, int width, int height)
{
    if (screen == NULL || screen->of_terminal) {
        return KITH_ERR_MISUSE;
    }
    return ki_screen_resize(screen, width, height);
}

int kith_screen_width(const kith_screen *screen)
{
    return screen == NULL ? 0 : screen->width;
}

int kith_screen_height(const kith_screen *screen)
{
    return screen == NULL ? 0 : screen->height;
}

kith_result kith_screen_result(const kith_screen *screen)
{
    return screen == NULL ? KITH_ERR_MISUSE : screen->result;
}

void kith_screen_clear(kith_screen *screen)
{
    if (screen != NULL) {
        ki_screen_wipe(screen, screen->cells);
        screen->result = KITH_OK;
    }
}

/* ---- The clip -------------------------------------------------------------------------------- */

/* What two stretches of cells have in common; `*length` is 0 or less if that is nothing. */
static int overlap(int start, int length, int other_start, int other_length, int *common)
{
    int64_t first = start > other_start ? start : other_start;
    int64_t end = (int64_t)start + length;
    int64_t other_end = (int64_t)other_start + other_length;
    end = end < other_end ? end : other_end;
    *common = end > first ? (int)(end - first) : -1;
    return (int)first;
}

kith_screen_rect kith_screen_clip(kith_screen *screen, kith_screen_rect rect)
{
    if (screen == NULL) {
        return (kith_screen_rect){0};
    }
    kith_screen_rect before = screen->clip;
    if (rect.width == 0 && rect.height == 0) {
        rect = (kith_screen_rect){0, 0, screen->width, screen->height};
    }
    rect.x = overlap(rect.x, rect.width, 0, screen->width, &rect.width);
    rect.y = overlap(rect.y, rect.height, 0, screen->height, &rect.height);
    if (rect.width <= 0 || rect.height <= 0) {
        rect = (kith_screen_rect){0, 0, -1, -1};
    }
    screen->clip = rect;
    return before;
}

static bool is_in_clip(const kith_screen *screen, int x, int y)
{
    const kith_screen_rect *clip = &screen->clip;
    return x >= clip->x && x - clip->x < clip->width && y >= clip->y && y - clip->y < clip->height;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* Blanks what is left of a wide character after one half is drawn over. */
static void blank_half(ki_cell *cell)
{
    cell->glyph = ' ';
    cell->width = 1;
}

static void write_cell(kith_screen *screen, int x, int y, uint32_t glyph, kith_terminal_style style)
{
    ki_cell *cell = ki_screen_cell(screen, x, y);
    if (cell->width != 1) {
        blank_half(cell->width == 0 ? cell - 1 : cell + 1);
    }
    cell->glyph = glyph;
    cell->fg = style.fg == KITH_COLOR_DEFAULT ? KITH_COLOR_NONE : style.fg;
    cell->bg = style.bg == KITH_COLOR_NONE ? cell->bg : style.bg;
    cell->attributes = (uint16_t)style.attributes;
    cell->width = 1;
}

static void set_single(kith_screen *screen, int x, int y, uint32_t glyph, kith_terminal_style style)
{
    if (is_in_clip(screen, x, y)) {
        write_cell(screen, x, y, glyph, style);
    }
}

static void set_double(kith_screen *screen, int x, int y, uint32_t glyph, kith_terminal_style style)
{
    bool left = is_in_clip(screen, x, y);
    bool right = x < KI_SIDE_MAX && is_in_clip(screen, x + 1, y);
    if (left && right) {
        write_cell(screen, x + 1, y, KI_GLYPH_TAIL, style);
        write_cell(screen, x, y, glyph, style);
        ki_cell *cell = ki_screen_cell(screen, x, y);
        cell[0].width = 2;
        cell[1].width = 0;
        cell[1].bg = cell[0].bg; /* it has one background, even if the cells had two */
    } else if (left || right) {
        write_cell(screen, left ? x : x + 1, y, ' ', style);
    }
}

void kith_screen_put(kith_screen *screen, int x, int y, uint32_t character,
                     kith_terminal_style style)
{
    if (screen == NULL) {
        return;
    }
    int width = ki_char_width(character);
    if (width == 1) {
        set_single(screen, x, y, character, style);
    } else if (width == 2) {
        set_double(screen, x, y, character, style);
    } else {
        set_single(screen, x, y, KI_REPLACEMENT, style);
    }
}

void ki_screen_set(kith_screen *screen, int x, int y, uint32_t glyph, int width,
                   kith_terminal_style style)
{
    if (width == 1) {
        set_single(screen, x, y, glyph, style);
    } else {
        set_double(screen, x, y, glyph, style);
    }
}

void ki_screen_set_grapheme(kith_screen *screen, int x, int y, const ki_grapheme *grapheme,
                            kith_terminal_style style)
{
    uint32_t glyph = grapheme->base;
    if (grapheme->count > 1 &&
        ki_cluster_find(screen, grapheme->text, grapheme->base, &glyph) != KITH_OK) {
        screen->result = KITH_ERR_MEMORY;
    }
    ki_screen_set(screen, x, y, glyph, grapheme->width, style);
}

int kith_screen_read(const kith_screen *screen, int x, int y, char text[KITH_CELL_SIZE],
                     kith_terminal_style *style)
{
    if (text != NULL) {
        text[0] = '\0';
    }
    if (screen == NULL || x < 0 || x >= screen->width || y < 0 || y >= screen->height) {
        return 0;
    }
    const ki_cell *cell = ki_screen_cell(screen, x, y);
    if (style != NULL) {
        *style = (kith_terminal_style){cell->fg, cell->bg, cell->attributes};
    }
    const ki_cluster *cluster = ki_cluster_of(&screen->clusters, cell->glyph);
    if (text != NULL && cluster != NULL) {
        memcpy(text, cluster->text, sizeof cluster->text);
    } else if (text != NULL && cell->width != 0 && cell->glyph != KI_GLYPH_NONE) {
        text[ki_utf8_write(text, cell->glyph)] = '\0';
    }
    return cell->width;
}

/* ---- Layers ---------------------------------------------------------------------------------- */

static void draw_cell(kith_screen *screen, int x, int y, const kith_screen *source,
                      const ki_cell *cell)
{
    const kith_terminal_style style = {cell->fg, cell->bg, cell->attributes};
    const ki_cluster *cluster = ki_cluster_of(&source->clusters, cell->glyph);
    uint32_t glyph = cluster == NULL ? cell->glyph : cluster->base;
    if (cluster != NULL &&
        ki_cluster_find(screen, cluster->text, cluster->base, &glyph) != KITH_OK) {
        screen->result = KITH_ERR_MEMORY;
    }
    ki_screen_set(screen, x, y, glyph, cell->width, style);
}

void kith_screen_draw(kith_screen *screen, int x, int y, const kith_screen *source)
{
    if (screen == NULL || source == NULL || screen == source) {
        return;
    }
    kith_screen_rect seen;
    seen.x = overlap(x, source->width, 0, screen->width, &seen.width);
    seen.y = overlap(y, source->height, 0, screen->height, &seen.height);
    for (int row = seen.y; row - seen.y < seen.height; row++) {
        for (int column = seen.x; column - seen.x < seen.width; column++) {
            const ki_cell *cell = ki_screen_cell(source, column - x, row - y);
            if (cell->glyph == KI_GLYPH_TAIL && column == seen.x) {
                cell--; /* its left half is outside: what is inside becomes a blank */
                draw_cell(screen, column - 1, row, source, cell);
            } else if (cell->glyph != KI_GLYPH_NONE && cell->width != 0) {
                draw_cell(screen, column, row, source, cell);
            }
        }
    }
}

/* ---- As text --------------------------------------------------------------------------------- */

static size_t row_end(const kith_screen *screen, int y)
{
    int end = screen->width;
    while (end > 0) {
        uint32_t glyph = ki_screen_cell(screen, end - 1, y)->glyph;
        if (glyph != KI_GLYPH_NONE && glyph != ' ') {
            break;
        }
        end--;
    }
    return (size_t)end;
}

typedef struct text_out {
    char *text;
    size_t size;
    size_t length;
    bool full;
} text_out;

/* Whole characters only, so that what is cut off stays UTF-8. */
static void text_out_add(text_out *out, const char *bytes, size_t count)
{
    if (!out->full && out->length + count < out->size) {
        memcpy(out->text + out->length, bytes, count);
        out->text[out->length + count] = '\0';
    } else {
        out->full = true;
    }
    out->length += count;
}

size_t kith_screen_to_text(const kith_screen *screen, char *text, size_t size)
{
    text_out out = {text, text == NULL ? 0 : size, 0, false};
    if (out.size > 0) {
        text[0] = '\0';
    }
    for (int y = 0; screen != NULL && y < screen->height; y++) {
        int end = (int)row_end(screen, y);
        for (int x = 0; x < end; x++) {
            char cell[KITH_CELL_SIZE];
            int width = kith_screen_read(screen, x, y, cell, NULL);
            if (width != 0) {
                bool nothing = cell[0] == '\0';
                text_out_add(&out, nothing ? " " : cell, nothing ? 1 : strlen(cell));
            }
        }
        text_out_add(&out, "\n", 1);
    }
    return out.length;
}
