/* console: asks a scene in words: select, where, group by */

#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/arguments.h"
#include "support/load.h"
#include "support/must.h"
#include "types.h"

#ifndef EXAMPLES_DIR
#define EXAMPLES_DIR "examples"
#endif

static const char help[] =
    "usage: console [FILE.kith [QUERY]] [--json]\n"
    "\n"
    "Loads a scene (examples/console/village.kith, if none is given) with the types\n"
    "of FILE.types beside it, and prints a line for each row that the query gives;\n"
    "without a query, for each entity. docs/query-text.md has the language:\n"
    "    console village.kith \"Person where Person.age < 20 order by Person.age\"\n"
    "--json prints each row as a JSON object.\n";

/* Loads the types beside a scene, and the scene. */
static void load(kith_world *world, const char *path)
{
    static const char scene[] = ".kith";
    static const char types[] = ".types";
    size_t length = strlen(path);
    if (length < sizeof scene || strcmp(path + length - (sizeof scene - 1), scene) != 0) {
        fail("%s: expected a file that ends in .kith", path);
    }
    length -= sizeof scene - 1;
    char *beside = must_make(malloc(length + sizeof types));
    memcpy(beside, path, length);
    memcpy(beside + length, types, sizeof types);
    load_types(world, beside);
    free(beside);
    load_scene(world, path);
}

static kith_select *ask(kith_world *world, const char *query)
{
    kith_text_error error;
    kith_select *select = NULL;
    kith_result result = kith_select_new(world, query, &error, &select);
    if (result == KITH_ERR_INPUT) {
        char shown[800];
        kith_print_text_error(query, &error, shown, sizeof shown);
        fail("%s", shown);
    }
    must(world, result);
    must(world, kith_select_run(select));
    return select;
}

static void print_rows(const kith_select *select, kith_select_format format)
{
    for (uint32_t row = 0; row < kith_select_row_count(select); row++) {
        size_t size = kith_select_print(select, row, format, NULL, 0) + 1;
        char *line = must_make(malloc(size));
        kith_select_print(select, row, format, line, size);
        puts(line);
        free(line);
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *path = NULL;
    const char *query = NULL;
    kith_select_format format = KITH_SELECT_TEXT;
    arguments args = arguments_of(argv, "console", help);
    for (const char *arg; (arg = arguments_next(&args)) != NULL;) {
        if (strcmp(arg, "--json") == 0) {
            format = KITH_SELECT_JSON;
        } else if (arg[0] == '-' || query != NULL) {
            arguments_unknown(&args);
        } else if (path == NULL) {
            path = arg;
        } else {
            query = arg;
        }
    }
    kith_world *world = must_make(kith_world_new(NULL));
    load(world, path != NULL ? path : EXAMPLES_DIR "/console/village.kith");
    print_rows(ask(world, query != NULL ? query : "*"), format);
    must_print();
    kith_world_free(world);
    return 0;
}
