/* The terminal that the program was started from, before and besides the game on it. */
#ifndef EXAMPLES_ARENA_CONSOLE_H
#define EXAMPLES_ARENA_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether there is one to play on: input and output are a terminal. */
bool console_is_live(void);

/* Tells on stderr, if that is a terminal, how far something is that takes long; a few times a second at
 * most. With `done` as much as `all`, what was told is wiped. `all` 0: nobody knows. */
void console_progress(uint64_t done, uint64_t all);

#endif
