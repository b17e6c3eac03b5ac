#include "commands.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/must.h"
#include "types.h"

enum { PAGE_LINES = 5000 }; /* of all that is left */

/* ---- Queries --------------------------------------------------------------------------------- */

static void show(console *c, const text_table_view *view)
{
    if (c->is_drawn && c->format == KITH_SELECT_TEXT) {
        answer_draw(&c->answer, view);
    } else {
        answer_print(&c->answer, c->format);
    }
}

bool console_ask(console *c, const char *query)
{
    if (!answer_ask(&c->answer, c->subject.world, query, c->view.width)) {
        return false;
    }
    show(c, &c->view);
    return true;
}

/* `explain` and `analyze` are words before a query. */
static bool ask_after(console *c, const char *words, const char *query)
{
    size_t size = strlen(words) + strlen(query) + 1;
    char *text = must_make(malloc(size));
    snprintf(text, size, "%s%s", words, query);
    bool right = console_ask(c, text);
    free(text);
    return right;
}

static bool run_explain(console *c, const char *argument)
{
    return ask_after(c, "explain ", argument);
}

static bool run_analyze(console *c, const char *argument)
{
    return ask_after(c, "explain analyze ", argument);
}

static bool has_rest(const console *c)
{
    if (answer_rest(&c->answer) == 0) {
        fputs("there are no more rows\n", stderr);
        return false;
    }
    return true;
}

static bool run_more(console *c, const char *argument)
{
    (void)argument;
    if (!has_rest(c)) {
        return false;
    }
    show(c, &c->view);
    return true;
}

static bool run_all(console *c, const char *argument)
{
    text_table_view view = c->view;
    (void)argument;
    view.lines = PAGE_LINES;
    if (!has_rest(c)) {
        return false;
    }
    while (answer_rest(&c->answer) > 0) {
        show(c, &view);
    }
    return true;
}

/* ---- What there is --------------------------------------------------------------------------- */

/* A type as a file of types has it, and how many there are. */
static void print_type(const kith_world *world, const kith_type *type)
{
    kith_component_stats stats;
    must(world, kith_component_memory(world, type, &stats));
    print_type_words(stats.layout, type);
    printf("%s", type->name);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        const uint32_t size = kith_kind_size(field->kind);
        printf("%s%s: %s", i == 0 ? " { " : ", ", field->name, kith_kind_name(field->kind));
        if (field->size > size) {
            printf("[%" PRIu32 "]", field->size / size);
        }
    }
    printf("%s   # %" PRIu32 "\n", type->field_count > 0 ? " }" : "", stats.entities);
}

static bool run_types(console *c, const char *argument)
{
    const kith_world *world = c->subject.world;
    const kith_type *type;
    if (*argument != '\0') {
        type = kith_type_find(world, argument);
        if (type == NULL) {
            fprintf(stderr, "there is no component \"%s\"\n", argument);
            return false;
        }
        print_type(world, type);
        return true;
    }
    for (uint32_t i = 0; (type = kith_type_at(world, i)) != NULL; i++) {
        print_type(world, type);
    }
    return true;
}

static bool run_index(console *c, const char *argument)
{
    return index_list_add(&c->indexes, c->subject.world, argument, c->view.width);
}

static bool run_indexes(console *c, const char *argument)
{
    (void)argument;
    index_list_print(&c->indexes);
    return true;
}

/* The entity that is alive and called 2, 2v1 or Entity(2v1). */
static bool find_entity(const kith_world *world, const char *name, kith_entity *entity)
{
    char text[64];
    snprintf(text, sizeof text, strchr(name, '(') != NULL ? "%s" : "Entity(%s)", name);
    if (kith_entity_from_text(text, entity) == KITH_OK) {
        return kith_alive(world, *entity);
    }
    snprintf(text, sizeof text, "Entity(%sv", name);
    *entity = KITH_NONE;
    while (!kith_is_none(*entity = kith_entity_next(world, *entity))) {
        if (strncmp(kith_entity_to_text(*entity).text, text, strlen(text)) == 0) {
            return true;
        }
    }
    return false;
}

