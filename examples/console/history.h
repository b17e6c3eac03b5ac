/* The lines that were entered, to be taken back. */
#ifndef EXAMPLES_CONSOLE_HISTORY_H
#define EXAMPLES_CONSOLE_HISTORY_H

#include <stdint.h>

enum { HISTORY_LINES = 500 }; /* the last ones */

/* All zero is one without lines. */
typedef struct history {
    char *lines[HISTORY_LINES];
    uint32_t count;
    uint32_t back; /* how many lines back it is; 0: at the line that is being written */
    char *draft;   /* which is kept meanwhile */
} history;

/* Adds a line that was entered, unless it is empty or the same as the last one, and goes to its end. */
void history_add(history *h, const char *line);

/* Goes one line back, and gives that one; NULL if there is none. `line` is what is written now: it is
 * kept when the first step back is made. */
const char *history_older(history *h, const char *line);

/* Goes one line forth: in the end comes what was kept. NULL if it is there already. */
const char *history_newer(history *h);

void history_clear(history *h);

#endif
