#include "text_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/must.h"
#include "support/terminal.h"

enum { TEXT_LEAST = 8 }; /* columns of texts are not made narrower */

typedef struct column {
    char *group;      /* the component whose field it is; "" */
    const char *name; /* within `group` */
    bool right;
    bool begins; /* it is not of the same component as the one before */
    int width;
    int x;
} column;

struct text_table {
    column *columns;
    uint32_t column_count;
    char **cells; /* row by row; NULL: no value */
    size_t cell_count, cell_capacity;
};

/* ---- Making it ------------------------------------------------------------------------------- */

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(must_make(malloc(size)), text, size);
}

text_table *text_table_new(uint32_t columns)
{
    text_table *table = must_make(calloc(1, sizeof *table));
    table->columns = must_make(calloc(columns, sizeof *table->columns));
    table->column_count = columns;
    return table;
}

void text_table_free(text_table *table)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        free(table->columns[i].group);
    }
    for (size_t i = 0; i < table->cell_count; i++) {
        free(table->cells[i]);
    }
    free(table->columns);
    free(table->cells);
    free(table);
}

/* Both parts of a name are in one piece of memory. Sums keep theirs in one. */
void text_table_head(text_table *table, uint32_t number, const char *name, bool right)
{
    column *c = &table->columns[number];
    const char *point = strchr(name, '.');
    bool is_field = point != NULL && strpbrk(name, "(\"") == NULL;
    const char *last = is_field ? point + 1 : name;
    size_t length = is_field ? (size_t)(point - name) : 0;
    size_t size = strlen(last) + 1;
    char *copy = must_make(malloc(length + 1 + size));
    memcpy(copy, name, length);
    copy[length] = '\0';
    c->group = copy;
    c->name = memcpy(copy + length + 1, last, size);
    c->right = right;
    c->begins = number == 0 || *copy == '\0' || strcmp(copy, c[-1].group) != 0;
}

void text_table_add(text_table *table, const char *cell)
{
    if (table->cell_count == table->cell_capacity) {
        table->cell_capacity = 2 * table->cell_capacity + table->column_count;
        table->cells = must_make(realloc(table->cells, table->cell_capacity * sizeof(char *)));
    }
    table->cells[table->cell_count++] = cell == NULL ? NULL : copy_of(cell);
}

static uint32_t row_count(const text_table *table)
{
    return (uint32_t)(table->cell_count / table->column_count);
}

static const char *cell_at(const text_table *table, uint32_t row, uint32_t i)
{
    return table->cells[(size_t)row * table->column_count + i];
}

/* ---- How wide what is ------------------------------------------------------------------------ */

static int max(int a, int b)
{
    return a > b ? a : b;
}

static int cell_width(const char *cell)
{
    return cell == NULL ? 1 : kith_screen_text_width(cell);
}

/* Between groups there is a line, and between columns of one a gap. */
static int gap_before(const text_table *table, uint32_t i)
{
    return i == 0 ? 0 : table->columns[i].begins ? 3 : 2;
}

/* Gives each column what it needs, if nothing is cut off. The name of a component is over all of its
 * columns. */
static void measure(text_table *table, uint32_t rows)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        column *c = &table->columns[i];
        c->width = kith_screen_text_width(c->name);
        for (uint32_t row = 0; row < rows; row++) {
            c->width = max(c->width, cell_width(cell_at(table, row, i)));
        }
    }
    for (uint32_t first = 0, end; first < table->column_count; first = end) {
        int width = table->columns[first].width;
        for (end = first + 1; end < table->column_count && !table->columns[end].begins; end++) {
            width += gap_before(table, end) + table->columns[end].width;
        }
        table->columns[end - 1].width +=
            max(0, kith_screen_text_width(table->columns[first].group) - width);
    }
}

/* Sets where the columns begin, and returns the width of all. */
static int place(text_table *table)
{
    int x = 0;
    for (uint32_t i = 0; i < table->column_count; i++) {
        x += gap_before(table, i);
        table->columns[i].x = x;
        x += table->columns[i].width;
    }
    return x;
}

/* Takes from the widest columns of texts until all fits; false if it cannot. */
static bool squeeze(text_table *table, int width)
{
    for (int over = place(table) - width; over > 0; over--) {
        column *widest = NULL;
        for (uint32_t i = 0; i < table->column_count; i++) {
            column *c = &table->columns[i];
            if (!c->right && c->width > TEXT_LEAST &&
                (widest == NULL || c->width > widest->width)) {
                widest = c;
            }
        }
        if (widest == NULL) {
            return false;
        }
        widest->width--;
    }
    place(table);
    return true;
}

/* ---- Drawing it ------------------------------------------------------------------------------ */

static const kith_terminal_style head_style = {.attributes = KITH_BOLD};
static const kith_terminal_style faint_style = {.attributes = KITH_DIM};

/* Draws a text in `width` columns. */
static void draw_text(kith_screen *screen, kith_screen_rect at, const char *text, bool right,
                      kith_terminal_style style)
{
    int needed = kith_screen_text_width(text);
    if (needed > at.width) {
        kith_screen_put(screen, at.x + at.width - 1, at.y, 0x2026, style); /* three dots */
        at.width--;
    } else if (right) {
        at.x += at.width - needed;
        at.width = needed;
    }
    at.height = 1;
    kith_screen_clip(screen, at);
    kith_screen_text(screen, at.x, at.y, text, style);
    kith_screen_clip(screen, (kith_screen_rect){0});
}

