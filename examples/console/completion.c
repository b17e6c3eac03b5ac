#include "completion.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "support/must.h"

/* ---- Where the cursor is --------------------------------------------------------------------- */

/* A clause of a query, or what follows a command's name. */
typedef enum clause {
    CLAUSE_START = 1, /* the line begins */
    CLAUSE_TERMS = 2,
    CLAUSE_WHERE = 4,
    CLAUSE_GROUP = 8,
    CLAUSE_SELECT = 16,
    CLAUSE_ORDER = 32,
    CLAUSE_GROUP_BY = 64, /* after "group" or "order", which go on with "by" */
    CLAUSE_ORDER_BY = 128,
    CLAUSE_TYPE = 256,  /* after "types" */
    CLAUSE_INDEX = 512, /* after "index": a kind, and fields */
    CLAUSE_NONE = 1024  /* where nothing is known */
} clause;

#define CLAUSES_TERM (CLAUSE_START | CLAUSE_TERMS)
#define CLAUSES_OUTPUT (CLAUSE_SELECT | CLAUSE_ORDER)
#define CLAUSES_FIELD (CLAUSE_WHERE | CLAUSE_GROUP | CLAUSES_OUTPUT | CLAUSE_INDEX)
#define CLAUSES_NAME (CLAUSES_TERM | CLAUSES_FIELD | CLAUSE_TYPE)
#define CLAUSES_OF_QUERY (CLAUSE_TERMS | CLAUSE_WHERE | CLAUSE_GROUP | CLAUSES_OUTPUT)

/* What is before the cursor. */
typedef struct place {
    clause clause;
    bool follows;   /* a name or a value is before it, and none can come */
    bool component; /* in brackets in which components are named, not fields */
    bool quoted;
    size_t start; /* of the word that ends at the cursor */
} place;

static bool is_word_byte(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || byte == '.' || byte == ':';
}

static bool is_word(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && strncmp(text, word, size) == 0;
}

static bool is_one_of(const char *text, size_t size, const char *const *words)
{
    while (*words != NULL && !is_word(text, size, *words)) {
        words++;
    }
    return *words != NULL;
}

/* The clause that a line goes on with after its first word. */
static clause clause_after_first(const char *text, size_t size)
{
    const command *found = command_find(text, size);
    if (found == NULL) {
        return CLAUSE_TERMS;
    }
    switch (found->argument) {
    case COMMAND_QUERY: return CLAUSE_TERMS;
    case COMMAND_TYPE: return CLAUSE_TYPE;
    case COMMAND_INDEX: return CLAUSE_INDEX;
    case COMMAND_NONE:
    case COMMAND_NUMBER: break;
    }
    return CLAUSE_NONE;
}

/* The clause that a query goes on with after a word. */
static clause clause_after(clause now, const char *text, size_t size)
{
    static const struct {
        const char *word;
        clause clause;
    } words[] = {{"where", CLAUSE_WHERE},
                 {"group", CLAUSE_GROUP_BY},
                 {"order", CLAUSE_ORDER_BY},
                 {"select", CLAUSE_SELECT},
                 {"limit", CLAUSE_NONE}};
    if (now == CLAUSE_GROUP_BY || now == CLAUSE_ORDER_BY) {
        return now == CLAUSE_GROUP_BY ? CLAUSE_GROUP : CLAUSE_ORDER;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if ((now & CLAUSES_OF_QUERY) != 0 && is_word(text, size, words[i].word)) {
            return words[i].clause;
        }
    }
    return now;
}

/* Takes a whole word before the cursor into account. */
static void pass_word(place *at, const char *text, size_t size)
{
    static const char *const before_names[] = {"where", "and",     "or",      "not",     "by",
                                               "with",  "write",   "select",  "group",   "order",
                                               "hash",  "ordered", "filter",  "spatial", "analyze",
                                               NULL};
    const bool is_first = at->clause == CLAUSE_START;
    at->clause = is_first ? clause_after_first(text, size) : clause_after(at->clause, text, size);
    at->follows =
        !is_one_of(text, size, before_names) && !(is_first && command_find(text, size) != NULL);
}

