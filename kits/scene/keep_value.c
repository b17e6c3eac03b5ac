/* Values in a text, and those of the world. */
#include <string.h>

#include "scene/draft_block.h"
#include "scene/keep.h"
#include "scene/scene_tree.h"

static bool is_shown(const kith_field *field)
{
    return field->kind != KITH_PADDING && field->kind != KITH_OPAQUE;
}

bool ki_scene_field_changed(const ki_scene_keep *keep, const kith_field *field, const char *value,
                            const char *expected)
{
    const char *now = value + field->offset;
    const char *before = expected + field->offset;
    if (memcmp(now, before, field->size) != 0) {
        return true;
    }
    uint32_t end = field->kind == KITH_ENTITY ? field->size : 0;
    for (uint32_t at = 0; at < end; at += (uint32_t)sizeof(kith_entity)) {
        kith_entity target;
        memcpy(&target, now + at, sizeof target);
        if (!ki_scene_can_refer(keep->task, target, &target)) {
            return true;
        }
    }
    return false;
}

bool ki_scene_value_changed(const ki_scene_keep *keep, const kith_type *type, const char *value,
                            const char *expected)
{
    bool changed = false;
    for (uint32_t i = 0; !changed && i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        changed = is_shown(field) && ki_scene_field_changed(keep, field, value, expected);
    }
    return changed;
}

/* ---- A value as text --------------------------------------------------------------------------- */

/* Prints a value, and finds its fields in that: one for each of the type, with a NULL `field` if it
 * is not shown. NULL if memory ran out. */
static ki_scene_field *print_fields(ki_scene_keep *keep, const kith_type *type, const char *value)
{
    const char *printed = ki_scene_print(keep, type, value);
    keep->fields.count = 0;
    ki_scene_field *fields = ki_scene_list_add(&keep->task->allocator, &keep->fields,
                                               type->field_count + 1, sizeof *fields);
    if (fields == NULL) {
        keep->failed = true;
        return NULL;
    }
    kith_reader reader = {.text = printed, .length = strlen(printed)};
    ki_scene_field field;
    kith_read_token(&reader);
    kith_read_token(&reader);
    while (ki_scene_next_field(&reader, type, &field)) {
        fields[field.field - type->fields] = field;
    }
    return fields;
}

/* Adds `name = value` for each of the fields that changed; false if there are none. */
static bool add_changed(ki_scene_keep *keep, const kith_type *type, const ki_scene_field *fields,
                        const char *value, const char *expected, const char *before)
{
    bool any = false;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const ki_scene_field *field = &fields[i];
        if (field->field != NULL &&
            (expected == NULL || ki_scene_field_changed(keep, field->field, value, expected))) {
            ki_scene_add_text(keep, any ? ", " : before);
            ki_scene_add_bytes(keep, field->start, (size_t)(field->end - field->start));
            any = true;
        }
    }
    return any;
}

void ki_scene_add_line(ki_scene_keep *keep, const kith_type *type, const char *value,
                       const char *expected)
{
    const char *quote = ki_scene_needs_quotes(type->name) ? "\"" : "";
    ki_scene_add_text(keep, quote);
    ki_scene_add_text(keep, type->name);
    ki_scene_add_text(keep, quote);
    const ki_scene_field *fields = type->size == 0 ? NULL : print_fields(keep, type, value);
    if (fields != NULL && add_changed(keep, type, fields, value, expected, " { ")) {
        ki_scene_add_text(keep, " }");
    }
}

/* ---- A value in a line ------------------------------------------------------------------------- */

void ki_scene_edit_value(ki_scene_keep *keep, const kith_type *type, const char *open,
                         const char *end, const char *value, const char *expected)
{
    ki_scene_field *fields = print_fields(keep, type, value);
    if (fields == NULL) {
        return;
    }
    const char *last = open == NULL ? end : open + 1;
    bool any = false;
    kith_reader reader = ki_scene_reader_at(keep->source, open == NULL ? end : open);
    ki_scene_field field;
    kith_read_token(&reader);
    for (; open != NULL && ki_scene_next_field(&reader, type, &field); any = true) {
        ki_scene_field *now = &fields[field.field - type->fields];
        if (ki_scene_field_changed(keep, field.field, value, expected)) {
            ki_scene_replace(keep, field.value, field.end);
            ki_scene_add_bytes(keep, now->value, (size_t)(now->end - now->value));
        }
        now->field = NULL; /* the line has it */
        last = field.end;
    }
    ki_scene_replace(keep, last, last);
    const char *before = any ? ", " : open != NULL ? " " : " { ";
    if (add_changed(keep, type, fields, value, expected, before) && !any) {
        ki_scene_add_text(keep, open == NULL ? " }" : *last == '}' ? " " : "");
    }
}

/* ---- Names in a line --------------------------------------------------------------------------- */

