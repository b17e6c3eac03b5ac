/* Loading: texts become scenes, and scenes entities. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "scene/draft.h"
#include "scene/scene_error.h"
#include "scene/scene_map.h"
#include "scene/scene_state.h"
#include "scene/source.h"

/* The name of an entity that the scene made last; "" or NULL: it has none. */
static const char *name_entity(void *context, kith_entity entity)
{
    const kith_scene *scene = context;
    return kith_scene_name(scene, kith_scene_index_of(scene, entity));
}

static kith_scene *new_scene(kith_world *world)
{
    kith_allocator allocator = kith_world_allocator(world);
    kith_scene *scene = allocator.allocate(allocator.context, sizeof *scene, _Alignof(kith_scene));
    if (scene != NULL) {
        *scene = (kith_scene){.world = world,
                              .arena = {.allocator = allocator},
                              .namer = {.name = name_entity, .context = scene}};
    }
    return scene;
}

void kith_scene_free(kith_scene *scene)
{
    if (scene == NULL) {
        return;
    }
    kith_world *world = scene->namer.world; /* NULL: it was freed, or the scene was never whole */
    if (world != NULL && kith_require_owner(world, "kith_scene_free") != KITH_OK) {
        return;
    }
    kith_namer_remove(&scene->namer);
    ki_scene_state_end(scene, world);
    kith_allocator allocator = scene->arena.allocator;
    for (uint32_t i = 0; i < scene->sources.count; i++) {
        ki_scene_source *source = ki_scene_source_at(scene, i);
        if (source->text != NULL) {
            allocator.release(allocator.context, source->text, source->room, 1);
        }
    }
    ki_scene_names_free(&scene->names, &allocator);
    ki_scene_names_free(&scene->prefab_names, &allocator);
    ki_scene_names_free(&scene->imports, &allocator);
    ki_scene_names_free(&scene->words, &allocator);
    ki_scene_names_free(&scene->children, &allocator);
    ki_scene_list_free(&allocator, &scene->nodes, sizeof(uint32_t));
    ki_scene_list_free(&allocator, &scene->sources, sizeof(ki_scene_source));
    ki_scene_list_free(&allocator, &scene->blocks, sizeof(ki_scene_block));
    ki_scene_list_free(&allocator, &scene->values, sizeof(ki_scene_value));
    ki_scene_list_free(&allocator, &scene->entities, sizeof(uint32_t));
    ki_scene_list_free(&allocator, &scene->resources, sizeof(uint32_t));
    ki_scene_list_free(&allocator, &scene->prefabs, sizeof(kith_prefab));
    ki_scene_list_free(&allocator, &scene->map_ends, sizeof(const char *));
    ki_scene_list_free(&allocator, &scene->libraries, sizeof(kith_scene_library));
    ki_scene_list_free(&allocator, &scene->handles, sizeof(kith_entity));
    ki_scene_arena_free(&scene->arena);
    allocator.release(allocator.context, scene, sizeof *scene, _Alignof(kith_scene));
}

static void end_draft(ki_scene_draft *draft)
{
    const kith_allocator *allocator = &draft->scene->arena.allocator;
    ki_scene_list_free(allocator, &draft->plans, sizeof(ki_scene_plan));
    ki_scene_list_free(allocator, &draft->maps, sizeof(ki_scene_map));
    ki_scene_names_free(&draft->files, allocator);
    ki_scene_texts_free(&draft->texts);
    ki_scene_index_free(&draft->index, allocator);
    ki_scene_list_free(allocator, &draft->words, sizeof(ki_scene_word));
    ki_scene_list_free(allocator, &draft->open, sizeof(ki_scene_open));
}

/* Remembers what the text calls other scenes: kith_scene_add may be given prefabs of those. */
static kith_result keep_libraries(kith_scene *scene, const kith_scene_def *def)
{
    for (uint32_t i = 0; i < def->library_count; i++) {
        const char *name = def->libraries[i].name;
        kith_scene_library *library =
            ki_scene_list_add(&scene->arena.allocator, &scene->libraries, 1, sizeof *library);
        const char *copy = ki_scene_arena_copy(&scene->arena, name, strlen(name));
        if (library == NULL || copy == NULL) {
            return KITH_ERR_MEMORY;
        }
        *library = (kith_scene_library){copy, def->libraries[i].scene};
    }
    return KITH_OK;
}

/* Whether it is the first text that was too much. */
static bool is_too_long(const ki_scene_draft *draft, kith_result result)
{
    return result == KITH_ERR_LIMIT && (draft->def->length > UINT32_MAX ||
                                        ki_scene_source_at(draft->scene, 0)->length > UINT32_MAX);
}

/* What went wrong in a text, or with a text. */
static kith_result fail_reading(const ki_scene_draft *draft, kith_result result,
                                kith_scene_error *error)
{
    kith_world *world = draft->scene->world;
    const char *path = draft->def->path;
    if (draft->error.line == 0 || result == KITH_ERR_MEMORY) {
        const char *message = result == KITH_ERR_IO        ? strerror(errno)
                              : is_too_long(draft, result) ? "the text has 2^32 bytes or more"
                                                           : NULL;
        return ki_scene_fail(world, error, path, result, message);
    }
    const char *file = ki_scene_source_at(draft->scene, draft->source)->path;
    kith_text_error mistake = draft->error;
    ki_scene_add_chain(draft, &mistake);
    return ki_scene_fail_in_text(world, error, *file == '\0' ? NULL : file, result, &mistake);
}

