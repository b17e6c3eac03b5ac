#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Thread_local char ki_thread_token;

void ki_format(char *text, size_t size, const char *format, va_list arguments)
{
    int length = vsnprintf(text, size, format, arguments);
    if (length < 0) {
        text[0] = '\0';
    } else if ((size_t)length >= size) {
        memcpy(text + size - 4, "...", 4);
    }
}

kith_result ki_fail(ki_context *context, kith_result result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ki_format(context->error, sizeof context->error, format, arguments);
    va_end(arguments);
    return result;
}

kith_result ki_misuse(const ki_context *context, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    ki_format(message, sizeof message, format, arguments);
    va_end(arguments);
    if (context != NULL && context->on_misuse != NULL) {
        context->on_misuse(message, context->misuse_context);
        return KITH_ERR_MISUSE;
    }
    fprintf(stderr, "kith: %s\n", message);
    fflush(stderr);
    abort();
}
