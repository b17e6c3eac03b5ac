/* Scenes for tests: types with references, and a text to load with all that is checked about it. */
#ifndef SCENES_H
#define SCENES_H

#include <kith/scene.h>
#include <string.h>

#include "components.h"
#include "test.h"

typedef struct Party {
    kith_entity leader;
    uint32_t size;
    kith_entity members[2];
} Party;
KITH_TYPE(Party, KITH_FIELD(Party, leader), KITH_FIELD(Party, size), KITH_FIELD(Party, members));

static inline void register_for_scenes(kith_world *world, kith_layout layout)
{
    register_all(world, layout);
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(world, &Party_type, &def), KITH_OK);
}

static inline fixture scene_fixture(kith_layout layout)
{
    fixture f = fixture_new();
    register_for_scenes(f.world, layout);
    return f;
}

/* A fixture with one more type. */
static inline fixture scene_fixture_with(const kith_type *type, kith_layout layout)
{
    fixture f = scene_fixture(layout);
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, type, &def), KITH_OK);
    return f;
}

/* Loads a text that is right. */
static inline kith_scene *load(fixture *f, const char *text)
{
    kith_scene *scene = NULL;
    kith_scene_error error = {.message = "untouched"};
    kith_result result = kith_scene_load(f->world, text, strlen(text), &scene, &error);
    CHECK_STR(error.message, "untouched");
    CHECK_RESULT(result, KITH_OK);
    CHECK_WORLD(f->world);
    return scene;
}

/* Frees a scene, then its world, which is checked. */
static inline void scene_end(fixture *f, kith_scene *scene)
{
    kith_scene_free(scene);
    fixture_free(f);
}

/* Text that is saved, from the start of a static buffer. */
typedef struct saved_text {
    char bytes[1 << 16];
    size_t length;
    size_t most; /* the writer fails behind so many bytes; 0: never */
} saved_text;

static inline bool write_saved(void *context, const char *bytes, size_t count)
{
    saved_text *saved = context;
    if (saved->most != 0 && saved->length + count > saved->most) {
        return false;
    }
    CHECK(saved->length + count < sizeof saved->bytes);
    memcpy(saved->bytes + saved->length, bytes, count);
    saved->length += count;
    saved->bytes[saved->length] = '\0';
    return true;
}

#endif
