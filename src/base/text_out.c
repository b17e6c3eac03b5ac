#include "base/text_out.h"

#include <stdarg.h>
#include <string.h>

ki_text_out ki_text_start(char *text, size_t size)
{
    if (text == NULL) {
        size = 0;
    } else if (size != 0) {
        text[0] = '\0';
    }
    return (ki_text_out){.text = text, .size = size};
}

char *ki_text_rest(const ki_text_out *out, size_t *size)
{
    *size = out->length < out->size ? out->size - out->length : 0;
    return *size == 0 ? NULL : out->text + out->length;
}

void ki_text_add_bytes(ki_text_out *out, const char *bytes, size_t count)
{
    size_t room;
    char *rest = ki_text_rest(out, &room);
    if (rest != NULL) {
        size_t fits = count < room ? count : room - 1;
        memcpy(rest, bytes, fits);
        rest[fits] = '\0';
    }
    out->length += count;
}

void ki_text_add_string(ki_text_out *out, const char *string)
{
    ki_text_add_bytes(out, string, strlen(string));
}

void ki_text_add(ki_text_out *out, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    ki_format(piece, sizeof piece, format, arguments);
    va_end(arguments);
    ki_text_add_string(out, piece);
}