static void draw_cell(kith_screen *screen, kith_screen_rect at, const char *cell, bool right)
{
    if (cell == NULL) {
        draw_text(screen, at, "-", right, faint_style);
    } else {
        draw_text(screen, at, cell, right, (kith_terminal_style){0});
    }
}

/* A line of a table: upright lines between groups. */
static void draw_frame(kith_screen *screen, const text_table *table, int y, uint32_t upright)
{
    for (uint32_t i = 1; i < table->column_count; i++) {
        if (table->columns[i].begins) {
            kith_screen_put(screen, table->columns[i].x - 2, y, upright, faint_style);
        }
    }
}

/* The lines of a head: names, those of components above them, if there are any, and a rule below. */
static int head_lines(const text_table *table)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (*table->columns[i].group != '\0') {
            return 3;
        }
    }
    return 2;
}

static void draw_head(kith_screen *screen, const text_table *table, int lines, int width)
{
    const int y = lines - 2;
    for (uint32_t i = 0; i < table->column_count; i++) {
        const column *c = &table->columns[i];
        draw_text(screen, (kith_screen_rect){c->x, y, c->width, 1}, c->name, c->right, head_style);
        if (c->begins && y > 0) {
            kith_screen_text(screen, c->x, 0, c->group, head_style);
        }
    }
    for (int line = 0; line <= y; line++) {
        draw_frame(screen, table, line, 0x2502);
    }
    kith_screen_fill(screen, (kith_screen_rect){0, y + 1, width, 1}, 0x2500, faint_style);
    draw_frame(screen, table, y + 1, 0x253C);
}

static kith_terminal *open_paper(const text_table_view *view, int lines)
{
    return terminal_open(&(kith_terminal_def){.output = KITH_TERMINAL_HEADLESS,
                                              .width = view->width,
                                              .height = lines,
                                              .glyphs = view->glyphs,
                                              .colors = view->colors});
}

static void print_paper(kith_terminal *paper)
{
    must(NULL, kith_terminal_present(paper));
    terminal_print(paper, KITH_FORMAT_ANSI);
    terminal_close(paper);
}

static void draw_table(const text_table *table, const text_table_view *view, int head,
                       uint32_t rows)
{
    kith_terminal *paper = open_paper(view, head + (int)rows);
    kith_screen *screen = kith_terminal_screen(paper);
    const column *last = &table->columns[table->column_count - 1];
    draw_head(screen, table, head, last->x + last->width);
    int y = head;
    for (uint32_t row = 0; row < rows; row++, y++) {
        for (uint32_t i = 0; i < table->column_count; i++) {
            const column *c = &table->columns[i];
            draw_cell(screen, (kith_screen_rect){c->x, y, c->width, 1}, cell_at(table, row, i),
                      c->right);
        }
        draw_frame(screen, table, y, 0x2502);
    }
    print_paper(paper);
}

/* Names and values, a line each, and a rule before each row. */
static void draw_list(const text_table *table, const text_table_view *view, uint32_t rows)
{
    const int columns = (int)table->column_count;
    int names = 0;
    char name[600];
    for (int i = 0; i < columns; i++) {
        const column *c = &table->columns[i];
        int group = kith_screen_text_width(c->group);
        names = max(names, kith_screen_text_width(c->name) + group + (group > 0));
    }
    names = names > view->width / 2 ? view->width / 2 : names;
    kith_terminal *paper = open_paper(view, (int)rows * (columns + 1));
    kith_screen *screen = kith_terminal_screen(paper);
    int y = 0;
    for (uint32_t row = 0; row < rows; row++) {
        kith_screen_fill(screen, (kith_screen_rect){0, y++, view->width, 1}, 0x2500, faint_style);
        for (int i = 0; i < columns; i++, y++) {
            const column *c = &table->columns[i];
            snprintf(name, sizeof name, "%s%s%s", c->group, *c->group == '\0' ? "" : ".", c->name);
            draw_text(screen, (kith_screen_rect){0, y, names, 1}, name, false, head_style);
            draw_cell(screen, (kith_screen_rect){names + 2, y, view->width - names - 2, 1},
                      cell_at(table, row, (uint32_t)i), false);
        }
    }
    print_paper(paper);
}

static uint32_t fit(int lines, int each, uint32_t rows)
{
    uint32_t most = (uint32_t)max(1, lines / each);
    return rows < most ? rows : most;
}

uint32_t text_table_draw(const text_table *table, const text_table_view *view)
{
    text_table laid = *table; /* with columns of its own to measure */
    const int head = head_lines(table);
    uint32_t rows = fit(view->lines - head, 1, row_count(table));
    laid.columns = must_make(malloc(table->column_count * sizeof *laid.columns));
    memcpy(laid.columns, table->columns, table->column_count * sizeof *laid.columns);
    measure(&laid, rows);
    if (squeeze(&laid, view->width)) {
        draw_table(&laid, view, head, rows);
    } else {
        rows = fit(view->lines, (int)table->column_count + 1, row_count(table));
        draw_list(&laid, view, rows);
    }
    free(laid.columns);
    return rows;
}