static kith_result read_scene(kith_world *world, const kith_scene_def *def, kith_scene **scene,
                              kith_scene_error *error)
{
    ki_scene_draft draft = {.scene = new_scene(world),
                            .def = def,
                            .texts.arena.allocator = kith_world_allocator(world)};
    if (draft.scene == NULL) {
        return ki_scene_fail(world, error, def->path, KITH_ERR_MEMORY, NULL);
    }
    draft.reader.error = &draft.error;
    draft.reader.world = world;
    kith_result result = ki_scene_open_first(&draft);
    result = result == KITH_OK ? ki_scene_read_draft(&draft) : result;
    result = result == KITH_OK ? keep_libraries(draft.scene, def) : result;
    result = result == KITH_OK ? ki_scene_state_begin(draft.scene) : result;
    if (result == KITH_OK) {
        end_draft(&draft);
        kith_namer_add(world, &draft.scene->namer);
        *scene = draft.scene;
        return KITH_OK;
    }
    fail_reading(&draft, result, error);
    end_draft(&draft);
    kith_scene_free(draft.scene);
    return result;
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static kith_result check_def(kith_world *world, const kith_scene_def *def)
{
    if (def->text == NULL && def->path == NULL) {
        return kith_misuse(world, "kith_scene_new: set `text` or `path` of the def");
    }
    if (def->libraries == NULL && def->library_count != 0) {
        return kith_misuse(world, "kith_scene_new: the libraries are NULL, but their number is"
                                  " not 0");
    }
    for (uint32_t i = 0; i < def->library_count; i++) {
        const kith_scene_library *library = &def->libraries[i];
        if (library->name == NULL || library->scene == NULL) {
            return kith_misuse(world, "kith_scene_new: a library has no name or no scene");
        }
        if (library->scene->world != world) {
            return kith_misuse(world, "kith_scene_new: a library is a scene of another world; read"
                                      " its text for this one too");
        }
    }
    return KITH_OK;
}

kith_result kith_scene_new(kith_world *world, const kith_scene_def *def, kith_scene **scene,
                           kith_scene_error *error)
{
    if (world == NULL || def == NULL || scene == NULL) {
        return kith_misuse(world, "kith_scene_new: the world, the def or the scene is NULL");
    }
    if (kith_require_owner(world, "kith_scene_new") != KITH_OK ||
        check_def(world, def) != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    return read_scene(world, def, scene, error);
}

kith_result kith_scene_parse(kith_world *world, const char *text, size_t length, kith_scene **scene,
                             kith_scene_error *error)
{
    if (world == NULL || text == NULL || scene == NULL) {
        return kith_misuse(world, "kith_scene_parse: the world, the text or the scene is NULL");
    }
    if (kith_require_owner(world, "kith_scene_parse") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    const kith_scene_def def = {.text = text, .length = length};
    return read_scene(world, &def, scene, error);
}

kith_result kith_scene_parse_file(kith_world *world, const char *path, kith_scene **scene,
                                  kith_scene_error *error)
{
    if (world == NULL || path == NULL || scene == NULL) {
        return kith_misuse(world,
                           "kith_scene_parse_file: the world, the path or the scene is NULL");
    }
    if (kith_require_owner(world, "kith_scene_parse_file") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    const kith_scene_def def = {.path = path};
    return read_scene(world, &def, scene, error);
}

/* ---- Loading ----------------------------------------------------------------------------------- */

static kith_result load_scene(kith_world *world, const kith_scene_def *def, kith_scene **scene,
                              kith_scene_error *error)
{
    kith_scene *made;
    kith_result result = read_scene(world, def, &made, error);
    if (result != KITH_OK) {
        return result;
    }
    result = kith_scene_spawn(made);
    if (result == KITH_OK && scene != NULL) {
        *scene = made;
        return KITH_OK;
    }
    kith_scene_free(made);
    if (result == KITH_OK) {
        return KITH_OK;
    }
    char reason[512];
    snprintf(reason, sizeof reason, "%s", kith_error(world));
    bool usual = result == KITH_ERR_MEMORY || result == KITH_ERR_LIMIT;
    return ki_scene_fail(world, error, def->path, result, usual ? NULL : reason);
}

kith_result kith_scene_load(kith_world *world, const char *text, size_t length, kith_scene **scene,
                            kith_scene_error *error)
{
    if (world == NULL || text == NULL) {
        return kith_misuse(world, "kith_scene_load: the world or the text is NULL");
    }
    if (kith_require_change(world, "kith_scene_load") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    const kith_scene_def def = {.text = text, .length = length};
    return load_scene(world, &def, scene, error);
}

kith_result kith_scene_load_file(kith_world *world, const char *path, kith_scene **scene,
                                 kith_scene_error *error)
{
    if (world == NULL || path == NULL) {
        return kith_misuse(world, "kith_scene_load_file: the world or the path is NULL");
    }
    if (kith_require_change(world, "kith_scene_load_file") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    const kith_scene_def def = {.path = path};
    return load_scene(world, &def, scene, error);
}

const char *kith_scene_file(const kith_scene *scene, uint32_t index)
{
    if (scene == NULL) {
        kith_misuse(NULL, "kith_scene_file: the scene is NULL");
        return NULL;
    }
    return index < scene->sources.count ? ki_scene_source_at(scene, index)->path : NULL;
}
