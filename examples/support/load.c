#include "load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void refuse_scene(const kith_scene_error *error)
{
    if (error->line > 0) {
        fprintf(stderr, "%s:%" PRIu32 ":%" PRIu32 ": %s\n", error->file, error->line, error->column,
                error->message);
    } else {
        fprintf(stderr, "%s: %s\n", error->file, error->message);
    }
    exit(1);
}

void load_scene(kith_world *world, const char *path)
{
    kith_scene *scene;
    kith_scene_error error;
    if (kith_scene_load_file(world, path, &scene, &error) != KITH_OK) {
        refuse_scene(&error);
    }
    if (kith_scene_count(scene) == 0) {
        fprintf(stderr, "%s:1:1: expected an entity, found none\n", path);
        exit(1);
    }
    kith_scene_free(scene); /* nobody asks for names: the entities are what counts */
}
