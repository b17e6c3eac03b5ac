#include "scene_draft.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_value.h"

/* The longest name that a type can have, and a zero. */
#define NAME_CAPACITY 128
#define MAX_FIELDS 4096

void *scene_list_add(scene_list *list, size_t count, size_t size)
{
    if (count > list->capacity - list->count) {
        size_t capacity = list->capacity * 2 > list->count + count ? list->capacity * 2
                                                                   : list->count + count + 8;
        void *items = capacity <= SIZE_MAX / size ? realloc(list->items, capacity * size) : NULL;
        if (items == NULL) {
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    void *added = (char *)list->items + list->count * size;
    memset(added, 0, count * size);
    list->count += count;
    return added;
}

void scene_draft_free(scene_draft *draft)
{
    free(draft->entities.items);
    free(draft->values.items);
    free(draft->references.items);
    free(draft->bytes.items);
    scene_names_free(&draft->names);
}

static draft_entity *last_entity(scene_draft *draft)
{
    return draft->entities.count > 0
               ? (draft_entity *)draft->entities.items + draft->entities.count - 1
               : NULL;
}

/* ---- Reading: entities ----------------------------------------------------------------------- */

static kith_result add_name(scene_draft *draft, scene_reader *reader)
{
    scene_token token = reader->token;
    const scene_name *before = scene_names_find(&draft->names, token.start, token.length);
    if (token.kind != SCENE_WORD) {
        return scene_expected(reader, "a name or the end of the line behind \"entity\"");
    }
    if (scene_is(token, "none")) {
        return scene_fail(reader, token.start,
                          "expected another name: \"none\" means no entity");
    }
    if (before != NULL) {
        return scene_fail(reader, token.start,
                          "expected another name: \"%.*s\" is taken by the entity in line %" PRIu32,
                          (int)(token.length < 40 ? token.length : 40), token.start, before->line);
    }
    scene_name name = {
        .text = token.start,
        .length = token.length,
        .entity = (uint32_t)draft->entities.count - 1,
        .line = reader->line_number,
    };
    return scene_names_add(&draft->names, name) ? scene_next(reader) : KITH_ERR_MEMORY;
}

/* entity NAME */
static kith_result read_entity_line(scene_draft *draft, scene_reader *reader)
{
    draft_entity *entity = scene_list_add(&draft->entities, 1, sizeof *entity);
    if (entity == NULL) {
        return KITH_ERR_MEMORY;
    }
    entity->first_value = draft->values.count;
    kith_result result = scene_next(reader);
    if (result == KITH_OK && reader->token.kind != SCENE_END) {
        result = add_name(draft, reader);
    }
    return result;
}

/* ---- Reading: components --------------------------------------------------------------------- */

static kith_result unknown_component(const scene_draft *draft, scene_reader *reader)
{
    char known[320] = "";
    size_t length = 0;
    uint32_t count = kith_type_count(draft->world);
    for (uint32_t i = 0; i < count && length < sizeof known; i++) {
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                                   i > 0 ? ", " : "", kith_type_at(draft->world, i)->name);
    }
    return scene_expected(reader, "\"entity\" or a component (there are %s%s)",
                          count > 0 ? known : "none", length < sizeof known ? "" : "...");
}

static const kith_type *find_type(const scene_draft *draft, scene_token token)
{
    char name[NAME_CAPACITY];
    if (token.kind != SCENE_WORD || token.length >= sizeof name) {
        return NULL;
    }
    memcpy(name, token.start, token.length);
    name[token.length] = '\0';
    return kith_type_find(draft->world, name);
}

static kith_result unknown_field(scene_reader *reader, const kith_type *type)
{
    char known[320] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < type->field_count && length < sizeof known; i++) {
        if (type->fields[i].kind != KITH_PADDING) {
            length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                                       length > 0 ? ", " : "", type->fields[i].name);
        }
    }
    return scene_expected(reader, "a field of %s (there are %s%s)%s", type->name, known,
                          length < sizeof known ? "" : "...",
                          reader->token.kind == SCENE_WORD ? "" : " or \"}\"");
}

static const kith_field *find_field(const kith_type *type, scene_token token)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (field->kind != KITH_PADDING && token.kind == SCENE_WORD &&
            scene_is(token, field->name)) {
            return field;
        }
    }
    return NULL;
}

/* name = value */
static kith_result read_field(scene_draft *draft, scene_reader *reader, const draft_value *value,
                              uint8_t *seen)
{
    const kith_type *type = value->type;
    const kith_field *field = find_field(type, reader->token);
    if (field == NULL) {
        return unknown_field(reader, type);
    }
    size_t number = (size_t)(field - type->fields);
    if ((seen[number / 8] & 1u << number % 8) != 0) {
        return scene_fail(reader, reader->token.start,
                          "expected another field: %s.%s has a value already", type->name,
                          field->name);
    }
    seen[number / 8] = (uint8_t)(seen[number / 8] | 1u << number % 8);

    kith_result result = scene_next(reader);
    if (result == KITH_OK && !scene_is(reader->token, "=")) {
        result = scene_expected(reader, "\"=\" and a value behind %s.%s", type->name, field->name);
    }
    if (result == KITH_OK) {
        result = scene_next(reader);
    }
    if (result == KITH_OK) {
        result = scene_read_value(draft, reader, type, field,
                                  (char *)draft->bytes.items + value->byte);
    }
    return result;
}