static bool run_entity(console *c, const char *argument)
{
    const kith_world *world = c->subject.world;
    kith_entity entity;
    size_t length;
    if (!find_entity(world, argument, &entity)) {
        fprintf(stderr, "there is no entity \"%s\"; say 2, 2v1 or Entity(2v1)\n", argument);
        return false;
    }
    must(world, kith_print_entity(world, entity, NULL, 0, &length));
    char *text = must_make(malloc(length + 1));
    must(world, kith_print_entity(world, entity, text, length + 1, NULL));
    printf("%s\n%s", kith_entity_to_text(entity).text, text);
    if (length > 0 && text[length - 1] != '\n') {
        putchar('\n');
    }
    free(text);
    return true;
}

/* ---- The rest -------------------------------------------------------------------------------- */

static bool run_step(console *c, const char *argument)
{
    char *end;
    unsigned long ticks = strtoul(argument, &end, 10);
    if (*argument == '\0') {
        ticks = 1;
    } else if (!isdigit((unsigned char)*argument) || *end != '\0' || ticks > 1000000) {
        fprintf(stderr, "expected a whole number up to 1000000 after step, found \"%s\"\n",
                argument);
        return false;
    }
    subject_step(&c->subject, (uint32_t)ticks);
    printf("tick %" PRIu64 ", %" PRIu32 " entities\n", kith_tick_count(c->subject.world),
           kith_entity_count(c->subject.world));
    return true;
}

static bool run_help(console *c, const char *argument)
{
    (void)c;
    (void)argument;
    command_print_all();
    return true;
}

static bool run_quit(console *c, const char *argument)
{
    (void)argument;
    return c->is_over = true;
}

static const command commands[] = {
    {"explain", COMMAND_QUERY, "QUERY", "how a query finds its entities, and why", run_explain},
    {"analyze", COMMAND_QUERY, "QUERY", "the same, what it met, and in what time", run_analyze},
    {"more", COMMAND_NONE, "", "the next rows; Enter alone does the same", run_more},
    {"all", COMMAND_NONE, "", "all rows that are left", run_all},
    {"types", COMMAND_TYPE, "[NAME]", "the components, as in FILE.types, and how many", run_types},
    {"entity", COMMAND_NUMBER, "N", "one entity: 2, 2v1 or Entity(2v1)", run_entity},
    {"index", COMMAND_INDEX, "KIND FIELDS", "make an index: index hash Team.number", run_index},
    {"indexes", COMMAND_NONE, "", "the indexes that were made", run_indexes},
    {"step", COMMAND_NUMBER, "[N]", "let N ticks go by, or one", run_step},
    {"help", COMMAND_NONE, "", "this", run_help},
    {"quit", COMMAND_NONE, "", "end; Ctrl-D does the same", run_quit},
};

uint32_t command_count(void)
{
    return sizeof commands / sizeof commands[0];
}

const command *command_at(uint32_t number)
{
    return &commands[number];
}

const command *command_find(const char *name, size_t size)
{
    for (uint32_t i = 0; i < command_count(); i++) {
        if (strlen(commands[i].name) == size && strncmp(commands[i].name, name, size) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

void command_print_all(void)
{
    for (uint32_t i = 0; i < command_count(); i++) {
        char form[40];
        snprintf(form, sizeof form, "%s %s", commands[i].name, commands[i].form);
        printf("  %-20s %s\n", form, commands[i].what);
    }
}

/* The line without blanks at its ends, to be freed. */
static char *trim(const char *line)
{
    while (isspace((unsigned char)*line)) {
        line++;
    }
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1])) {
        length--;
    }
    char *text = must_make(malloc(length + 1));
    memcpy(text, line, length);
    text[length] = '\0';
    return text;
}

static bool run_line(console *c, const char *text)
{
    size_t size = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    const command *found = command_find(text, size);
    const char *argument = text + size + strspn(text + size, " \t");
    bool apart = text[size] == '\0' || text[size] == ' ' || text[size] == '\t';
    if (found == NULL || !apart || kith_type_find(c->subject.world, found->name) != NULL) {
        return console_ask(c, text);
    }
    if (found->argument == COMMAND_NONE && *argument != '\0') {
        fprintf(stderr, "expected nothing after %s, found \"%s\"\n", found->name, argument);
        return false;
    }
    return found->run(c, argument);
}

bool console_enter(console *c, const char *line)
{
    char *text = trim(line);
    bool right = true;
    if (*text == '\0' && answer_rest(&c->answer) > 0) {
        run_more(c, "");
    } else if (*text != '\0' && *text != '#') {
        right = run_line(c, text);
    }
    free(text);
    return right;
}
