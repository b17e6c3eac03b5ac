#include "arguments.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void arguments_refuse(const arguments *args, const char *expected, const char *found)
{
    if (found != NULL) {
        fprintf(stderr, "%s: expected %s after %s, found \"%s\"; see --help\n", args->program,
                expected, args->option, found);
    } else {
        fprintf(stderr, "%s: expected %s after %s; see --help\n", args->program, expected,
                args->option);
    }
    exit(2);
}

arguments arguments_of(char **argv, const char *program, const char *help)
{
    return (arguments){
        .program = program,
        .help = help,
        .rest = argv[0] == NULL ? argv : argv + 1,
    };
}

const char *arguments_next(arguments *args)
{
    if (*args->rest == NULL) {
        return NULL;
    }
    args->option = *args->rest++;
    if (strcmp(args->option, "--help") == 0 || strcmp(args->option, "-h") == 0) {
        fputs(args->help, stdout);
        must_print();
        exit(0);
    }
    return args->option;
}

static const char *value(arguments *args, const char *expected)
{
    if (*args->rest == NULL) {
        arguments_refuse(args, expected, NULL);
    }
    return *args->rest++;
}

const char *arguments_value(arguments *args)
{
    return value(args, "a value");
}

static uint32_t whole_number(arguments *args, uint32_t least, uint32_t most, const char *expected)
{
    const char *text = value(args, expected);
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number < least ||
        number > most) {
        arguments_refuse(args, expected, text);
    }
    return (uint32_t)number;
}

uint32_t arguments_count(arguments *args)
{
    return whole_number(args, 0, UINT32_MAX, "a whole number");
}

uint32_t arguments_from(arguments *args, uint32_t least, uint32_t most)
{
    char expected[64];
    snprintf(expected, sizeof(expected), "a whole number from %" PRIu32 " to %" PRIu32, least,
             most);
    return whole_number(args, least, most, expected);
}

float arguments_number(arguments *args)
{
    static const char expected[] = "a number that is not negative";
    const char *text = value(args, expected);
    char *end = NULL;
    float number = strtof(text, &end);
    if (end == text || *end != '\0' || !isfinite(number) || number < 0) {
        arguments_refuse(args, expected, text);
    }
    return number;
}

uint32_t arguments_choice(arguments *args, const char *const *names, uint32_t count,
                          const char *expected)
{
    const char *text = value(args, expected);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(text, names[i]) == 0) {
            return i;
        }
    }
    arguments_refuse(args, expected, text);
}

kith_layout arguments_layout(arguments *args)
{
    static const char *const names[] = {
        [KITH_TABLE] = "table",
        [KITH_SPARSE] = "sparse",
        [KITH_SLOT] = "slot",
    };
    return (kith_layout)arguments_choice(args, names, sizeof names / sizeof *names,
                                         "table, sparse or slot");
}

_Noreturn void arguments_unknown(const arguments *args)
{
    fprintf(stderr, "%s: there is no option \"%s\"; see --help\n", args->program, args->option);
    exit(2);
}

static void read_option(arguments *args, const argument *options)
{
    while (options->option != NULL && strcmp(options->option, args->option) != 0) {
        options++;
    }
    if (options->option == NULL) {
        arguments_unknown(args);
    }
    if (options->number == NULL) {
        *options->given = true;
    } else if (options->least == 0 && options->most == UINT32_MAX) {
        *options->number = arguments_count(args);
    } else {
        *options->number = arguments_from(args, options->least, options->most);
    }
}

void arguments_read(char **argv, const char *program, const char *help, const argument *options)
{
    arguments args = arguments_of(argv, program, help);
    while (arguments_next(&args) != NULL) {
        read_option(&args, options);
    }
}

kith_layout arguments_only_layout(char **argv, const char *program, const char *help)
{
    arguments args = arguments_of(argv, program, help);
    kith_layout layout = KITH_TABLE;
    for (const char *option; (option = arguments_next(&args)) != NULL;) {
        if (strcmp(option, "--layout") != 0) {
            arguments_unknown(&args);
        }
        layout = arguments_layout(&args);
    }
    return layout;
}

void arguments_none(char **argv, const char *program, const char *help)
{
    arguments args = arguments_of(argv, program, help);
    if (arguments_next(&args) != NULL) {
        arguments_unknown(&args);
    }
}
