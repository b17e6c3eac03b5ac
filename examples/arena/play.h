/* The loop around the game: terminal, keys, time. */
#ifndef EXAMPLES_ARENA_PLAY_H
#define EXAMPLES_ARENA_PLAY_H

#include "arena/options.h"

/* Plays until somebody quits, or headless until all frames were played. Prints how it ended. */
void play(const arena_options *options);

#endif
