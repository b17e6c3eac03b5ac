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

/* Reads `[sparse | slot] Name [{ name: kind, ... }]`. */
static kith_result read_type(kith_reader *reader, type_text *type)
{
    static const char *const layouts[] = {"table", "sparse", "slot"};
    *type = (type_text){.layout = KITH_TABLE};
    for (int i = 0; i < 3; i++) {
        if (kith_token_is(reader, layouts[i])) {
            type->layout = (kith_layout)i;
            if (kith_read_token(reader) != KITH_OK) {
                return KITH_ERR_INPUT;
            }
            break;
        }
    }
    kith_result result = kith_read_name(reader, "the name of a type", type->name, NAME_SIZE);
    result = result != KITH_OK ? result : kith_read_token(reader);
    if (result != KITH_OK || !kith_token_is(reader, "{")) {
        return result;
    }
    do {
        result = kith_read_token(reader);
        result = result != KITH_OK ? result : read_field(reader, type);
    } while (result == KITH_OK && kith_token_is(reader, ","));
    return result != KITH_OK ? result : read_mark(reader, "}");
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
                                       .layout = type.layout};
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
