/* The world that is asked: the arena's, or a scene's. */
#ifndef EXAMPLES_CONSOLE_SUBJECT_H
#define EXAMPLES_CONSOLE_SUBJECT_H

#include "arena/pilot.h"

typedef struct subject {
    kith_world *world;
    bool is_arena;
    arena_world arena; /* in these two, if it is */
    arena_pilot pilot;
} subject;

/* A game of the arena that has played itself for some seconds: the same one each time. The subject
 * stays where it is until it is closed. */
void subject_open_arena(subject *s);

/* A scene, with the types of the file beside it. What is wrong with the files is told on stderr, and
 * ends the program with status 1. */
void subject_open_scene(subject *s, const char *path);

void subject_close(subject *s);

/* Lets so many ticks go by. The arena plays itself; what is in a scene only gets older. */
void subject_step(subject *s, uint32_t ticks);

#endif
