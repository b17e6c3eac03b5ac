/* Any bytes as a scene: loading ends, tells a place in the text if it fails, and is all or nothing.
 * What was loaded is saved as a text that loads as the same.
 *
 * The first byte says how much memory the world may hold. */
#include <kith/kith.h>
#include <kith/scene.h>
#include <stdlib.h>
#include <string.h>

#include "../reflect/kinds.h"

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

KITH_TAG(Frozen);

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static kith_world *new_world(size_t limit)
{
    static const kith_component_def sparse = {.layout = KITH_SPARSE};
    static const kith_component_def slot = {.layout = KITH_SLOT};
    kith_world *world = kith_world_new(&(kith_world_def){.memory_limit = limit});
    if (world == NULL || kith_register(world, &Position_type, NULL) != KITH_OK ||
        kith_register(world, &Kinds_type, &sparse) != KITH_OK ||
        kith_register(world, &Frozen_type, &slot) != KITH_OK) {
        kith_world_free(world);
        return NULL;
    }
    return world;
}

typedef struct saved_text {
    char *bytes;
    size_t length;
    size_t capacity;
} saved_text;

static bool write_saved(void *context, const char *bytes, size_t count)
{
    saved_text *saved = context;
    if (saved->capacity - saved->length < count) {
        saved->capacity = (saved->capacity + count) * 2;
        saved->bytes = realloc(saved->bytes, saved->capacity);
        require(saved->bytes != NULL);
    }
    memcpy(saved->bytes + saved->length, bytes, count);
    saved->length += count;
    return true;
}

static void save_and_load(kith_world *world, const kith_scene *scene)
{
    saved_text saved = {0};
    const kith_scene_save_def def = {.names = scene};
    kith_result result = kith_scene_save(world, &def, write_saved, &saved, NULL);
    if (result == KITH_ERR_MEMORY && kith_memory(world).limit != 0) {
        free(saved.bytes); /* saving takes memory of the world, too */
        return;
    }
    require(result == KITH_OK);
    kith_world *again = new_world(0);
    require(again != NULL);
    require(kith_scene_load(again, saved.length == 0 ? "" : saved.bytes, saved.length, NULL,
                            NULL) == KITH_OK);
    require(kith_content_hash(again) == kith_content_hash(world));
    kith_world_free(again);
    free(saved.bytes);
}

static void spawn_prefabs(kith_world *world, const kith_scene *scene)
{
    const kith_prefab *prefab;
    for (uint32_t i = 0; (prefab = kith_scene_prefab_at(scene, i)) != NULL; i++) {
        const kith_value value = KITH_VALUE(Position, {1, 2});
        kith_entity entity = KITH_NONE;
        kith_result result = kith_prefab_spawn(prefab, &value, 1, &entity);
        require(result == KITH_OK || result == KITH_ERR_MEMORY);
        require(kith_alive(world, entity) == (result == KITH_OK));
        require(kith_scene_prefab(scene, kith_prefab_name(prefab)) == prefab);
    }
    require(kith_world_check(world) == KITH_OK);
}

static void load(kith_world *world, const char *text, size_t length)
{
    const uint64_t whole = kith_world_hash(world);
    const uint32_t texts = kith_memory(world).text_count;
    kith_scene *scene = NULL;
    kith_scene_error error;
    kith_result result = kith_scene_load(world, text, length, &scene, &error);
    require(kith_world_check(world) == KITH_OK);
    if (result != KITH_OK) {
        require(scene == NULL && kith_world_hash(world) == whole);
        require(memchr(error.message, '\0', sizeof error.message) != NULL);
        require(result == KITH_ERR_MEMORY ||
                (result == KITH_ERR_INPUT && error.line > 0 && error.column > 0 &&
                 kith_memory(world).text_count == texts &&
                 strstr(error.message, "expected") != NULL));
        return;
    }
    require(kith_entity_count(world) == kith_scene_count(scene));
    save_and_load(world, scene);
    spawn_prefabs(world, scene);
    kith_scene_free(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    kith_world *world = new_world(data[0] < 64 ? 16384 + (size_t)data[0] * 1024 : 0);
    if (world == NULL) {
        return 0;
    }
    /* A copy, so that reading one byte too far is seen. */
    char *text = malloc(size - 1 + (size == 1));
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    load(world, text, size - 1);
    free(text);
    kith_world_free(world);
    return 0;
}
