#include "base/text_out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ki_text_add(ki_text_out *out, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    ki_format(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (out->length < out->size) {
        snprintf(out->text + out->length, out->size - out->length, "%s", piece);
    }
    out->length += strlen(piece);
}
