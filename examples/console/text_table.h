/* A table of texts, drawn so that it fits a terminal's width. */
#ifndef EXAMPLES_CONSOLE_TEXT_TABLE_H
#define EXAMPLES_CONSOLE_TEXT_TABLE_H

#include <kith/terminal.h>

typedef struct text_table text_table;

/* One without rows. */
text_table *text_table_new(uint32_t columns);
void text_table_free(text_table *table);

/* Names a column. Of columns side by side that are fields of one component (`Gun.shot`, `Gun.wait`),
 * the head names the component once. `right`: the values are numbers. */
void text_table_head(text_table *table, uint32_t column, const char *name, bool right);

/* Adds a cell: the next of its row, or the first of the next one. NULL: there is no value. */
void text_table_add(text_table *table, const char *cell);

/* Where it is drawn. */
typedef struct text_table_view {
    int width;
    int lines; /* at most, if that is enough for one row */
    kith_terminal_glyphs glyphs;
    kith_terminal_colors colors;
} text_table_view;

/* Prints it to standard output, and returns how many rows of it: as many as there is room for, but at
 * least one. What is too wide becomes a list of names and values, row by row. Long texts are cut off
 * to fit. */
uint32_t text_table_draw(const text_table *table, const text_table_view *view);

#endif