/* What is meant by a word or a path of the text. */
typedef struct meant_entity {
    uint32_t number;           /* KI_SCENE_NOTHING: nothing that can have another name */
    const ki_scene_name *name; /* of the scene; NULL: it is a node */
} meant_entity;

static meant_entity find_meant(const ki_scene_keep *keep, const char *path, size_t length)
{
    const kith_scene *scene = keep->scene;
    size_t found;
    bool is_resource = ki_scene_block_at(scene, keep->block)->kind == KI_SCENE_RESOURCE;
    uint32_t block = is_resource ? KI_SCENE_NOTHING
                                 : ki_scene_find_node(scene, keep->block, path, length, &found);
    if (block != KI_SCENE_NOTHING) {
        return (meant_entity){ki_scene_block_at(scene, block)->entity, NULL};
    }
    uint32_t number = ki_scene_names_find(&scene->names, path, length);
    const ki_scene_name *name = ki_scene_names_at(&scene->names, number);
    return (meant_entity){name->stands_for, name};
}

/* What an entity of the text is called now; NULL if nothing is called so. */
static const char *name_of_now(ki_scene_keep *keep, const meant_entity *meant)
{
    kith_entity entity = ki_scene_handle(keep->scene, meant->number);
    if (kith_is_none(entity)) {
        const char *now = ki_scene_entity_block(keep->scene, meant->number)->name;
        return *now == '\0' ? NULL : now;
    }
    const ki_scene_saved *entry = ki_scene_saved_of(keep->task, entity);
    if (entry != NULL) {
        return ki_scene_saved_path(keep->task, entry);
    }
    if (meant->name == NULL) {
        return NULL;
    }
    entry = ki_scene_saved_of(keep->task, ki_scene_handle(keep->scene, meant->name->owner));
    return entry == NULL ? NULL : meant->name->text;
}

/* Whether what the text says still means what is called `now`: a node may be named from any node on. */
static bool is_same_name(const meant_entity *meant, const char *now, const char *path,
                         size_t length)
{
    size_t all = strlen(now);
    if (all == length) {
        return memcmp(now, path, length) == 0;
    }
    return meant->name == NULL && all > length && now[all - length - 1] == '/' &&
           memcmp(now + all - length, path, length) == 0;
}

static kith_result edit_name(ki_scene_keep *keep, const char *path, size_t length,
                             const kith_type *type, const kith_field *field, bool mark)
{
    const kith_scene *scene = keep->scene;
    const meant_entity meant = find_meant(keep, path, length);
    if (meant.number == KI_SCENE_NOTHING) {
        return KITH_OK;
    }
    kith_entity entity = ki_scene_handle(scene, meant.number);
    ki_scene_saved *entry = ki_scene_saved_of(keep->task, entity);
    if (mark && entry != NULL) {
        /* A node that is named as before needs no name for what it is in. */
        if (meant.name != NULL ||
            !is_same_name(&meant, ki_scene_saved_path(keep->task, entry), path, length)) {
            ki_scene_refer(keep->task, entry);
        }
        return KITH_OK;
    }
    if (kith_is_none(entity) && (meant.name == NULL || memchr(path, '/', length) != NULL)) {
        return KITH_OK; /* it was not made, and children keep their names then */
    }
    const char *now = name_of_now(keep, &meant);
    if (now == NULL && !keep->task->def->lose_references) {
        return ki_scene_fail_dead(keep->task, keep->source, type, field->name, path, length);
    }
    now = now == NULL ? "none" : now;
    if (!mark && !is_same_name(&meant, now, path, length)) {
        ki_scene_replace(keep, path, path + length);
        ki_scene_add_text(keep, now);
    }
    return KITH_OK;
}

kith_result ki_scene_edit_names(ki_scene_keep *keep, const ki_scene_line *line, const char *value,
                                const char *expected, bool mark)
{
    kith_result result = KITH_OK;
    if (line->open == NULL) {
        return result;
    }
    kith_reader reader = ki_scene_reader_at(keep->source, line->open);
    ki_scene_field field;
    kith_read_token(&reader);
    while (result == KITH_OK && ki_scene_next_field(&reader, line->type, &field)) {
        bool changed = value != NULL && ki_scene_field_changed(keep, field.field, value, expected);
        if (changed || field.field->kind != KITH_ENTITY) {
            continue;
        }
        kith_reader words = ki_scene_reader_at(keep->source, field.value);
        for (; result == KITH_OK && words.token.start < field.end; kith_read_token(&words)) {
            if (words.token.kind == KITH_TOKEN_WORD && !kith_token_is(&words, "none")) {
                const char *path = words.token.start;
                size_t length = ki_scene_path_length(&words);
                words.next = path + length;
                result = edit_name(keep, path, length, line->type, field.field, mark);
            }
        }
    }
    return result;
}
