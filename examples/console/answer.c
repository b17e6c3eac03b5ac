#include "answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mistake.h"
#include "support/must.h"

bool answer_ask(answer *a, kith_world *world, const char *query, int width)
{
    kith_text_error error;
    answer_clear(a);
    a->world = world;
    kith_result result = kith_select_new(world, query, &error, &a->select);
    if (result == KITH_ERR_INPUT) {
        mistake_print(query, &error, width);
        return false;
    }
    must(world, result);
    result = kith_select_run(a->select);
    if (result == KITH_ERR_INPUT || result == KITH_ERR_LIMIT) {
        fprintf(stderr, "%s\n", kith_error(world));
        return false;
    }
    must(world, result);
    return true;
}

void answer_print(answer *a, kith_select_format format)
{
    for (; answer_rest(a) > 0; a->shown++) {
        size_t size = kith_select_print(a->select, a->shown, format, NULL, 0) + 1;
        char *line = must_make(malloc(size));
        kith_select_print(a->select, a->shown, format, line, size);
        puts(line);
        free(line);
    }
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* An explanation: lines for people. */
static bool is_plan(const kith_select *select)
{
    return strcmp(kith_select_column(select, 0)->name, "plan") == 0;
}

static bool is_number(const kith_field *field)
{
    return field->kind >= KITH_I8 && field->kind <= KITH_F64 &&
           field->size == kith_kind_size(field->kind);
}

static void add_cell(text_table *table, const answer *a, uint32_t row, uint32_t column)
{
    const kith_field *field = kith_select_column(a->select, column);
    const void *value = kith_select_value(a->select, row, column);
    if (value == NULL) {
        text_table_add(table, NULL);
        return;
    }
    size_t size = kith_print_field(a->world, field, value, NULL, 0) + 1;
    char *text = must_make(malloc(size));
    kith_print_field(a->world, field, value, text, size);
    text_table_add(table, text);
    free(text);
}

/* The rows that could be drawn next. */
static text_table *make_table(const answer *a, int lines)
{
    const uint32_t columns = kith_select_column_count(a->select);
    text_table *table = text_table_new(columns);
    for (uint32_t i = 0; i < columns; i++) {
        const kith_field *field = kith_select_column(a->select, i);
        text_table_head(table, i, field->name, is_number(field));
    }
    for (uint32_t i = 0; i < answer_rest(a) && i < (uint32_t)lines; i++) {
        for (uint32_t k = 0; k < columns; k++) {
            add_cell(table, a, a->shown + i, k);
        }
    }
    return table;
}

static void print_plan(answer *a)
{
    for (; answer_rest(a) > 0; a->shown++) {
        const kith_field *field = kith_select_column(a->select, 0);
        printf("%.*s\n", (int)field->size, (const char *)kith_select_value(a->select, a->shown, 0));
    }
}

void answer_draw(answer *a, const text_table_view *view)
{
    if (is_plan(a->select)) {
        print_plan(a);
        return;
    }
    if (answer_rest(a) > 0) {
        text_table *table = make_table(a, view->lines);
        a->shown += text_table_draw(table, view);
        text_table_free(table);
    }
    const uint32_t count = kith_select_row_count(a->select);
    if (answer_rest(a) > 0) {
        printf("%" PRIu32 " of %" PRIu32 " rows; Enter: more, all: the rest\n", a->shown, count);
    } else {
        printf("%" PRIu32 " row%s\n", count, count == 1 ? "" : "s");
    }
}

uint32_t answer_rest(const answer *a)
{
    return a->select == NULL ? 0 : kith_select_row_count(a->select) - a->shown;
}

void answer_clear(answer *a)
{
    kith_select_free(a->select);
    *a = (answer){0};
}