/* Whether the word before a bracket takes components. */
static bool takes_components(const char *line, const char *bracket)
{
    static const char *const words[] = {"has", "within", "distance", "any", "changed", NULL};
    const char *end = bracket;
    while (end > line && end[-1] == ' ') {
        end--;
    }
    const char *start = end;
    while (start > line && is_word_byte(start[-1])) {
        start--;
    }
    return is_one_of(start, (size_t)(end - start), words);
}

static void pass_mark(place *at, const char *line, const char *mark)
{
    at->follows = *mark == ')' || *mark == ']' || *mark == '*';
    at->clause = at->clause == CLAUSE_START ? CLAUSE_TERMS : at->clause;
    if (*mark == '(') {
        at->component = takes_components(line, mark);
    } else if (*mark == ')') {
        at->component = false;
    }
}

/* Reads the line up to the cursor. What is wrong in it counts as something. */
static place place_of(const char *line, size_t cursor)
{
    place at = {.clause = CLAUSE_START};
    size_t i = 0;
    while (i < cursor) {
        char byte = line[i];
        if (byte == '"' || byte == '\'') {
            for (i++; i < cursor && line[i] != byte; i++) {
                i += line[i] == '\\';
            }
            at.quoted = i >= cursor;
            at.follows = true;
            at.clause = at.clause == CLAUSE_START ? CLAUSE_TERMS : at.clause;
            i++;
        } else if (is_word_byte(byte)) {
            size_t start = i;
            while (i < cursor && is_word_byte(line[i])) {
                i++;
            }
            if (i == cursor) {
                at.start = start;
                return at;
            }
            pass_word(&at, line + start, i - start);
        } else {
            if (byte == '#') { /* the rest is a comment */
                at.quoted = true;
            }
            if (byte != ' ') {
                pass_mark(&at, line, line + i);
            }
            i++;
        }
    }
    at.start = cursor;
    return at;
}

/* ---- What could be there --------------------------------------------------------------------- */

static const struct {
    const char *word;
    unsigned clauses;
    bool follows; /* it comes after a name or a value, not in place of one */
} keywords[] = {
    {"with ", CLAUSES_TERM, false},
    {"write ", CLAUSES_TERM, false},
    {"any(", CLAUSES_TERM, false},
    {"changed(", CLAUSES_TERM, false},
    {"not ", CLAUSE_WHERE, false},
    {"has(", CLAUSE_WHERE, false},
    {"within(", CLAUSE_WHERE, false},
    {"true", CLAUSE_WHERE, false},
    {"false", CLAUSE_WHERE, false},
    {"none", CLAUSE_WHERE, false},
    {"and ", CLAUSE_WHERE, true},
    {"or ", CLAUSE_WHERE, true},
    {"between ", CLAUSE_WHERE, true},
    {"in (", CLAUSE_WHERE, true},
    {"prefix ", CLAUSE_WHERE, true},
    {"contains ", CLAUSE_WHERE, true},
    {"by ", CLAUSE_GROUP_BY | CLAUSE_ORDER_BY, false},
    {"entity", CLAUSES_OUTPUT, false},
    {"count", CLAUSES_OUTPUT, false},
    {"sum(", CLAUSES_OUTPUT, false},
    {"min(", CLAUSES_OUTPUT, false},
    {"max(", CLAUSES_OUTPUT, false},
    {"avg(", CLAUSES_OUTPUT, false},
    {"distance(", CLAUSE_ORDER, false},
    {"desc", CLAUSE_ORDER, true},
    {"where ", CLAUSE_TERMS, true},
    {"group by ", CLAUSE_TERMS | CLAUSE_WHERE, true},
    {"select ", CLAUSE_TERMS | CLAUSE_WHERE | CLAUSE_GROUP, true},
    {"order by ", CLAUSE_TERMS | CLAUSE_WHERE | CLAUSE_GROUP | CLAUSE_SELECT, true},
    {"limit ", CLAUSE_TERMS | CLAUSE_WHERE | CLAUSE_GROUP | CLAUSES_OUTPUT, true},
    {"hash ", CLAUSE_INDEX, false},
    {"ordered ", CLAUSE_INDEX, false},
    {"filter ", CLAUSE_INDEX, false},
    {"spatial ", CLAUSE_INDEX, false},
};

