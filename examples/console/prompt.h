/* The prompt: lines are written on a terminal, and done. */
#ifndef EXAMPLES_CONSOLE_PROMPT_H
#define EXAMPLES_CONSOLE_PROMPT_H

#include "commands.h"

/* Until there is a `quit`, or the terminal is gone. tty_can_edit is true. */
void prompt_run(console *c);

/* Sets how wide and high tables may be, for the terminal as it is now. */
void prompt_measure(console *c);

#endif
