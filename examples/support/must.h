/* How the examples treat what should not happen to them: they say it and end with status 1. */
#ifndef EXAMPLES_MUST_H
#define EXAMPLES_MUST_H

#include <kith/kith.h>

/* Ends the program with status 1, after a message on standard error: printf's, and the end of the
 * line. */
_Noreturn void fail(const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* What `fail` calls before its message, from now on: to give back a terminal on whose screen nobody
 * would see it. NULL: nothing. */
void fail_calls(void (*before)(void *context), void *context);

/* Goes on if `result` is KITH_OK. */
void must(const kith_world *world, kith_result result);

/* Returns the entity that was just made; ends the program if memory ran out instead. */
kith_entity must_spawn(kith_entity entity);

#endif
