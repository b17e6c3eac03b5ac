/* Scenes in files. */
#include "scene/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "scene/scene_error.h"

static bool grow_text(const kith_allocator *allocator, ki_scene_source *source)
{
    size_t room = source->room == 0 ? 1 << 14 : source->room * 2;
    char *text = room < source->room ? NULL : allocator->allocate(allocator->context, room, 1);
    if (text == NULL) {
        return false;
    }
    if (source->text != NULL) {
        memcpy(text, source->text, source->length);
        allocator->release(allocator->context, source->text, source->room, 1);
    }
    source->text = text;
    source->room = room;
    return true;
}

/* In growing steps, since only plain files tell their size (a pipe does not). Ends where a byte
 * is zero: a file with one is not a text, and may never end (/dev/zero, /dev/urandom). */
static kith_result read_stream(FILE *stream, const kith_allocator *allocator,
                               ki_scene_source *source)
{
    size_t before;
    do {
        if (source->length == source->room && !grow_text(allocator, source)) {
            return KITH_ERR_MEMORY;
        }
        before = source->length;
        source->length += fread(source->text + before, 1, source->room - before, stream);
        if (memchr(source->text + before, '\0', source->length - before) != NULL) {
            return KITH_OK;
        }
    } while (source->length == source->room && source->length <= UINT32_MAX);
    return ferror(stream) ? KITH_ERR_IO : KITH_OK;
}

kith_result ki_scene_read_source(const kith_allocator *allocator, ki_scene_source *source)
{
    FILE *stream = fopen(source->path, "rb");
    if (stream == NULL) {
        return KITH_ERR_IO;
    }
    errno = 0;
    kith_result result = read_stream(stream, allocator, source);
    int reason = errno;
    fclose(stream);
    errno = reason;
    return result;
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
