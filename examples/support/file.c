#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

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

char *file_read(const char *path, size_t *length)
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
