#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

KI_THREAD_LOCAL char ki_thread_token;
KI_THREAD_LOCAL const char *ki_thread_system;

void ki_format(char *text, size_t size, const char *format, va_list arguments)
{
    int length = vsnprintf(text, size, format, arguments);
    if (length < 0) {
        text[0] = '\0';
    } else if ((size_t)length >= size) {
        char *end = text + size - 4;
        for (int i = 0; i < 3 && ((unsigned char)*end & 0xC0) == 0x80; i++) {
            end--; /* not in the middle of a character */
        }
        memcpy(end, "...", 4);
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

kith_result ki_refuse_thread(const ki_context *context, const char *call)
{
    if (context->closed) {
        return ki_misuse(
            context,
            "%s: called from within query system \"%s\", which reaches the world through its"
            " iterator alone: queue changes on it->commands, read and write by kith_system_get,"
            " kith_system_resource and so on; a plain system (`update`) may do anything",
            call, ki_thread_system == NULL ? "?" : ki_thread_system);
    }
    if (context->hook != NULL) {
        return ki_misuse(context,
                         "%s: a hook of '%s' is running; hooks must not call into the world", call,
                         context->hook);
    }
    return ki_misuse(context,
                     "%s: the world belongs to another thread; its owner calls kith_world_yield,"
                     " this one kith_world_claim",
                     call);
}
