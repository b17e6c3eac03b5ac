/* What a query gave: a selection, and how much of it was shown. */
#ifndef EXAMPLES_CONSOLE_ANSWER_H
#define EXAMPLES_CONSOLE_ANSWER_H

#include <kith/kith.h>

#include "text_table.h"

/* All zero is one of no query. */
typedef struct answer {
    kith_world *world;
    kith_select *select;
    uint32_t shown; /* rows */
} answer;

/* Asks the world. False: the query is wrong, which stderr tells (see mistake_print for `width`); the
 * answer before it is gone. */
bool answer_ask(answer *a, kith_world *world, const char *query, int width);

/* Prints all rows, a line each. */
void answer_print(answer *a, kith_select_format format);

/* Draws the next rows, as many as there is room for, and tells how many there are. Explanations are
 * printed. */
void answer_draw(answer *a, const text_table_view *view);

/* How many rows were not shown yet. */
uint32_t answer_rest(const answer *a);

/* Before its world is freed. */
void answer_clear(answer *a);

#endif