/* { name = value, ... }, where a comma may stand behind the last. */
static kith_result read_fields(scene_draft *draft, scene_reader *reader, const draft_value *value)
{
    uint8_t seen[MAX_FIELDS / 8] = { 0 };
    kith_result result = scene_next(reader);
    while (result == KITH_OK && !scene_is(reader->token, "}")) {
        result = read_field(draft, reader, value, seen);
        if (result == KITH_OK && !scene_is(reader->token, "}")) {
            result = scene_skip(reader, ",", "\",\" or \"}\"");
        }
    }
    return result == KITH_OK ? scene_next(reader) : result;
}

static kith_result read_braces(scene_draft *draft, scene_reader *reader, draft_value *value)
{
    const kith_type *type = value->type;
    if (type->size == 0) {
        kith_result result = scene_next(reader);
        return result != KITH_OK ? result
                                 : scene_skip(reader, "}", "\"}\", for a tag has no fields");
    }
    value->zero = false;
    value->byte = draft->bytes.count;
    if (scene_list_add(&draft->bytes, type->size, 1) == NULL) {
        return KITH_ERR_MEMORY;
    }
    return read_fields(draft, reader, value);
}

static const draft_value *find_value(const scene_draft *draft, const draft_entity *entity,
                                     const kith_type *type)
{
    const draft_value *values = draft->values.items;
    for (uint32_t i = 0; i < entity->value_count; i++) {
        if (values[entity->first_value + i].type == type) {
            return &values[entity->first_value + i];
        }
    }
    return NULL;
}

/* Component { ... } */
static kith_result read_component_line(scene_draft *draft, scene_reader *reader)
{
    draft_entity *entity = last_entity(draft);
    const kith_type *type = find_type(draft, reader->token);
    if (entity == NULL) {
        return scene_expected(reader, "\"entity\" before the first component");
    }
    if (type == NULL) {
        return unknown_component(draft, reader);
    }
    const draft_value *before = find_value(draft, entity, type);
    if (before != NULL) {
        return scene_fail(reader, reader->token.start,
                          "expected another component: the entity has %s from line %" PRIu32,
                          type->name, before->line);
    }
    draft_value *value = scene_list_add(&draft->values, 1, sizeof *value);
    if (value == NULL) {
        return KITH_ERR_MEMORY;
    }
    *value = (draft_value){ .type = type, .zero = true, .line = reader->line_number };
    entity->value_count++;

    kith_result result = scene_next(reader);
    if (result == KITH_OK && scene_is(reader->token, "{")) {
        result = read_braces(draft, reader, value);
        if (result == KITH_OK && reader->token.kind != SCENE_END) {
            result = scene_expected(reader, "the end of the line behind \"}\"");
        }
    } else if (result == KITH_OK && reader->token.kind != SCENE_END) {
        result = scene_expected(reader, "\"{\" or the end of the line behind %s", type->name);
    }
    return result;
}

static kith_result read_line(scene_draft *draft, scene_reader *reader)
{
    kith_result result = scene_next(reader);
    if (result != KITH_OK || reader->token.kind == SCENE_END) {
        return result;
    }
    if (!scene_is(reader->token, "entity")) {
        return read_component_line(draft, reader);
    }
    result = read_entity_line(draft, reader);
    if (result == KITH_OK && reader->token.kind != SCENE_END) {
        result = scene_expected(reader, "the end of the line behind the entity's name");
    }
    return result;
}

/* Every name that stands for an entity must be one's; only at the end are all of them known. */
static kith_result check_references(const scene_draft *draft, scene_error *error)
{
    const draft_reference *references = draft->references.items;
    for (size_t i = 0; i < draft->references.count; i++) {
        const draft_reference *reference = &references[i];
        scene_token name = reference->name;
        if (scene_names_find(&draft->names, name.start, name.length) == NULL) {
            error->line = reference->line;
            error->column = reference->column;
            snprintf(error->message, sizeof error->message,
                     "expected the name of an entity of this scene for %s.%s, found \"%.*s%s\"",
                     reference->type->name, reference->field->name,
                     (int)(name.length < 40 ? name.length : 40), name.start,
                     name.length < 40 ? "" : "...");
            return KITH_ERR_INPUT;
        }
    }
    return KITH_OK;
}

kith_result scene_draft_read(scene_draft *draft, const char *text, size_t length,
                             scene_error *error)
{
    scene_reader reader = scene_read(text, length, error);
    bool more;
    kith_result result = scene_next_line(&reader, &more);
    while (result == KITH_OK && more) {
        result = read_line(draft, &reader);
        if (result == KITH_OK) {
            result = scene_next_line(&reader, &more);
        }
    }
    return result == KITH_OK ? check_references(draft, error) : result;
}
