#include "types.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/must.h"

#define FIELDS_MAX 64
#define NAME_SIZE 128

/* A type while it is read. */
typedef struct type_text {
    char name[NAME_SIZE];
    kith_layout layout;
    uint32_t relation;
    kith_field fields[FIELDS_MAX];
    char names[FIELDS_MAX][NAME_SIZE];
    uint32_t count;
} type_text;

/* The text of a file, to be freed. */
static char *read_file(const char *path, size_t *length)
{
    size_t capacity = 4096;
    char *text = must_make(malloc(capacity));
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail("%s: %s", path, strerror(errno));
    }
    *length = 0;
    for (size_t count; (count = fread(text + *length, 1, capacity - *length, file)) != 0;) {
        *length += count;
        if (*length == capacity) {
            capacity *= 2;
            text = must_make(realloc(text, capacity));
        }
    }
    if (ferror(file) != 0) {
        fail("%s: %s", path, strerror(errno));
    }
    fclose(file);
    return text;
}

/* Reads a kind, f32 or char[16]. */
static kith_result read_kind(kith_reader *reader, kith_field *field)
{
    char word[NAME_SIZE];
    if (kith_read_name(reader, "a kind", word, sizeof word) != KITH_OK) {
        return KITH_ERR_INPUT;
    }
    char *bracket = strchr(word, '[');
    unsigned long count = bracket == NULL ? 1 : strtoul(bracket + 1, NULL, 10);
    if (bracket != NULL) {
        *bracket = '\0';
    }
    kith_hint hint = {.word = word, .length = strlen(word)};
    for (kith_kind kind = KITH_BYTES; kind < KITH_OPAQUE; kind++) {
        if (kind != KITH_PADDING && strcmp(kith_kind_name(kind), word) == 0 && count != 0 &&
            count <= 65536) {
            field->kind = kind;
            field->size = (uint32_t)count * kith_kind_size(kind);
            return kith_read_token(reader);
        }
        if (kind != KITH_PADDING) {
            kith_hint_offer(&hint, kith_kind_name(kind));
        }
    }
    return kith_read_expected(reader, "a kind%s, or up to 65536 of one, as in char[16]",
                              kith_hint_text(&hint).text);
}

static kith_result read_mark(kith_reader *reader, const char *mark)
{
    return kith_token_is(reader, mark) ? kith_read_token(reader)
                                       : kith_read_expected(reader, "\"%s\"", mark);
}

/* Reads `name: kind`. */
static kith_result read_field(kith_reader *reader, type_text *type)
{
    if (type->count == FIELDS_MAX) {
        return kith_read_expected(reader, "at most %d fields", FIELDS_MAX);
    }
    char *name = type->names[type->count];
    kith_field *field = &type->fields[type->count++];
    *field = (kith_field){.name = name};
    kith_result result = kith_read_name(reader, "the name of a field", name, NAME_SIZE);
    result = result != KITH_OK ? result : kith_read_token(reader);
    result = result != KITH_OK ? result : read_mark(reader, ":");
    return result != KITH_OK ? result : read_kind(reader, field);
}

/* The words before the name of a type. */
typedef enum word_group {
    WORD_NONE,
    WORD_LAYOUT,
    WORD_RELATION,
    WORD_RULE,
    WORD_ACYCLIC
} word_group;

typedef struct type_word {
    const char *name;
    word_group group;
    uint32_t value;
} type_word;

static const type_word type_words[] = {
    {"table", WORD_LAYOUT, KITH_TABLE},       {"sparse", WORD_LAYOUT, KITH_SPARSE},
    {"slot", WORD_LAYOUT, KITH_SLOT},         {"relation", WORD_RELATION, 0},
    {"links", WORD_RELATION, KITH_MANY},      {"cascade", WORD_RULE, KITH_CASCADE},
    {"clear", WORD_RULE, KITH_CLEAR},         {"refuse", WORD_RULE, KITH_REFUSE},
    {"acyclic", WORD_ACYCLIC, KITH_ACYCLIC},
};
enum { TYPE_WORDS = sizeof type_words / sizeof *type_words };

/* The one that the last token is; NULL: it is none. */
static const type_word *find_word(const kith_reader *reader)
{
    for (int i = 0; i < TYPE_WORDS; i++) {
        if (kith_token_is(reader, type_words[i].name)) {
            return &type_words[i];
        }
    }
    return NULL;
}

