#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char ki_nobody;
const char ki_no_key;
KI_THREAD_LOCAL struct kith_thread_ kith_thread_ = {.key = &ki_no_key};

void ki_guard_enter(ki_context *context, ki_guard *guard)
{
    guard->outer = ki_thread_enter(&guard->inside);
    guard->owned = ki_context_owner(context) == ki_thread();
    if (guard->owned) {
        ki_context_set_owner(context, &ki_nobody);
    }
}

void ki_guard_leave(ki_context *context, const ki_guard *guard)
{
    ki_thread_enter(guard->outer);
    if (guard->owned) {
        ki_context_set_owner(context, ki_thread());
    }
}

bool ki_inside_enter(const void *key)
{
    const ki_inside *inside = kith_thread_.inside;
    if (inside == NULL || inside->key != key) {
        return false;
    }
    kith_thread_.key = key;
    return true;
}

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

void ki_tell_memory(ki_context *context, kith_result result, const char *call)
{
    if (result == KITH_ERR_MEMORY && context->error[0] == '\0') {
        ki_fail(context, result, "%s: memory ran out", call);
    }
}

/* Where all messages pass: to the function of the program, or to stderr. */
static void context_write_log(const ki_context *context, kith_log_level level, const char *message)
{
    static const char *const words[] = {"", "", "warning: ", "info: ", "debug: "};
    if (context != NULL && context->on_log != NULL) {
        context->on_log(level, message, context->log_context);
    } else {
        fprintf(stderr, "kith: %s%s\n", words[level], message);
    }
}

void ki_log_message_list(const ki_context *context, kith_log_level level, const char *format,
                         va_list arguments)
{
    if (level <= context->log_level) {
        char message[1024];
        ki_format(message, sizeof message, format, arguments);
        context_write_log(context, level, message);
    }
}

void ki_log_message(const ki_context *context, kith_log_level level, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ki_log_message_list(context, level, format, arguments);
    va_end(arguments);
}

kith_result ki_misuse(const ki_context *context, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    ki_format(message, sizeof message, format, arguments);
    va_end(arguments);
    bool handled = context != NULL && context->on_misuse != NULL;
    if (!handled || context->on_log != NULL) {
        context_write_log(context, KITH_LOG_ERROR, message);
    }
    if (handled) {
        context->on_misuse(message, context->misuse_context);
        if (ki_context_owner(context) == ki_thread()) {
            memcpy(((ki_context *)(uintptr_t)context)->error, message, sizeof message);
        }
        return KITH_ERR_MISUSE;
    }
    fflush(stderr);
    abort();
}

kith_result ki_reject_thread(const ki_context *context, const char *call, const char *where)
{
    const ki_inside *inside = ki_context_inside(context);
    if (inside != NULL) {
        return ki_misuse(context, "%s: %s%s%s%s", call, inside->before, inside->name, inside->after,
                         where);
    }
    const void *owner = ki_context_owner(context);
    if (owner == NULL) {
        return ki_misuse(context,
                         "%s: the world was released, and belongs to no thread; call"
                         " kith_world_claim first%s",
                         call, where);
    }
    const char *closed = owner == &ki_nobody ? KI_LOAD(&context->closed) : NULL;
    if (closed != NULL) {
        return ki_misuse(context, "%s: %s%s", call, closed, where);
    }
    return ki_misuse(context,
                     "%s: the world belongs to another thread; its owner calls kith_world_release,"
                     " this one kith_world_claim%s",
                     call, where);
}
