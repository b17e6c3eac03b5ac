/* Entities become a text. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <kith/resource.h>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
#endif

#include "scene/keep.h"
#include "scene/scene_error.h"

/* ---- Which entities ---------------------------------------------------------------------------- */

static kith_result choose(ki_scene_save *task, const kith_entity *entities, uint32_t count)
{
    ki_scene_saved *added =
        ki_scene_list_add(&task->allocator, &task->entries, count, sizeof(ki_scene_saved));
    for (uint32_t i = 0; added != NULL && i < count; i++) {
        added[i].entity = entities[i];
    }
    return added == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

static kith_result choose_all(ki_scene_save *task, kith_query *query)
{
    kith_result result = KITH_OK;
    if (query == NULL) {
        kith_entity entity = KITH_NONE;
        while (result == KITH_OK && !kith_is_none(entity = kith_entity_next(task->world, entity))) {
            result = choose(task, &entity, 1);
        }
        return result;
    }
    kith_iter it = kith_query_iter(query);
    while (result == KITH_OK && kith_next(&it)) {
        result = choose(task, kith_entities(&it), it.count);
    }
    kith_iter_close(&it);
    ki_scene_sort_saved(task);
    return result == KITH_OK ? it.result : result;
}

static kith_result check_all(ki_scene_save *task)
{
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < task->entries.count; i++) {
        const ki_scene_saved *entry = ki_scene_saved_at(task, i);
        kith_entity entity = entry->entity;
        const kith_type *type = NULL;
        while (result == KITH_OK &&
               (type = ki_scene_next_kept(task->world, entity, type)) != NULL) {
            const void *value = type->size == 0 ? NULL : kith_get(task->world, entity, type);
            result = ki_scene_is_implied(entry, type)
                         ? KITH_OK
                         : ki_scene_check_value(task, entity, type, value, NULL);
        }
    }
    const kith_type *type;
    for (uint32_t i = 0; task->def->resources && result == KITH_OK &&
                         (type = kith_resource_at(task->world, i)) != NULL;
         i++) {
        result =
            ki_scene_check_value(task, KITH_NONE, type, kith_resource_get(task->world, type), NULL);
    }
    return result;
}

/* ---- Writing ------------------------------------------------------------------------------- */

static kith_result put_resources(ki_scene_save *task)
{
    kith_result result = KITH_OK;
    const kith_type *type;
    uint32_t i = 0;
    for (; result == KITH_OK && (type = kith_resource_at(task->world, i)) != NULL; i++) {
        result = ki_scene_save_line(task, "resource ", type, kith_resource_get(task->world, type));
    }
    bool more = i > 0 && task->entries.count > 0;
    return result == KITH_OK && more ? ki_scene_save_put(task, "\n") : result;
}

/* ---- The whole ----------------------------------------------------------------------------- */

static kith_result save(ki_scene_save *task)
{
    task->buffer = task->allocator.allocate(task->allocator.context, KI_SCENE_SAVE_BUFFER, 1);
    if (task->buffer == NULL) {
        return KITH_ERR_MEMORY;
    }
    task->capacity = KI_SCENE_SAVE_BUFFER;
    if (task->def->scene != NULL) {
        kith_result kept = ki_scene_save_text(task);
        return kept == KITH_OK ? ki_scene_save_flush(task) : kept;
    }
    kith_result result = choose_all(task, task->def->query);
    if (result == KITH_OK) {
        ki_scene_nest(task);
        result = ki_scene_keep_names(task);
    }
    result = result == KITH_OK ? check_all(task) : result;
    result = result == KITH_OK ? ki_scene_check_root_names(task) : result;
    if (result == KITH_OK && task->def->resources) {
        result = put_resources(task);
    }
    for (uint32_t i = 0; result == KITH_OK && i < task->entries.count; i++) {
        result = ki_scene_saved_at(task, i)->parent == 0 ? ki_scene_save_entity(task, i) : KITH_OK;
    }
    return result == KITH_OK ? ki_scene_save_flush(task) : result;
}

static void end_task(ki_scene_save *task)
{
    ki_scene_list_free(&task->allocator, &task->entries, sizeof(ki_scene_saved));
    if (task->buffer != NULL) {
        task->allocator.release(task->allocator.context, task->buffer, task->capacity, 1);
    }
    ki_scene_names_free(&task->kept, &task->allocator);
    ki_scene_names_free(&task->siblings, &task->allocator);
    ki_scene_names_free(&task->roots, &task->allocator);
    ki_scene_list_free(&task->allocator, &task->path, 1);
    ki_scene_arena_free(&task->arena);
}

/* With a query open, so that the structure of the world stays what it is, whatever `write` does. */
static kith_result save_locked(ki_scene_save *task)
{
    kith_query *all;
    kith_result result =
        kith_query_new(task->world, &(kith_query_def){.name = "kith_scene_save"}, &all);
    if (result != KITH_OK) {
        return result;
    }
    /* Of one entity, which is none: it need not know which tables there are. */
    kith_iter it = kith_query_iter_one_at(all, KITH_NONE, "kith_scene_save", 0);
    result = it.result == KITH_OK ? save(task) : it.result;
    kith_iter_close(&it);
    kith_query_free(all);
    return result;
}

