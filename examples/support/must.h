/* How the examples treat what should not happen to them: they say it on standard error and end with
 * status 1. */
#ifndef EXAMPLES_MUST_H
#define EXAMPLES_MUST_H

#include <kith/kith.h>

#ifdef __cplusplus
#define EXAMPLES_NORETURN [[noreturn]]
extern "C" {
#else
#define EXAMPLES_NORETURN _Noreturn
#endif

/* Ends the program with status 1, after a message on standard error: printf's, and the end of the
 * line. */
EXAMPLES_NORETURN void fail(const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2)))
#endif
    ;

/* What `fail` calls before its message, from now on: to give back a terminal on whose screen nobody
 * would see it. NULL: nothing. */
void fail_calls(void (*before)(void *context), void *context);

/* Ends the program because standard output cannot be written: errno tells why, unless it is 0. */
EXAMPLES_NORETURN void fail_print(void);

/* Goes on if `result` is KITH_OK. */
void must(const kith_world *world, kith_result result);

/* Returns the world, query or other thing that was just made; ends the program if memory ran out
 * instead, which NULL says. */
void *must_make(void *made);

/* Returns the entity that was just made; ends the program if memory ran out instead. */
kith_entity must_spawn(kith_entity entity);

/* Ends the program if something that it printed cannot be written, because a disk is full for example.
 * To be called after the last of it. */
void must_print(void);

#ifdef __cplusplus
}
#endif
#endif
