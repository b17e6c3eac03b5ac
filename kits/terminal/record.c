#include <kith/floats.h>

#include "terminal/record.h"

#include <inttypes.h>

kith_result ki_record_head(FILE *file, int width, int height)
{
    int written = fprintf(file,
                          "{\"version\": 2, \"width\": %d, \"height\": %d, \"env\": {\"TERM\": "
                          "\"xterm-256color\"}}\n",
                          width, height);
    return written < 0 ? KITH_ERR_IO : KITH_OK;
}

/* What JSON does not take as it is. The rest is UTF-8 and stays. */
static void write_escaped(FILE *file, unsigned char byte)
{
    if (byte == '"' || byte == '\\') {
        fprintf(file, "\\%c", byte);
    } else if (byte < 0x20 || byte == 0x7F) {
        fprintf(file, "\\u%04x", byte);
    } else {
        fputc(byte, file);
    }
}

/* The time is not a float, which some locales write with a comma. */
kith_result ki_record_event(FILE *file, uint64_t time, char kind, const char *data, size_t size)
{
    uint64_t micros = time / 1000 + (time % 1000 >= 500);
    fprintf(file, "[%" PRIu64 ".%06" PRIu64 ", \"%c\", \"", micros / 1000000, micros % 1000000,
            kind);
    for (size_t i = 0; i < size; i++) {
        write_escaped(file, (unsigned char)data[i]);
    }
    fputs("\"]\n", file);
    return ferror(file) ? KITH_ERR_IO : KITH_OK;
}
