/* What the examples' command lines have in common. A mistake there is told on stderr and ends the
 * program with status 2; --help prints the help and ends it with status 0. */
#ifndef EXAMPLES_ARGUMENTS_H
#define EXAMPLES_ARGUMENTS_H

#include <kith/kith.h>

#include "must.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arguments {
    const char *program; /* the first word of every message */
    const char *help;
    const char *option; /* the argument that arguments_next returned last */
    char **rest;        /* what is still to be read, ended by NULL */
} arguments;

/* `argv` is main's. `program` and `help` are kept, not copied. */
arguments arguments_of(char **argv, const char *program, const char *help);

/* The next argument, or NULL behind the last. */
const char *arguments_next(arguments *args);

/* What follows the option that was read last. */
const char *arguments_value(arguments *args);
uint32_t arguments_count(arguments *args);     /* a whole number below 2^32 */
uint32_t arguments_from(arguments *args, uint32_t least, uint32_t most); /* a whole one, likewise */
float arguments_number(arguments *args);       /* finite, not negative */
kith_layout arguments_layout(arguments *args); /* table, sparse or slot */

/* Which of `count` words it is, from 0; `expected` names them for the message, "red or blue". */
uint32_t arguments_choice(arguments *args, const char *const *names, uint32_t count,
                          const char *expected);

/* Ends the program: what follows the option that was read last is not what was expected. */
EXAMPLES_NORETURN void arguments_refuse(const arguments *args, const char *expected,
                                        const char *found);

/* Ends the program: the argument that was read last is none that it knows. */
EXAMPLES_NORETURN void arguments_unknown(const arguments *args);

/* An option: a whole number from `least` to `most`, or one that is there or not. */
typedef struct argument {
    const char *option;
    uint32_t *number;
    uint32_t least, most;
    bool *given; /* without a number: becomes true */
} argument;

/* Reads them all, for programs that take no others. The list ends with {0}. */
void arguments_read(char **argv, const char *program, const char *help, const argument *options);

/* The layout, for programs that take no other option; KITH_TABLE if none is given. */
kith_layout arguments_only_layout(char **argv, const char *program, const char *help);

/* For programs that take none. */
void arguments_none(char **argv, const char *program, const char *help);

#ifdef __cplusplus
}
#endif
#endif
