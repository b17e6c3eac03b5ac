/* Recordings of what a player did, as a text that Kith can read by itself: a line about the game, and
 * one each time that the input changes.
 *
 *     Recording { version = 2, seed = 7, start = 1234, wave = 1, level = "cavern" }
 *     Held { steps = 31, keys = "", aim_x = 0, aim_y = 0 }
 *     Held { steps = 12, keys = "rf", aim_x = 16, aim_y = -4 }
 *
 * The letters are for up, down, left, right, fire, moths, again and back. Problems with the files are
 * told on stderr, with line and column, and end the program with status 1. */
#ifndef EXAMPLES_ARENA_RECORDING_H
#define EXAMPLES_ARENA_RECORDING_H

#include <kith/reader.h>
#include <stdio.h>

#include "arena/components.h"

enum { RECORDING_VERSION = 2 };

typedef struct Recording {
    uint64_t seed;
    uint64_t start; /* the world's hash at the start: other files, another game */
    uint32_t version;
    uint32_t wave; /* the first one */
    char level[252];
} Recording;
KITH_TYPE(Recording, KITH_FIELD(Recording, version), KITH_FIELD(Recording, seed),
          KITH_FIELD(Recording, start), KITH_FIELD(Recording, wave), KITH_FIELD(Recording, level),
          KITH_GAP);

typedef struct Held {
    uint32_t steps;
    char keys[8];
    int32_t aim_x, aim_y;
} Held;
KITH_TYPE(Held, KITH_FIELD(Held, steps), KITH_FIELD(Held, keys), KITH_FIELD(Held, aim_x),
          KITH_FIELD(Held, aim_y));

/* ---- Writing --------------------------------------------------------------------------------- */

typedef struct arena_recorder {
    FILE *file; /* NULL: nothing is recorded */
    const char *path;
    Input input; /* of the last steps */
    uint32_t steps;
} arena_recorder;

void recorder_open(arena_recorder *recorder, const char *path, const Recording *head);
void recorder_add(arena_recorder *recorder, const Input *input); /* one step */
void recorder_close(arena_recorder *recorder);

/* ---- Playing it again ------------------------------------------------------------------------ */

typedef struct arena_replay {
    Recording head;
    char *text;
    size_t size;
    const char *path;
    kith_text_error error;
    kith_reader reader;
    Input input; /* of the next `left` steps */
    uint32_t left;
} arena_replay;

/* Reads all of a file, and checks it. It must stay where it is in memory until it is closed. */
void replay_open(arena_replay *replay, const char *path);

/* Refuses a recording that was not made of a world with this hash. */
void replay_check_start(arena_replay *replay, uint64_t start);

/* The input of the next step; false at the end. */
bool replay_next(arena_replay *replay, Input *input);
void replay_close(arena_replay *replay);

#endif