static kith_result check_def_of_save(kith_world *world, const kith_scene_save_def *def)
{
    if (def->query != NULL && kith_query_world(def->query) != world) {
        return kith_misuse(world, "kith_scene_save: the query is of another world than the one"
                                  " that is saved; make one with kith_query_new for this world");
    }
    if (def->names != NULL && def->names->world != world) {
        return kith_misuse(world, "kith_scene_save: the scene in `names` is of another world than"
                                  " the one that is saved, and knows nobody there");
    }
    if (def->scene == NULL) {
        return KITH_OK;
    }
    if (def->scene->world != world) {
        return kith_misuse(world, "kith_scene_save: the scene is of another world than the one"
                                  " that is saved");
    }
    if (def->query != NULL || def->names != NULL || def->resources) {
        return kith_misuse(world, "kith_scene_save: with `scene`, the scene says what is saved;"
                                  " leave `query`, `names` and `resources` at 0");
    }
    if (def->file >= def->scene->sources.count) {
        return kith_misuse(world, "kith_scene_save: the scene has no `file` of that number");
    }
    return KITH_OK;
}

kith_result kith_scene_save(kith_world *world, const kith_scene_save_def *def,
                            kith_scene_write_fn write, void *context, kith_scene_error *error)
{
    if (world == NULL || write == NULL) {
        return kith_misuse(world, "kith_scene_save: the world or the function is NULL");
    }
    static const kith_scene_save_def usual = {0};
    def = def == NULL ? &usual : def;
    if (kith_require_owner(world, "kith_scene_save") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    if (check_def_of_save(world, def) != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    kith_allocator allocator = kith_world_allocator(world);
    ki_scene_save task = {.world = world,
                          .allocator = allocator,
                          .def = def,
                          .names = def->scene != NULL ? def->scene : def->names,
                          .error = error,
                          .arena = {.allocator = allocator},
                          .write = write,
                          .context = context};
    kith_result result = save_locked(&task);
    end_task(&task);
    bool told = result == KITH_OK || result == KITH_ERR_INPUT; /* the latter with its reason */
    return told ? result
                : ki_scene_fail(world, error, NULL, result,
                                result == KITH_ERR_IO ? "the text could not be written" : NULL);
}

/* ---- Files ------------------------------------------------------------------------------------- */

static bool write_stream(void *context, const char *bytes, size_t count)
{
    return fwrite(bytes, 1, count, context) == count;
}

/* Whether a path is free, or that of a file. A device would be none any more. */
static bool may_be_replaced(const char *path)
{
#if defined(_WIN32) /* there devices are not replaced */
    (void)path;
    return true;
#else
    struct stat info;
    return stat(path, &info) != 0 || S_ISREG(info.st_mode);
#endif
}

/* Gives a file the name of another one, which is gone then; a failure leaves both. */
static bool take_place(const char *beside, const char *path)
{
#if defined(_WIN32) /* there `rename` replaces no file */
    const bool taken = MoveFileExA(beside, path, MOVEFILE_REPLACE_EXISTING) != 0;
    errno = taken ? errno : EACCES;
    return taken;
#else
    return rename(beside, path) == 0;
#endif
}

/* Writes beside the file that may be there, so that a failure costs nobody what was saved before. */
static kith_result write_file(kith_world *world, const kith_scene_save_def *def, const char *beside,
                              const char *path, kith_scene_error *error)
{
    FILE *stream = fopen(beside, "wb");
    if (stream == NULL) {
        return ki_scene_fail(world, error, path, KITH_ERR_IO, strerror(errno));
    }
    errno = 0;
    kith_result result = kith_scene_save(world, def, write_stream, stream, error);
    bool kept = fclose(stream) == 0 && result == KITH_OK;
    kept = kept && take_place(beside, path);
    int reason = errno;
    if (kept) {
        return KITH_OK;
    }
    remove(beside);
    if (result == KITH_OK || result == KITH_ERR_IO) {
        return ki_scene_fail(world, error, path, KITH_ERR_IO,
                             reason == 0 ? "the system does not tell why" : strerror(reason));
    }
    if (error != NULL && result != KITH_ERR_MISUSE) {
        snprintf(error->file, sizeof error->file, "%s", path);
    }
    return result;
}

kith_result kith_scene_save_file(kith_world *world, const kith_scene_save_def *def,
                                 const char *path, kith_scene_error *error)
{
    if (world == NULL || path == NULL) {
        return kith_misuse(world, "kith_scene_save_file: the world or the path is NULL");
    }
    if (kith_require_owner(world, "kith_scene_save_file") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    if (!may_be_replaced(path)) {
        return ki_scene_fail(world, error, path, KITH_ERR_IO, "what is there is not a file");
    }
    const kith_allocator allocator = kith_world_allocator(world);
    size_t size = strlen(path) + sizeof ".new";
    char *beside = allocator.allocate(allocator.context, size, 1);
    if (beside == NULL) {
        return ki_scene_fail(world, error, path, KITH_ERR_MEMORY, NULL);
    }
    snprintf(beside, size, "%s.new", path);
    kith_result result = write_file(world, def, beside, path, error);
    allocator.release(allocator.context, beside, size, 1);
    return result;
}
