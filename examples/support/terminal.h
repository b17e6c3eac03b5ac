/* A terminal to draw on, for programs that may fail meanwhile. */
#ifndef EXAMPLES_TERMINAL_H
#define EXAMPLES_TERMINAL_H

#include <kith/term.h>

/* Opens it. If the program fails later, it is given back first, so that the message can be read. */
kith_terminal *terminal_open(const kith_term_def *def);

void terminal_close(kith_terminal *term);

#endif
