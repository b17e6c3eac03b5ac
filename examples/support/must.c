#include "must.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void (*call_before)(void *context);
static void *call_context;

void fail_calls(void (*before)(void *context), void *context)
{
    call_before = before;
    call_context = context;
}

_Noreturn void fail(const char *format, ...)
{
    if (call_before != NULL) {
        call_before(call_context);
    }
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

void must(const kith_world *world, kith_result result)
{
    if (result == KITH_ERR_MEMORY) {
        fail("out of memory");
    }
    if (result != KITH_OK) {
        const char *detail = world != NULL ? kith_error(world) : "";
        fail("%s%s%s", kith_result_name(result), *detail != '\0' ? ": " : "", detail);
    }
}

void *must_make(void *made)
{
    must(NULL, made == NULL ? KITH_ERR_MEMORY : KITH_OK);
    return made;
}

kith_entity must_spawn(kith_entity entity)
{
    must(NULL, kith_is_none(entity) ? KITH_ERR_MEMORY : KITH_OK);
    return entity;
}

_Noreturn void fail_print(void)
{
    fail("standard output: %s", errno != 0 ? strerror(errno) : "cannot be written");
}

void must_print(void)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fail_print();
    }
}
