/* Prefabs of other scenes. */
#include "scene/import.h"

#include <stdio.h>
#include <string.h>

#include "scene/draft_block.h"
#include "scene/source.h"

/* ---- Copies ---------------------------------------------------------------------------------- */

/* The number of the name that an entity of another scene has here: "boss from cave". */
static kith_result name_outside(kith_scene *scene, const kith_scene *other, uint32_t name,
                                const char *library, uint32_t *number)
{
    const ki_scene_name *of = ki_scene_names_at(&other->names, name);
    size_t size = of->length + sizeof " from " + strlen(library);
    char *key = ki_scene_arena_alloc(&scene->arena, size);
    if (key == NULL) {
        return KITH_ERR_MEMORY;
    }
    snprintf(key, size, "%s from %s", of->text, library);
    *number = ki_scene_names_find(&scene->names, key, size - 1);
    if (*number == KI_SCENE_NOTHING) {
        *number = ki_scene_names_add(&scene->names, &scene->arena, key, size - 1);
    }
    if (*number == KI_SCENE_NOTHING) {
        return KITH_ERR_MEMORY;
    }
    ki_scene_name *added = ki_scene_names_at(&scene->names, *number);
    added->outside =
        of->stands_for == KI_SCENE_OUTSIDE ? of->outside : ki_scene_handle(other, of->stands_for);
    added->stands_for = KI_SCENE_OUTSIDE;
    return KITH_OK;
}

/* Gives the entities in a copied value the numbers of their names here. */
static kith_result rename_entities(kith_scene *scene, const kith_scene *other,
                                   const kith_type *type, const char *library, char *bytes)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        uint32_t end = field->kind == KITH_ENTITY ? field->size : 0;
        for (uint32_t at = 0; at < end; at += (uint32_t)sizeof(kith_entity)) {
            kith_entity entity;
            uint32_t number;
            memcpy(&entity, bytes + field->offset + at, sizeof entity);
            if (entity.index1 == 0 || entity.generation == KI_SCENE_BY_NODE) {
                continue;
            }
            if (name_outside(scene, other, entity.index1 - 1, library, &number) != KITH_OK) {
                return KITH_ERR_MEMORY;
            }
            entity.index1 = number + 1;
            memcpy(bytes + field->offset + at, &entity, sizeof entity);
        }
    }
    return KITH_OK;
}

/* Gives the texts in a copied value the numbers that they have while a scene is read. */
static kith_result keep_texts(ki_scene_draft *draft, const kith_type *type, char *bytes)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        uint32_t end = field->kind == KITH_TEXT ? field->size : 0;
        for (uint32_t at = 0; at < end; at += (uint32_t)sizeof(kith_text)) {
            kith_text text;
            size_t length = 0;
            memcpy(&text, bytes + field->offset + at, sizeof text);
            const char *said = kith_text_get(draft->scene->world, text, &length);
            if (ki_scene_texts_keep(&draft->texts, said, length, &text) != KITH_OK) {
                return KITH_ERR_MEMORY;
            }
            memcpy(bytes + field->offset + at, &text, sizeof text);
        }
    }
    return ki_scene_texts_note(&draft->texts, type, bytes);
}

static kith_result copy_value(kith_scene *scene, ki_scene_draft *draft, const kith_scene *other,
                              const char *library, ki_scene_value *value)
{
    const kith_type *type = value->type;
    if (value->bytes == NULL) {
        return KITH_OK;
    }
    char *bytes = ki_scene_arena_alloc(&scene->arena, type->size);
    if (bytes == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(bytes, value->bytes, type->size);
    value->bytes = bytes;
    kith_result result =
        value->refers ? rename_entities(scene, other, type, library, bytes) : KITH_OK;
    return result == KITH_OK && draft != NULL ? keep_texts(draft, type, bytes) : result;
}

/* Adds a block with copies of the values of another one. */
static kith_result copy_block(kith_scene *scene, ki_scene_draft *draft, const kith_scene *other,
                              uint32_t original, const char *library, uint32_t *number)
{
    const kith_allocator *allocator = &scene->arena.allocator;
    const ki_scene_block *from = ki_scene_block_at(other, original);
    *number = scene->blocks.count;
    ki_scene_block *block = ki_scene_list_add(allocator, &scene->blocks, 1, sizeof *block);
    const char *name = ki_scene_arena_copy(&scene->arena, from->name, strlen(from->name));
    if (block == NULL || name == NULL) {
        return KITH_ERR_MEMORY;
    }
    *block = (ki_scene_block){.name = name,
                              .kind = KI_SCENE_IMPORT,
                              .base = KI_SCENE_NOTHING,
                              .root = *number,
                              .node = from->node,
                              .parent = from->parent,
                              .within = KI_SCENE_NOTHING,
                              .entity = KI_SCENE_NOTHING,
                              .removed = from->removed,
                              .first_value = scene->values.count};
    if (draft != NULL) {
        ki_scene_plan *plan = ki_scene_list_add(allocator, &draft->plans, 1, sizeof *plan);
        if (plan == NULL) {
            return KITH_ERR_MEMORY;
        }
        plan->state = KI_SCENE_READY;
    }
    ki_scene_value *values =
        from->value_count == 0
            ? NULL
            : ki_scene_list_add(allocator, &scene->values, from->value_count, sizeof *values);
    if (values == NULL && from->value_count != 0) {
        return KITH_ERR_MEMORY;
    }
    block->value_count = from->value_count;
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < from->value_count; i++) {
        values[i] = ki_scene_values_of(other, from)[i];
        values[i].line = NULL;
        result = copy_value(scene, draft, other, library, &values[i]);
    }
    return result;
}

