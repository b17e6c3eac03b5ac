#include "index_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mistake.h"
#include "support/must.h"

static const char *const kinds[] = {
    [KITH_INDEX_HASH] = "hash",
    [KITH_INDEX_SPATIAL] = "spatial",
    [KITH_INDEX_ORDERED] = "ordered",
    [KITH_INDEX_FILTER] = "filter",
};

/* What is read of a text. */
typedef struct index_text {
    kith_world *world;
    kith_index_def def;
    char fields[KITH_INDEX_FIELDS][128];
    uint32_t count;
} index_text;

static kith_result read_kind(kith_reader *reader, kith_index_def *def)
{
    for (uint32_t kind = KITH_INDEX_HASH; kind <= KITH_INDEX_FILTER; kind++) {
        if (kith_token_is(reader, kinds[kind])) {
            def->kind = (kith_index_kind)kind;
            return kith_read_token(reader);
        }
    }
    return kith_read_expected(reader, "hash, ordered, filter or spatial");
}

/* The component is the longest that there is up to a point: both names may have points in them. */
static const char *split(const kith_world *world, char *name, const kith_type **type)
{
    for (char *point = name + strlen(name); point > name; point--) {
        if (*point == '.') {
            *point = '\0';
            *type = kith_type_find(world, name);
            if (*type != NULL) {
                return point + 1;
            }
            *point = '.';
        }
    }
    return NULL;
}

static kith_result read_field(kith_reader *reader, index_text *text)
{
    char name[256];
    const kith_type *type;
    if (text->count == KITH_INDEX_FIELDS) {
        return kith_read_expected(reader, "at most %d fields", KITH_INDEX_FIELDS);
    }
    if (kith_read_name(reader, "a field of a component", name, sizeof name) != KITH_OK) {
        return KITH_ERR_INPUT;
    }
    const char *field = split(text->world, name, &type);
    if (field == NULL || kith_field_find(type, field) == NULL) {
        return kith_read_expected(reader, "a field of a component");
    }
    if (text->count > 0 && type != text->def.type) {
        return kith_read_expected(reader, "another field of %s", text->def.type->name);
    }
    text->def.type = type;
    snprintf(text->fields[text->count], sizeof text->fields[0], "%s", field);
    text->def.fields[text->count] = text->fields[text->count];
    text->count++;
    return kith_read_token(reader);
}

static kith_result read_index(kith_reader *reader, index_text *text)
{
    kith_result result = kith_read_token(reader);
    result = result != KITH_OK ? result : read_kind(reader, &text->def);
    result = result != KITH_OK ? result : read_field(reader, text);
    while (result == KITH_OK && kith_token_is(reader, ",")) {
        result = kith_read_token(reader);
        result = result != KITH_OK ? result : read_field(reader, text);
    }
    return result == KITH_OK && reader->token.kind != KITH_TOKEN_END
               ? kith_read_expected(reader, "\",\", or the end")
               : result;
}

static void name_index(const index_text *text, char *name, size_t size)
{
    size_t length = (size_t)snprintf(name, size, "%s ", kinds[text->def.kind]);
    for (uint32_t i = 0; i < text->count && length < size; i++) {
        length += (size_t)snprintf(name + length, size - length, "%s%s.%s", i == 0 ? "" : ", ",
                                   text->def.type->name, text->fields[i]);
    }
}

bool index_list_add(index_list *list, kith_world *world, const char *text, int width)
{
    kith_text_error error;
    index_text made = {.world = world};
    kith_reader reader = {.text = text, .length = strlen(text), .error = &error, .world = world};
    if (list->count == INDEX_LIST_MOST) {
        fprintf(stderr, "there are %d indexes already\n", INDEX_LIST_MOST);
        return false;
    }
    if (read_index(&reader, &made) != KITH_OK) {
        mistake_print(text, &error, width);
        return false;
    }
    kith_result result = kith_index_new(world, &made.def, &list->items[list->count].index);
    if (result == KITH_ERR_INPUT) {
        fprintf(stderr, "%s\n", kith_error(world));
        return false;
    }
    must(world, result);
    name_index(&made, list->items[list->count].name, sizeof list->items[0].name);
    list->count++;
    return true;
}

void index_list_print(const index_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const kith_index_counts counts = kith_index_stats(list->items[i].index);
        printf("%s: %" PRIu32 " entities, %" PRIu64 " bytes, brought up to date %" PRIu64
               " times\n",
               list->items[i].name, counts.entries, counts.bytes, counts.refreshes);
    }
    if (list->count == 0) {
        puts("there is no index; \"index hash Team.number\" makes one");
    }
}
