/* A mistake in a text, told on stderr. */
#ifndef EXAMPLES_CONSOLE_MISTAKE_H
#define EXAMPLES_CONSOLE_MISTAKE_H

#include <kith/kith.h>

/* Prints what is wrong, the line of the text, and a caret below the place. Of a line that is wider than
 * `width` it prints the part around the place, so that the caret stays below it; 0: all of it. */
void mistake_print(const char *text, const kith_text_error *error, int width);

#endif