/* Adds blocks for a prefab and its children. */
static kith_result copy_prefab(kith_scene *scene, ki_scene_draft *draft, const kith_prefab *prefab,
                               const char *library, const char *key, uint32_t *number)
{
    const kith_scene *other = prefab->scene;
    uint32_t count = ki_scene_block_at(other, prefab->block)->node_count;
    kith_result result = copy_block(scene, draft, other, prefab->block, library, number);
    if (result != KITH_OK) {
        return result;
    }
    ki_scene_block *root = (ki_scene_block *)scene->blocks.items + *number;
    root->name = key;
    root->first_node = scene->nodes.count;
    for (uint32_t i = 1; result == KITH_OK && i <= count; i++) {
        uint32_t block;
        result = copy_block(scene, draft, other, ki_scene_node(other, prefab->block, i), library,
                            &block);
        if (result == KITH_OK) {
            ((ki_scene_block *)scene->blocks.items)[block].root = *number;
            result = ki_scene_list_number(&scene->arena.allocator, &scene->nodes, block)
                         ? KITH_OK
                         : KITH_ERR_MEMORY;
        }
    }
    ((ki_scene_block *)scene->blocks.items)[*number].node_count = count;
    return result;
}

kith_result ki_scene_import(kith_scene *scene, ki_scene_draft *draft, const kith_prefab *prefab,
                            const char *library, uint32_t *block)
{
    const char *name = kith_prefab_name(prefab);
    size_t size = strlen(name) + sizeof " from " + strlen(library);
    char *key = ki_scene_arena_alloc(&scene->arena, size);
    if (key == NULL) {
        return KITH_ERR_MEMORY;
    }
    snprintf(key, size, "%s from %s", name, library);
    uint32_t number = ki_scene_names_find(&scene->imports, key, size - 1);
    if (number != KI_SCENE_NOTHING) {
        *block = ki_scene_names_at(&scene->imports, number)->stands_for;
        return KITH_OK;
    }
    kith_result result = copy_prefab(scene, draft, prefab, library, key, block);
    if (result == KITH_OK) {
        number = ki_scene_names_add(&scene->imports, &scene->arena, key, size - 1);
    }
    if (number == KI_SCENE_NOTHING) {
        return KITH_ERR_MEMORY;
    }
    ki_scene_names_at(&scene->imports, number)->stands_for = *block;
    return KITH_OK;
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static kith_result unknown_library(ki_scene_draft *draft)
{
    kith_reader *reader = &draft->reader;
    if (draft->def->library_count == 0) {
        return kith_read_expected(
            reader, "a prefab of this scene: the program gave no other scenes (`libraries`)");
    }
    kith_hint hint = {.word = reader->token.start, .length = reader->token.length};
    for (uint32_t i = 0; i < draft->def->library_count; i++) {
        kith_hint_offer(&hint, draft->def->libraries[i].name);
    }
    return kith_read_expected(reader, "the name of a scene after \"from\"%s",
                              reader->token.first ? "" : kith_hint_text(&hint).text);
}

static kith_result unknown_prefab(ki_scene_draft *draft, const kith_scene_library *library,
                                  const char *prefab, size_t length)
{
    kith_hint hint = {.word = prefab, .length = length};
    const kith_prefab *known;
    for (uint32_t i = 0; (known = kith_scene_prefab_at(library->scene, i)) != NULL; i++) {
        kith_hint_offer(&hint, kith_prefab_name(known));
    }
    ki_scene_point_at(draft, prefab, length);
    return kith_read_expected(&draft->reader, "a prefab of the scene \"%.80s\"%s", library->name,
                              kith_hint_text(&hint).text);
}

kith_result ki_scene_read_from(ki_scene_draft *draft, const char *prefab, size_t length,
                               uint32_t *block, const char **end)
{
    kith_reader *reader = &draft->reader;
    *block = KI_SCENE_NOTHING;
    if (reader->token.first || !kith_token_is(reader, "from")) {
        return KITH_OK;
    }
    kith_result result = kith_read_token(reader);
    if (result != KITH_OK) {
        return result;
    }
    const kith_scene_library *library = NULL;
    for (uint32_t i = 0; i < draft->def->library_count && !reader->token.first; i++) {
        if (kith_token_is(reader, draft->def->libraries[i].name)) {
            library = &draft->def->libraries[i];
        }
    }
    if (library == NULL) {
        return unknown_library(draft);
    }
    uint32_t number = ki_scene_names_find(&library->scene->prefab_names, prefab, length);
    if (number == KI_SCENE_NOTHING) {
        return unknown_prefab(draft, library, prefab, length);
    }
    uint32_t which = ki_scene_names_at(&library->scene->prefab_names, number)->stands_for;
    *end = reader->next;
    result = ki_scene_import(draft->scene, draft,
                             (const kith_prefab *)library->scene->prefabs.items + which,
                             library->name, block);
    return result == KITH_OK ? kith_read_token(reader) : result;
}
