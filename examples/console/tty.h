/* The terminal on which lines are written. Where there is no POSIX, there is none. */
#ifndef EXAMPLES_CONSOLE_TTY_H
#define EXAMPLES_CONSOLE_TTY_H

#include <stdbool.h>

/* Whether lines can be edited: input and output are a terminal, and TERM names one that can move its
 * cursor. */
bool tty_can_edit(void);

/* In cells; 80 by 24 if it does not tell. */
void tty_size(int *width, int *height);

/* Takes the terminal over: keys come one by one, and are not shown. Until tty_end, whatever signal
 * ends or stops the program gives it back first, and so does `fail`. Ctrl-C is a key. */
void tty_begin(void);
void tty_end(void);

/* Waits for keys, up to so many milliseconds, or for as long as it takes if that is negative. How many
 * bytes came; 0: none, or something else happened; -1: the terminal is gone. */
int tty_read(char *bytes, int size, int milliseconds);

/* Whether what is shown has to be drawn again since the last call: the window has another size, or the
 * program was stopped and goes on. */
bool tty_was_disturbed(void);

#endif
