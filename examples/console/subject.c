#include "subject.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/options.h"
#include "support/load.h"
#include "support/must.h"
#include "types.h"

/* The first wave is there then, and shots fly. */
enum { ARENA_TICKS = 13 * STEPS_PER_SECOND };

void subject_open_arena(subject *s)
{
    char path[LEVEL_PATH];
    *s = (subject){.is_arena = true};
    arena_open(&s->arena, &(arena_def){.level = options_level_path("cavern", path), .seed = 1});
    pilot_open(&s->pilot, &s->arena);
    s->world = s->arena.world;
    s->pilot.pressed = INPUT_MOTHS; /* something that there are many of */
    subject_step(s, ARENA_TICKS);
}

static void must_be_there(const char *path, const char *what)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail("%s: %s%s", path, strerror(errno), what);
    }
    fclose(file);
}

void subject_open_scene(subject *s, const char *path)
{
    static const char scene[] = ".kith";
    static const char types[] = ".types";
    size_t length = strlen(path);
    if (length < sizeof scene || strcmp(path + length - (sizeof scene - 1), scene) != 0) {
        fail("%s: expected a file that ends in .kith", path);
    }
    must_be_there(path, "");
    *s = (subject){.world = must_make(kith_world_new(NULL))};
    length -= sizeof scene - 1;
    char *beside = must_make(malloc(length + sizeof types));
    memcpy(beside, path, length);
    memcpy(beside + length, types, sizeof types);
    must_be_there(beside, "; it has the components that the scene names");
    load_types(s->world, beside);
    free(beside);
    load_scene(s->world, path);
}

void subject_close(subject *s)
{
    if (s->is_arena) {
        arena_close(&s->arena);
    } else {
        kith_world_free(s->world);
    }
}

void subject_step(subject *s, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        if (s->is_arena) {
            const Input input = pilot_think(&s->pilot);
            arena_step(&s->arena, &input);
        } else {
            must(s->world, kith_run(s->world, 1.0f / STEPS_PER_SECOND));
        }
    }
}
