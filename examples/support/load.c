#include "load.h"

#include <inttypes.h>

#include "must.h"

_Noreturn void refuse_scene(const kith_scene_error *error)
{
    if (error->line > 0) {
        fail("%s:%" PRIu32 ":%" PRIu32 ": %s", error->file, error->line, error->column,
             error->message);
    }
    fail("%s: %s", error->file, error->message);
}

void load_scene(kith_world *world, const char *path)
{
    kith_scene *scene;
    kith_scene_error error;
    if (kith_scene_load_file(world, path, &scene, &error) != KITH_OK) {
        refuse_scene(&error);
    }
    if (kith_scene_count(scene) == 0) {
        fail("%s:1:1: expected an entity, found none", path);
    }
    kith_scene_free(scene); /* nobody asks for names: the entities are what counts */
}
