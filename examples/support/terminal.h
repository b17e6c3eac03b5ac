/* A terminal to draw on, for programs that may fail meanwhile. */
#ifndef EXAMPLES_TERMINAL_H
#define EXAMPLES_TERMINAL_H

#include <kith/terminal.h>

/* Opens it. If the program fails later, it is given back first, so that the message can be read. */
kith_terminal *terminal_open(const kith_terminal_def *def);

/* Prints the frame that was shown last. How much of it is written at once, and can fail here, depends on
 * the C library: must_print looks after the rest. */
void terminal_print(kith_terminal *term, kith_terminal_format format);

void terminal_close(kith_terminal *term);

#endif