/* What is looked for. */
typedef struct wanted {
    completion *found;
    const char *word;
    size_t size;
    bool any_case;
} wanted;

static bool begins(const wanted *w, const char *choice)
{
    for (size_t i = 0; i < w->size; i++) {
        bool same = w->any_case
                        ? tolower((unsigned char)choice[i]) == tolower((unsigned char)w->word[i])
                        : choice[i] == w->word[i];
        if (!same) { /* so it is where the choice ends */
            return false;
        }
    }
    return true;
}

/* A choice of three parts, if it begins as the word does. */
static void offer(const wanted *w, const char *first, const char *middle, const char *last)
{
    char choice[600];
    snprintf(choice, sizeof choice, "%s%s%s", first, middle, last);
    if (!begins(w, choice)) {
        return;
    }
    completion *c = w->found;
    if (c->count == c->capacity) {
        c->capacity = c->capacity == 0 ? 16 : 2 * c->capacity;
        c->choices = must_make(realloc(c->choices, c->capacity * sizeof *c->choices));
    }
    size_t size = strlen(choice) + 1;
    c->choices[c->count++] = memcpy(must_make(malloc(size)), choice, size);
}

/* Fields, once the word names the component; before that, components. Where a field is due, a
 * component has a point after it. */
static void offer_names(const wanted *w, const kith_world *world, const place *at)
{
    const bool field = (at->clause & CLAUSES_FIELD) != 0 && !at->component;
    const kith_type *type;
    for (uint32_t i = 0; (type = kith_type_at(world, i)) != NULL; i++) {
        size_t length = strlen(type->name);
        bool inside = field && w->size > length && w->word[length] == '.';
        for (uint32_t k = 0; k < (inside ? type->field_count : 0); k++) {
            offer(w, type->name, ".", type->fields[k].name);
        }
        if (!inside && !(field && type->field_count == 0)) {
            offer(w, type->name, field ? "." : "", "");
        }
    }
}

static void offer_all(const wanted *w, const kith_world *world, const place *at)
{
    if (at->clause == CLAUSE_START) {
        for (uint32_t i = 0; i < command_count(); i++) {
            const command *c = command_at(i);
            offer(w, c->name, c->argument == COMMAND_NONE ? "" : " ", "");
        }
    }
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if ((keywords[i].clauses & (unsigned)at->clause) != 0 &&
            keywords[i].follows == at->follows) {
            offer(w, keywords[i].word, "", "");
        }
    }
    if ((at->clause & CLAUSES_NAME) != 0 && !at->follows) {
        offer_names(w, world, at);
    }
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

completion completion_find(const kith_world *world, const char *text, size_t cursor)
{
    completion c = {0};
    const place at = place_of(text, cursor);
    wanted w = {.found = &c, .word = text + at.start, .size = cursor - at.start};
    c.start = at.start;
    if (at.quoted) {
        return c;
    }
    offer_all(&w, world, &at);
    if (c.count == 0) {
        w.any_case = true;
        offer_all(&w, world, &at);
    }
    if (c.count > 0) {
        qsort(c.choices, c.count, sizeof *c.choices, compare);
        const char *first = c.choices[0];
        const char *last = c.choices[c.count - 1];
        while (first[c.common] != '\0' && first[c.common] == last[c.common]) {
            c.common++;
        }
    }
    return c;
}

void completion_free(completion *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        free(c->choices[i]);
    }
    free(c->choices);
    *c = (completion){0};
}
