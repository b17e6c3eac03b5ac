/* The command line. */
#ifndef EXAMPLES_ARENA_OPTIONS_H
#define EXAMPLES_ARENA_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { LEVEL_MOST = 251 }; /* a recording has room for so many */

typedef struct arena_options {
    const char *level;  /* a name of one that comes with it, or a path; up to LEVEL_MOST bytes */
    const char *record; /* the files' paths; NULL: not so */
    const char *replay;
    const char *cast;
    uint64_t seed;
    uint32_t frames; /* 0: not given */
    uint32_t workers;
    uint32_t moths;
    uint32_t wave;          /* the first one; 0: not given */
    uint32_t ahead;         /* steps to look ahead, where it plays itself */
    uint32_t back;          /* steps to go back after each, and to play again */
    uint32_t width, height; /* of the screen in memory */
    bool seeded;            /* a seed was given */
    bool headless;
    bool ansi; /* the last frame comes with its colours */
    bool self; /* it plays itself, on the terminal too */
} arena_options;

/* Reads it. What is wrong with it is told on stderr, and ends the program with status 2; --help is
 * printed, and ends it with 0. */
arena_options options_read(char **argv);

enum { LEVEL_PATH = 1024 };

/* The path of a level's file: what has no slash and no point in it is one that comes with the game,
 * whose path is written to `path`. */
const char *options_level_path(const char *level, char path[LEVEL_PATH]);

#endif
