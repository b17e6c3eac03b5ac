/* Any bytes as a scene: loading ends, tells a place in the text if it fails, and is all or nothing.
 * What was loaded is saved as a text that loads as the same, and as its own text, byte for byte. After
 * changes, that text loads as what the world then has.
 *
 * A line of the text that is "----" begins another file: its first line is the path.
 *
 * The first byte says how much memory the world may hold. */
#include <kith/hierarchy.h>
#include <kith/kith.h>
#include <kith/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kinds.h"

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

KITH_TAG(Frozen);

KITH_RELATION(Follows, KITH_CLEAR, KITH_SPARSE, (float, distance));
KITH_RELATION(Before, KITH_CASCADE | KITH_ACYCLIC);

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
        kith_register(world, &Frozen_type, &slot) != KITH_OK ||
        KITH_TYPES(world, Follows, Before, kith_is_a) != KITH_OK) {
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

static bool has_children(const kith_world *world)
{
    kith_entity entity = KITH_NONE;
    while (!kith_is_none(entity = kith_entity_next(world, entity))) {
        if (!kith_is_none(kith_parent(world, entity))) {
            return true;
        }
    }
    return false;
}

static void save_and_load(kith_world *world, const kith_scene *scene)
{
    saved_text saved = {0};
    const kith_scene_save_def def = {.names = scene, .resources = true};
    kith_result result = kith_scene_save(world, &def, write_saved, &saved, NULL);
    if (result == KITH_ERR_MEMORY && kith_memory(world).limit != 0) {
        free(saved.bytes); /* saving takes memory of the world, too */
        return;
    }
    require(result == KITH_OK);
    kith_world *again = new_world(0);
    kith_scene *loaded = NULL;
    require(again != NULL);
    require(kith_scene_load(again, saved.length == 0 ? "" : saved.bytes, saved.length, &loaded,
                            NULL) == KITH_OK);
    if (has_children(world)) { /* children have other slots then */
        saved_text twice = {0};
        const kith_scene_save_def same = {.names = loaded, .resources = true};
        require(kith_scene_save(again, &same, write_saved, &twice, NULL) == KITH_OK);
        require(twice.length == saved.length &&
                memcmp(twice.bytes, saved.bytes, saved.length) == 0);
        free(twice.bytes);
    } else {
        require(kith_content_hash(again) == kith_content_hash(world));
    }
    kith_scene_free(loaded);
    kith_world_free(again);
    free(saved.bytes);
}

/* ---- The text that it was read from ------------------------------------------------------------ */

/* The text after its first line, for each of the files. */
typedef struct files {
    const char *text; /* the first file */
    size_t length;
    const char *rest; /* the others */
    size_t rest_length;
} files;

static const char mark[] = "----\n";

static const char *find_mark(const char *text, size_t length)
{
    for (; length >= sizeof mark - 1; text++, length--) {
        if (memcmp(text, mark, sizeof mark - 1) == 0) {
            return text;
        }
    }
    return NULL;
}

/* A kith_scene_open_fn: finds the file of that path. */
static kith_result open_file(void *context, const char *path, const char **text, size_t *length)
{
    const files *all = context;
    const char *at = all->rest;
    const char *end = at == NULL ? NULL : at + all->rest_length;
    while (at != NULL) {
        const char *next = find_mark(at, (size_t)(end - at));
        const char *stop = next == NULL ? end : next;
        const char *line = memchr(at, '\n', (size_t)(stop - at));
        size_t size = (size_t)((line == NULL ? stop : line) - at);
        if (size == strlen(path) && memcmp(at, path, size) == 0) {
            *text = line == NULL ? stop : line + 1;
            *length = (size_t)(stop - *text);
            return KITH_OK;
        }
        at = next == NULL ? NULL : next + sizeof mark - 1;
    }
    return KITH_ERR_IO;
}

static kith_scene *read_files(kith_world *world, const files *all, kith_result *result,
                              kith_scene_error *error)
{
    kith_scene *scene = NULL;
    const kith_scene_def def = {.text = all->text,
                                .length = all->length,
                                .path = "main",
                                .open = open_file,
                                .context = (void *)(uintptr_t)all};
    *result = kith_scene_new(world, &def, &scene, error);
    require((scene != NULL) == (*result == KITH_OK));
    return scene;
}

/* Whether memory ran out, which it may in a world with a limit. */
static bool ran_out(const kith_world *world, kith_result result)
{
    return result == KITH_ERR_MEMORY && kith_memory(world).limit != 0;
}

static bool save_text(kith_world *world, const kith_scene *scene, uint32_t file, saved_text *saved)
{
    const kith_scene_save_def def = {.scene = scene, .file = file, .lose_references = true};
    kith_result result = kith_scene_save(world, &def, write_saved, saved, NULL);
    require(result == KITH_OK || ran_out(world, result));
    return result == KITH_OK;
}

static void check_same_text(kith_world *world, const kith_scene *scene, const files *all)
{
    const char *path;
    for (uint32_t i = 0; (path = kith_scene_file(scene, i)) != NULL; i++) {
        saved_text saved = {0};
        const char *text = all->text;
        size_t length = all->length;
        require(i == 0 || open_file((void *)(uintptr_t)all, path, &text, &length) == KITH_OK);
        if (save_text(world, scene, i, &saved)) {
            require(saved.length == length);
            require(length == 0 || memcmp(saved.bytes, text, length) == 0);
        }
        free(saved.bytes);
    }
}

/* Changes something of each entity, by its number and the first bytes of the text. */
static void change(kith_world *world, kith_scene *scene, uint32_t seed)
{
    uint32_t count = kith_scene_count(scene);
    for (uint32_t i = 0; i < count && i < 64; i++) {
        kith_entity entity = kith_scene_at(scene, i);
        char name[16];
        snprintf(name, sizeof name, "n%u", i);
        seed = seed * 1664525u + 1013904223u;
        switch (seed >> 28) {
        case 0:
        case 1: KITH_SET(world, entity, Position, {(float)i, -1}); break;
        case 2: KITH_REMOVE(world, entity, Position); break;
        case 3: KITH_REMOVE(world, entity, Kinds); break;
        case 4: KITH_ADD(world, entity, Frozen); break;
        case 5: KITH_REMOVE(world, entity, Frozen); break;
        case 6: KITH_ADD(world, entity, Kinds); break;
        case 7: kith_scene_set_name(scene, i, name); break;
        case 8: kith_scene_set_name(scene, i, ""); break;
        case 9:
        case 10:
            if (KITH_HAS(world, entity, Kinds)) {
                Kinds *kinds = KITH_GET_MUT(world, entity, Kinds);
                kinds->i16++;
                kinds->entity = kith_scene_at(scene, (seed >> 8) % count);
                kinds->entities[1] = KITH_NONE;
            }
            break;
        case 11:
            kith_scene_add(scene, KITH_SPAWN(world, KITH_VALUE(Position, {1, 2})),
                           kith_scene_prefab_at(scene, 0), NULL);
            break;
        case 12: kith_despawn(world, entity); break;
        case 13: kith_set_parent(world, entity, kith_scene_at(scene, (seed >> 8) % count)); break;
        case 14: kith_insert_child(world, entity, kith_scene_at(scene, (seed >> 8) % count)); break;
        case 15:
            KITH_SET(world, entity, Follows, {kith_scene_at(scene, (seed >> 8) % count), 1});
            break;
        default: break;
        }
    }
}

static uint32_t count_living(const kith_world *world, const kith_scene *scene)
{
    uint32_t living = 0;
    for (uint32_t i = 0; i < kith_scene_count(scene); i++) {
        living += kith_alive(world, kith_scene_at(scene, i));
    }
    return living;
}

/* What all living members of a scene have, in their order, without what they refer to. */
static uint64_t hash_members(const kith_world *world, const kith_scene *scene, bool drawn)
{
    uint64_t hash = 1;
    for (uint32_t i = 0; i < kith_scene_count(scene); i++) {
        kith_entity entity = kith_scene_at(scene, i);
        uint64_t one = 7;
        if (!kith_alive(world, entity)) {
            continue;
        }
        const kith_type *type = NULL;
        while ((type = kith_component_next(world, entity, type)) != NULL) {
            const unsigned char *value = type->size == 0 ? NULL : kith_get(world, entity, type);
            one = one * 31 + type->size;
            for (uint32_t k = 0; k < type->field_count; k++) {
                const kith_field *field = &type->fields[k];
                bool bytes = field->kind != KITH_ENTITY && field->kind != KITH_TEXT &&
                             field->kind != KITH_PADDING;
                for (uint32_t b = 0; bytes && b < field->size; b++) {
                    one = one * 131 + value[field->offset + b];
                }
            }
        }
        hash = drawn ? hash + one * one : hash * 1099511628211u + one; /* maps change the order */
    }
    return hash;
}

/* How many children the entities have, by their depth. */
static uint64_t count_links(const kith_world *world)
{
    uint64_t sum = 0;
    kith_entity entity = KITH_NONE;
    while (!kith_is_none(entity = kith_entity_next(world, entity))) {
        uint64_t children = kith_child_count(world, entity);
        sum += children * children * (1 + 7 * (uint64_t)kith_depth(world, entity));
    }
    return sum;
}

/* Texts that were changed, to be read again. */
typedef struct changed_files {
    const kith_scene *scene;
    saved_text texts[16];
} changed_files;

static kith_result open_changed(void *context, const char *path, const char **text, size_t *length)
{
    const changed_files *all = context;
    const char *known;
    for (uint32_t i = 0; (known = kith_scene_file(all->scene, i)) != NULL; i++) {
        if (strcmp(known, path) == 0) {
            *text = all->texts[i].length == 0 ? "" : all->texts[i].bytes;
            *length = all->texts[i].length;
            return KITH_OK;
        }
    }
    return KITH_ERR_IO;
}

/* Loads what was saved of a scene that changed, and compares. */
static void check_changed(kith_world *world, const kith_scene *scene, bool drawn)
{
    changed_files all = {.scene = scene};
    uint32_t count = 0;
    bool saved = true;
    for (; count < 16 && kith_scene_file(scene, count) != NULL; count++) {
        saved = save_text(world, scene, count, &all.texts[count]) && saved;
    }
    if (saved && kith_scene_file(scene, count) == NULL) {
        kith_world *again = new_world(0);
        kith_scene *loaded = NULL;
        const kith_scene_def def = {.text = all.texts[0].length == 0 ? "" : all.texts[0].bytes,
                                    .length = all.texts[0].length,
                                    .path = "main",
                                    .open = open_changed,
                                    .context = &all};
        require(again != NULL);
        require(kith_scene_new(again, &def, &loaded, NULL) == KITH_OK);
        require(kith_scene_spawn(loaded) == KITH_OK);
        require(kith_scene_count(loaded) == count_living(world, scene));
        drawn = drawn || has_children(world) || has_children(again);
        require(hash_members(again, loaded, drawn) == hash_members(world, scene, drawn));
        require(count_links(again) == count_links(world));
        kith_scene_free(loaded);
        kith_world_free(again);
    }
    for (uint32_t i = 0; i < count; i++) {
        free(all.texts[i].bytes);
    }
}

/* Whether a file has a map. */
static bool has_map(const files *all)
{
    const char *end = all->rest != NULL ? all->rest + all->rest_length : all->text + all->length;
    for (const char *at = all->text; end - at >= 3; at++) {
        if (memcmp(at, "map", 3) == 0) {
            return true;
        }
    }
    return false;
}

static void spawn_prefabs(kith_world *world, const kith_scene *scene)
{
    const kith_prefab *prefab;
    for (uint32_t i = 0; (prefab = kith_scene_prefab_at(scene, i)) != NULL; i++) {
        const kith_value value = KITH_VALUE(Position, {1, 2});
        kith_entity entity = KITH_NONE;
        kith_result result = kith_prefab_spawn(prefab, &value, 1, &entity);
        require(result == KITH_OK || result == KITH_ERR_MEMORY || result == KITH_ERR_DEAD ||
                result == KITH_ERR_CYCLE);
        require(kith_alive(world, entity) == (result == KITH_OK));
        kith_despawn(world, entity);
        require(kith_scene_prefab(scene, kith_prefab_name(prefab)) == prefab);
    }
    require(kith_world_check(world) == KITH_OK);
}

static void load(kith_world *world, const files *all)
{
    const uint64_t whole = kith_world_hash(world);
    const uint32_t texts = kith_memory(world).text_count;
    kith_scene_error error;
    kith_result result;
    kith_scene *scene = read_files(world, all, &result, &error);
    if (scene != NULL) {
        check_same_text(world, scene, all);
        result = kith_scene_spawn(scene);
        require(result == KITH_OK || result == KITH_ERR_MEMORY);
        if (result != KITH_OK) {
            kith_scene_free(scene);
            require(kith_world_hash(world) == whole);
            return;
        }
    }
    require(kith_world_check(world) == KITH_OK);
    if (result != KITH_OK) {
        require(kith_world_hash(world) == whole);
        require(memchr(error.message, '\0', sizeof error.message) != NULL);
        require(result == KITH_ERR_MEMORY ||
                ((result == KITH_ERR_INPUT || result == KITH_ERR_IO) && error.line > 0 &&
                 error.column > 0 && kith_memory(world).text_count == texts &&
                 strstr(error.message, "expected") != NULL));
        return;
    }
    require(kith_entity_count(world) == kith_scene_count(scene));
    save_and_load(world, scene);
    check_same_text(world, scene, all);
    spawn_prefabs(world, scene);
    change(world, scene,
           all->length > 8
               ? (uint32_t)kith_scene_count(scene) * 77u + (unsigned char)all->text[7] * 65537u
               : 0);
    check_changed(world, scene, has_map(all));
    kith_scene_free(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    kith_world *world = new_world(data[0] < 64 ? 16384 + (size_t)data[0] * 1024 : (size_t)1 << 26);
    if (world == NULL) {
        return 0;
    }
    /* A copy, so that reading one byte too far is seen. */
    char *text = malloc(size - 1 + (size == 1));
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    files all = {.text = text, .length = size - 1};
    const char *more = find_mark(text, size - 1);
    if (more != NULL) {
        all.length = (size_t)(more - text);
        all.rest = more + sizeof mark - 1;
        all.rest_length = size - 1 - all.length - (sizeof mark - 1);
    }
    load(world, &all);
    free(text);
    kith_world_free(world);
    return 0;
}
