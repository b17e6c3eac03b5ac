/* Scenes in files. */
#include <errno.h>
#include <kith/reader.h>
#include <stdio.h>
#include <string.h>

#include "scene/scene.h"
#include "scene/scene_error.h"

/* The bytes of a file. */
typedef struct file_text {
    char *bytes;
    size_t length;
    size_t capacity;
} file_text;

static void free_text(const kith_allocator *allocator, file_text *text)
{
    if (text->bytes != NULL) {
        allocator->release(allocator->context, text->bytes, text->capacity, 1);
    }
}

static bool grow_text(const kith_allocator *allocator, file_text *text)
{
    size_t capacity = text->capacity == 0 ? 1 << 14 : text->capacity * 2;
    char *bytes =
        capacity < text->capacity ? NULL : allocator->allocate(allocator->context, capacity, 1);
    if (bytes == NULL) {
        return false;
    }
    if (text->length > 0) {
        memcpy(bytes, text->bytes, text->length);
    }
    free_text(allocator, text);
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

/* In growing steps, since only plain files tell their size (a pipe does not). Ends where a byte
 * is zero: a file with one is not a text, and may never end (/dev/zero, /dev/urandom). */
static kith_result read_stream(FILE *stream, const kith_allocator *allocator, file_text *text)
{
    size_t before;
    do {
        if (text->length == text->capacity && !grow_text(allocator, text)) {
            return KITH_ERR_MEMORY;
        }
        before = text->length;
        text->length += fread(text->bytes + before, 1, text->capacity - before, stream);
        if (memchr(text->bytes + before, '\0', text->length - before) != NULL) {
            return KITH_ERR_INPUT;
        }
    } while (text->length == text->capacity && text->length <= UINT32_MAX);
    return ferror(stream) ? KITH_ERR_IO : KITH_OK;
}

/* Tells where the first byte is that is zero. */
static kith_result refuse_zero(kith_world *world, const char *path, const file_text *text,
                               kith_scene_error *error)
{
    kith_text_error mistake;
    kith_reader reader = {.text = text->bytes, .length = text->length, .error = &mistake};
    kith_read_fail(&reader, memchr(text->bytes, '\0', text->length),
                   "expected text, found the byte 0x00");
    return ki_scene_fail_in_text(world, error, path, &mistake);
}

static kith_result read_file(kith_world *world, const char *path, const kith_allocator *allocator,
                             file_text *text, kith_scene_error *error)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return ki_scene_fail(world, error, path, KITH_ERR_IO, strerror(errno));
    }
    errno = 0;
    kith_result result = read_stream(stream, allocator, text);
    int reason = errno;
    fclose(stream);
    if (result == KITH_ERR_INPUT) {
        return refuse_zero(world, path, text, error);
    }
    return result == KITH_OK ? result
                             : ki_scene_fail(world, error, path, result,
                                             result == KITH_ERR_IO ? strerror(reason) : NULL);
}

/* Tells what was told of a text as a mistake in the file that it came from. */
static void fail_in_file(kith_world *world, kith_scene_error *error, const char *path,
                         kith_result result, const kith_scene_error *told)
{
    if (told->line == 0) {
        ki_scene_fail(world, error, path, result, told->message);
        return;
    }
    kith_text_error mistake = {.line = told->line, .column = told->column};
    snprintf(mistake.message, sizeof mistake.message, "%s", told->message);
    ki_scene_fail_in_text(world, error, path, &mistake);
}

typedef kith_result (*use_text)(kith_world *world, const char *text, size_t length,
                                kith_scene **scene, kith_scene_error *error);

static kith_result use_file(kith_world *world, const char *path, kith_scene **scene,
                            kith_scene_error *error, use_text use)
{
    const kith_allocator allocator = kith_world_allocator(world);
    file_text text = {0};
    kith_result result = read_file(world, path, &allocator, &text, error);
    if (result == KITH_OK) {
        kith_scene_error told = {.line = 0};
        result = use(world, text.bytes, text.length, scene, &told);
        if (result != KITH_OK) {
            fail_in_file(world, error, path, result, &told);
        }
    }
    free_text(&allocator, &text);
    return result;
}

kith_result kith_scene_read_file(kith_world *world, const char *path, kith_scene **scene,
                                 kith_scene_error *error)
{
    if (world == NULL || path == NULL || scene == NULL) {
        return kith_misuse(world, "kith_scene_read_file: the world, the path or the scene is NULL");
    }
    if (kith_require_owner(world, "kith_scene_read_file") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    return use_file(world, path, scene, error, kith_scene_read);
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
    return use_file(world, path, scene, error, kith_scene_load);
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
    kith_scene *made;
    kith_result result = kith_scene_read(world, text, length, &made, error);
    if (result != KITH_OK) {
        return result;
    }
    result = kith_scene_spawn(made);
    if (result == KITH_OK && scene != NULL) {
        *scene = made;
        return KITH_OK;
    }
    kith_scene_free(made);
    return result == KITH_OK ? KITH_OK : ki_scene_fail(world, error, NULL, result, NULL);
}

/* ---- Saving -------------------------------------------------------------------------------- */

static bool write_stream(void *context, const char *bytes, size_t count)
{
    return fwrite(bytes, 1, count, context) == count;
}

/* Gives a file the name of another one, which is gone then. */
static bool take_place(const char *beside, const char *path)
{
    bool taken = rename(beside, path) == 0;
#if defined(_WIN32) /* there no file takes the name of one that is there */
    taken = taken || (remove(path) == 0 && rename(beside, path) == 0);
#endif
    return taken;
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
        return ki_scene_fail(world, error, path, KITH_ERR_IO, strerror(reason));
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
