/* Saved worlds in files. */
#include <kith/save.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/windows.h"
#include "persist/diff_edit.h"
#include "persist/world_save.h"

/* The message for kith_error, with what the system tells. */
static kith_result file_refused(kith_world *world, const char *call, const char *path, int reason)
{
    return ki_fail(&world->store.context, KITH_ERR_IO, "%s: %s: %s", call, path,
                   reason == 0 ? "the system does not tell why" : strerror(reason));
}

static kith_result file_require(kith_world *world, const char *call, const char *path)
{
    KI_TRY(ki_snapshot_begin(world, call));
    return !KI_CHECKED || path != NULL
               ? KITH_OK
               : ki_misuse(&world->store.context, "%s: the path is NULL", call);
}

/* ---- Saving -------------------------------------------------------------------------------------- */

/* Whether a path is free, or that of a file. A device would be none any more. */
static bool file_may_be_replaced(const char *path)
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
static bool file_takes_place(const char *beside, const char *path)
{
#if defined(_WIN32) /* there `rename` replaces no file */
    const bool taken = MoveFileExA(beside, path, MOVEFILE_REPLACE_EXISTING) != 0;
    errno = taken ? errno : EACCES;
    return taken;
#else
    return rename(beside, path) == 0;
#endif
}

/* False: `errno` tells why. */
static bool file_write(const kith_bytes *bytes, const char *beside, const char *path)
{
    errno = 0;
    FILE *stream = fopen(beside, "wb");
    if (stream == NULL) {
        return false;
    }
    bool written = fwrite(bytes->data, 1, bytes->size, stream) == bytes->size;
    written = fclose(stream) == 0 && written && file_takes_place(beside, path);
    if (!written) {
        const int reason = errno;
        remove(beside);
        errno = reason;
    }
    return written;
}

/* Writes beside the file that may be there, so that a failure costs nobody what was saved before. */
static kith_result file_replace(kith_world *world, const char *call, const kith_bytes *bytes,
                                const char *path)
{
    if (!file_may_be_replaced(path)) {
        return ki_fail(&world->store.context, KITH_ERR_IO, "%s: %s: what is there is not a file",
                       call, path);
    }
    ki_heap *heap = &world->store.context.heap;
    const size_t size = strlen(path) + sizeof ".new";
    char *beside = ki_heap_alloc(heap, size, 1);
    if (beside == NULL) {
        return KITH_ERR_MEMORY;
    }
    snprintf(beside, size, "%s.new", path);
    const bool written = file_write(bytes, beside, path);
    const int reason = errno;
    ki_heap_free(heap, beside, size, 1);
    return written ? KITH_OK : file_refused(world, call, path, reason);
}

kith_result kith_world_save_file(kith_world *world, const char *path)
{
    static const char call[] = "kith_world_save_file";
    KI_TRY(file_require(world, call, path));
    kith_bytes bytes = {0};
    kith_result result = ki_world_save(world, call, &bytes);
    if (result == KITH_OK) {
        result = file_replace(world, call, &bytes, path);
    }
    kith_bytes_free(world, &bytes);
    return result;
}

/* ---- Loading ------------------------------------------------------------------------------------- */

/* KITH_ERR_IO: `errno` tells why. KITH_ERR_LIMIT: the file has 4 GiB or more. */
static kith_result file_read_stream(ki_heap *heap, FILE *stream, kith_bytes *bytes)
{
    size_t count;
    do {
        if (bytes->size == UINT32_MAX) {
            return KITH_ERR_LIMIT;
        }
        KI_TRY(ki_heap_grow(heap, &bytes->data, &bytes->capacity, bytes->size + 1, 1, 4096));
        count = fread(bytes->data + bytes->size, 1, bytes->capacity - bytes->size, stream);
        bytes->size += (uint32_t)count;
    } while (count != 0);
    return ferror(stream) ? KITH_ERR_IO : KITH_OK;
}

static kith_result file_read(kith_world *world, const char *call, const char *path,
                             kith_bytes *bytes)
{
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return file_refused(world, call, path, errno);
    }
    const kith_result result = file_read_stream(&world->store.context.heap, stream, bytes);
    const int reason = errno;
    fclose(stream);
    switch (result) {
    case KITH_ERR_IO: return file_refused(world, call, path, reason);
    case KITH_ERR_LIMIT:
        return ki_fail(&world->store.context, result, "%s: %s: no saved world has 4 GiB or more",
                       call, path);
    default: return result;
    }
}

/* Messages about what is in the file name it. */
static kith_result file_load(kith_world *world, const char *call, const char *path,
                             const kith_bytes *bytes)
{
    char of_file[400];
    snprintf(of_file, sizeof of_file, "%s: %s", call, path);
    return ki_diff_apply(world, of_file, true, bytes->data, bytes->size);
}

kith_result kith_world_load_file(kith_world *world, const char *path)
{
    static const char call[] = "kith_world_load_file";
    KI_TRY(file_require(world, call, path));
    kith_bytes bytes = {0};
    kith_result result = file_read(world, call, path, &bytes);
    if (result == KITH_OK) {
        result = file_load(world, call, path, &bytes);
    }
    kith_bytes_free(world, &bytes);
    return result;
}
