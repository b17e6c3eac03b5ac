/* What a line does: a query, or a command. */
#ifndef EXAMPLES_CONSOLE_COMMANDS_H
#define EXAMPLES_CONSOLE_COMMANDS_H

#include "answer.h"
#include "index_list.h"
#include "subject.h"

/* What follows the name of a command. */
typedef enum command_argument {
    COMMAND_NONE,
    COMMAND_QUERY,
    COMMAND_TYPE,
    COMMAND_INDEX, /* a kind, and fields */
    COMMAND_NUMBER
} command_argument;

/* Where lines are entered. */
typedef struct console {
    subject subject;
    answer answer;
    index_list indexes;
    kith_select_format format;
    bool is_drawn; /* rows are drawn as tables, page by page, instead of printed a line each */
    text_table_view view; /* then; otherwise all zero */
    bool is_over;         /* there was a `quit` */
} console;

typedef struct command {
    const char *name;
    command_argument argument;
    const char *form;                              /* of the argument, for people */
    const char *what;                              /* it does */
    bool (*run)(console *c, const char *argument); /* false: it was wrong, which stderr tells */
} command;

uint32_t command_count(void);
const command *command_at(uint32_t number);

/* The command of a name of so many bytes; NULL if there is none. */
const command *command_find(const char *name, size_t size);

/* Prints the commands and what they do. */
void command_print_all(void);

/* Asks a query, and shows what it gives. False: it was wrong, which stderr tells. */
bool console_ask(console *c, const char *query);

/* Does what a line says. A component's name is more than a command's: then it is a query. False: it
 * was wrong, which stderr tells. An empty line shows more of the last answer; one that begins with #
 * does nothing. */
bool console_enter(console *c, const char *line);

#endif
