/* console: asks the arena or a scene in words; --help tells all */

#include <inttypes.h>
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/console.h"
#include "commands.h"
#include "prompt.h"
#include "support/arguments.h"
#include "support/must.h"
#include "tty.h"

static const char help[] =
    "usage: console [FILE.kith [QUERY]] [--json]\n"
    "\n"
    "Asks a world in words: select, where, group by. docs/query-text.md has the\n"
    "language. The world is the arena's, which has played itself for 390 ticks, or a\n"
    "scene's, with the types of FILE.types beside it.\n"
    "    console village.kith \"Person where Person.age < 20 order by Person.age\"\n"
    "prints a line for each row. With --json each is a JSON object. A mistake is told\n"
    "on standard error, with status 1.\n"
    "\n"
    "Without a QUERY, queries are entered on the terminal, and rows drawn as tables.\n"
    "If standard input or output is no terminal, each line of the input is a query,\n"
    "rows are printed as above, and the status is 1 if one line was wrong. Lines are\n"
    "queries, comments that begin with #, or commands:\n"
    "\n"
    "  explain QUERY        how a query finds its entities, and why\n"
    "  analyze QUERY        the same, and how many it met, and in what time\n"
    "  types [NAME]         the components, as FILE.types has them, and how many\n"
    "  entity N             one entity: 2, 2v1 or Entity(2v1)\n"
    "  index KIND FIELDS    makes an index for queries: index hash Team.number\n"
    "  indexes              the indexes that were made\n"
    "  step [N]             lets N ticks go by, or one: the arena plays itself\n"
    "  more, all            the next rows, or all that are left; Enter: more\n"
    "  help, quit           help lists the commands; Ctrl-D quits, too\n"
    "\n"
    "Keys are those of shells: arrows, Home, End, Ctrl-A, E, K, U, W, Alt-B, F, D.\n"
    "Up and down: lines before. Tab completes components, fields and words. Ctrl-C\n"
    "drops the line, or ends the program while a query runs.\n";

/* A line of the input, without its end, to be freed; NULL at the end. */
static char *read_line(void)
{
    size_t size = 0;
    size_t capacity = 256;
    char *line = must_make(malloc(capacity));
    int byte;
    while ((byte = getchar()) != EOF && byte != '\n') {
        if (size + 1 == capacity) {
            capacity *= 2;
            line = must_make(realloc(line, capacity));
        }
        line[size++] = (char)byte;
    }
    line[size] = '\0';
    if (byte == EOF && size == 0) {
        free(line);
        return NULL;
    }
    return line;
}

/* Does what the lines of the input say; false if one of them was wrong. */
static bool do_lines(console *c, const char *sign)
{
    bool right = true;
    while (!c->is_over) {
        fputs(sign, stdout);
        must_print();
        char *line = read_line();
        if (line == NULL) {
            break;
        }
        right = console_enter(c, line) && right;
        free(line);
        must_print();
    }
    return right;
}

static void greet(const console *c)
{
    const kith_world *world = c->subject.world;
    printf("Entities: %" PRIu32 ", components: %" PRIu32 "\n", kith_entity_count(world),
           kith_type_count(world));
    puts("Tab completes, help helps, Ctrl-D ends.");
    if (c->subject.is_arena) {
        puts("Try: Enemy, Health");
    }
}

/* The prompt, or what of it the terminal can do; without a terminal the lines of the input. False if
 * one of those was wrong. */
static bool enter(console *c)
{
    if (!console_is_live()) {
        return do_lines(c, "");
    }
    c->is_drawn = true;
    c->view.colors = kith_terminal_detect_colors();
    c->view.glyphs = kith_terminal_detect_glyphs();
    prompt_measure(c);
    greet(c);
    if (tty_can_edit()) {
        prompt_run(c);
    } else {
        do_lines(c, "> ");
    }
    return true;
}

int main(int argc, char **argv)
{
    (void)argc;
    static console c;
    const char *path = NULL;
    const char *query = NULL;
    arguments args = arguments_of(argv, "console", help);
    for (const char *arg; (arg = arguments_next(&args)) != NULL;) {
        if (strcmp(arg, "--json") == 0) {
            c.format = KITH_SELECT_JSON;
        } else if (arg[0] == '-' || query != NULL) {
            arguments_unknown(&args);
        } else if (path == NULL) {
            path = arg;
        } else {
            query = arg;
        }
    }
    if (path == NULL) {
        subject_open_arena(&c.subject);
    } else {
        subject_open_scene(&c.subject, path);
    }
    bool right = query != NULL ? console_ask(&c, query) : enter(&c);
    must_print();
    answer_clear(&c.answer);
    subject_close(&c.subject);
    return right ? 0 : 1;
}