/* Reads `[table | sparse | slot] [(relation | links) [cascade | clear | refuse] [acyclic]]`. */
static kith_result read_words(kith_reader *reader, type_text *type)
{
    word_group last = WORD_NONE;
    bool ruled = false;
    bool related = false;
    for (const type_word *word; (word = find_word(reader)) != NULL; last = word->group) {
        related = related || word->group == WORD_RELATION;
        if (word->group <= last || (word->group > WORD_RELATION && !related)) {
            return kith_read_expected(reader, "table, sparse or slot, then relation or links, then"
                                              " its rules, each once");
        }
        ruled = ruled || word->group == WORD_RULE;
        if (word->group == WORD_LAYOUT) {
            type->layout = (kith_layout)word->value;
        } else {
            type->relation |= word->value;
        }
        if (kith_read_token(reader) != KITH_OK) {
            return KITH_ERR_INPUT;
        }
    }
    type->relation |= related && !ruled ? KITH_CLEAR : 0;
    return KITH_OK;
}

/* Reads the name of a type, which no other name in its line comes after. */
static kith_result read_type_name(kith_reader *reader, type_text *type)
{
    kith_result result = kith_read_name(reader, "the name of a type", type->name, NAME_SIZE);
    kith_reader after = *reader;
    result = result != KITH_OK ? result : kith_read_token(&after);
    if (result == KITH_OK && !after.token.first &&
        (after.token.kind == KITH_TOKEN_WORD || after.token.kind == KITH_TOKEN_TEXT)) {
        kith_hint hint = {.word = type->name, .length = strlen(type->name)};
        for (int i = 0; i < TYPE_WORDS; i++) {
            kith_hint_offer(&hint, type_words[i].name);
        }
        return kith_read_expected(reader, "a layout or a relation%s, or a line with a name only",
                                  kith_hint_text(&hint).text);
    }
    *reader = after;
    return result;
}

/* Reads `[words] Name [{ name: kind, ... }]`. */
static kith_result read_type(kith_reader *reader, type_text *type)
{
    *type = (type_text){.layout = KITH_TABLE};
    kith_result result = read_words(reader, type);
    result = result != KITH_OK ? result : read_type_name(reader, type);
    if (result != KITH_OK || !kith_token_is(reader, "{")) {
        return result;
    }
    do {
        result = kith_read_token(reader);
        result = result != KITH_OK ? result : read_field(reader, type);
    } while (result == KITH_OK && kith_token_is(reader, ","));
    return result != KITH_OK ? result : read_mark(reader, "}");
}

void print_type_words(kith_layout layout, const kith_type *type)
{
    for (int i = 0; i < TYPE_WORDS; i++) {
        const type_word *word = &type_words[i];
        const bool shown =
            word->group == WORD_LAYOUT     ? word->value == layout && layout != KITH_TABLE
            : word->group == WORD_RELATION ? type->relation != 0 &&
                                                 word->value == (type->relation & KITH_MANY)
                                           : (type->relation & word->value) != 0;
        if (shown) {
            printf("%s ", word->name);
        }
    }
}

void load_types(kith_world *world, const char *path)
{
    static type_text type;
    size_t length;
    char *text = read_file(path, &length);
    kith_text_error error = {.line = 0};
    kith_reader reader = {.text = text, .length = length, .error = &error};
    kith_result result = kith_read_token(&reader);
    while (result == KITH_OK && reader.token.kind != KITH_TOKEN_END) {
        kith_token start = reader.token;
        result = read_type(&reader, &type);
        if (result == KITH_OK) {
            const kith_type_def def = {.name = type.name,
                                       .fields = type.fields,
                                       .field_count = type.count,
                                       .layout = type.layout,
                                       .relation = type.relation};
            result = kith_define(world, &def, NULL);
            if (result != KITH_OK && result != KITH_ERR_MEMORY) {
                result = kith_read_fail(&reader, start.start, "%s", kith_error(world));
            }
        }
    }
    if (result == KITH_ERR_INPUT) {
        fail("%s:%" PRIu32 ":%" PRIu32 ": %s", path, error.line, error.column, error.message);
    }
    must(world, result);
    free(text);
}
