#include "load.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

/* In growing steps, since what is no plain file (a pipe) does not tell its size. */
static char *read_stream(FILE *stream, size_t *length)
{
    char *bytes = NULL;
    size_t capacity = 0;
    size_t count = 0;
    do {
        if (count == capacity) {
            capacity = capacity > 0 ? capacity * 2 : 4096;
            char *bigger = realloc(bytes, capacity);
            if (bigger == NULL) {
                free(bytes);
                return NULL;
            }
            bytes = bigger;
        }
        count += fread(bytes + count, 1, capacity - count, stream);
    } while (count == capacity);
    if (ferror(stream)) {
        free(bytes);
        return NULL;
    }
    *length = count;
    return bytes;
}

/* The bytes of a file, to be freed by the caller; NULL, and the reason in errno, if there are none
 * to be had. */
static char *read_file(const char *path, size_t *length)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return NULL;
    }
    char *bytes = read_stream(stream, length);
    int reason = errno;
    fclose(stream);
    errno = reason;
    return bytes;
}

void load_scene(kith_world *world, const char *path)
{
    size_t length = 0;
    char *text = read_file(path, &length);
    if (text == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(1);
    }
    uint32_t count = 0;
    scene_error error = { .line = 1, .column = 1, .message = "expected an entity, found none" };
    kith_result result = scene_load(world, text, length, &count, &error);
    free(text);
    if (result == KITH_OK && count > 0) {
        return;
    }
    if (error.line > 0) {
        fprintf(stderr, "%s:%" PRIu32 ":%" PRIu32 ": %s\n", path, error.line, error.column,
                error.message);
    } else {
        fprintf(stderr, "%s: %s\n", path, error.message);
    }
    exit(1);
}
