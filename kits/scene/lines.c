/* The lines of an entity or prefab: components with values, and what is not inherited. */
#include <kith/resource.h>
#include <string.h>

#include "scene/draft_block.h"
#include "scene/scene_map.h"

enum { TYPE_NAME = 128 };

/* ---- Components ---------------------------------------------------------------------------- */

static kith_result unknown_component(ki_scene_draft *draft)
{
    const kith_world *world = draft->scene->world;
    kith_reader *reader = &draft->reader;
    kith_hint hint = {.word = reader->token.start, .length = reader->token.length};
    kith_hint_offer(&hint, "entity");
    kith_hint_offer(&hint, "prefab");
    kith_hint_offer(&hint, "map");
    kith_hint_offer(&hint, "include");
    kith_hint_offer(&hint, "resource");
    kith_hint_offer(&hint, "child");
    uint32_t count = kith_type_count(world);
    hint.known_length = 0; /* those are named anyway */
    for (uint32_t i = 0; i < count; i++) {
        kith_hint_offer(&hint, kith_type_at(world, i)->name);
    }
    return kith_read_expected(
        reader,
        "\"entity\", \"prefab\", \"map\", \"resource\", \"include\", \"child\""
        " or a component%s",
        kith_hint_text(&hint).text);
}

static ki_scene_known *known_place(ki_scene_draft *draft, const kith_token *token)
{
    size_t hash = token->length;
    if (token->length > 0) {
        hash +=
            (unsigned char)token->start[0] + 5u * (unsigned char)token->start[token->length - 1];
    }
    return &draft->known[hash % (sizeof draft->known / sizeof draft->known[0])];
}

/* The component that the last token names; reads on. */
static kith_result read_type(ki_scene_draft *draft, const kith_type **type)
{
    char name[TYPE_NAME];
    kith_reader *reader = &draft->reader;
    ki_scene_known *known = known_place(draft, &reader->token);
    if (known->type != NULL && reader->token.kind == KITH_TOKEN_WORD &&
        known->length == reader->token.length &&
        memcmp(known->type->name, reader->token.start, known->length) == 0) {
        *type = known->type;
        return kith_read_token(reader);
    }
    bool may_be = reader->token.kind == KITH_TOKEN_WORD || reader->token.kind == KITH_TOKEN_TEXT;
    if (!may_be || reader->token.length > TYPE_NAME) {
        return unknown_component(draft);
    }
    kith_result result = kith_read_name(reader, "the name of a component", name, sizeof name);
    if (result != KITH_OK) {
        return result;
    }
    *type = kith_type_find(draft->scene->world, name);
    if (*type == NULL) {
        return unknown_component(draft);
    }
    if (kith_has_hooks(draft->scene->world, *type)) {
        return kith_read_expected(reader, "a component whose values have no hooks");
    }
    *known = (ki_scene_known){*type, strlen(name)};
    return kith_read_token(reader);
}

static bool at_value(ki_scene_draft *draft)
{
    bool there = kith_token_is(&draft->reader, "{");
    draft->line_end = there ? "the end of the line" : "\"{\" or the end of the line";
    return there;
}

/* { ... } over a copy of what is inherited. */
static kith_result read_value(ki_scene_draft *draft, ki_scene_value *value)
{
    char *bytes = value->type->size == 0 ? NULL : ki_scene_copy_bytes(draft, value);
    if (bytes == NULL && value->type->size > 0) {
        return KITH_ERR_MEMORY;
    }
    uint32_t words = draft->words.count;
    kith_result result = kith_read_value(&draft->reader, value->type, bytes);
    value->bytes = bytes;
    value->frame = 0;
    if (draft->words.count == words) {
        return result;
    }
    value->refers = true;
    ki_scene_open *open =
        ki_scene_list_add(&draft->scene->arena.allocator, &draft->open, 1, sizeof *open);
    if (open == NULL) {
        return KITH_ERR_MEMORY;
    }
    *open = (ki_scene_open){value->type, bytes};
    return result;
}

/* A child is one of what it is written in. */
static kith_result check_parent(ki_scene_draft *draft, uint32_t block, const kith_type *type,
                                const char *start)
{
    return type == draft->child_of && ki_scene_is_child(draft->scene, block)
               ? kith_read_fail(&draft->reader, start,
                                "expected no %s: the parent of a child is what it is written in",
                                type->name)
               : KITH_OK;
}

static kith_result read_component(ki_scene_draft *draft, uint32_t block)
{
    kith_reader *reader = &draft->reader;
    const char *start = reader->token.start;
    const kith_type *type = NULL;
    ki_scene_value *value = NULL;
    kith_result result = read_type(draft, &type);
    result = result == KITH_OK ? check_parent(draft, block, type, start) : result;
    result = result == KITH_OK ? ki_scene_find_value(draft, block, type, &value) : result;
    if (result != KITH_OK) {
        return result;
    }
    if (value != NULL && value->own) {
        return kith_read_fail(reader, start, "expected a component once, found %s again",
                              type->name);
    }
    value = value != NULL ? value : ki_scene_add_value(draft, block, type);
    if (value == NULL) {
        return KITH_ERR_MEMORY;
    }
    value->own = true;
    value->line = start;
    return at_value(draft) ? read_value(draft, value) : KITH_OK;
}

static kith_result look_at_component(ki_scene_draft *draft)
{
    const kith_type *type = NULL;
    kith_result result = read_type(draft, &type);
    if (result == KITH_OK && at_value(draft)) {
        result = kith_read_value(&draft->reader, type, NULL);
    }
    return result;
}

/* ---- What is not inherited -------------------------------------------------------------------- */

static bool at_removal(const ki_scene_draft *draft)
{
    const kith_token *token = &draft->reader.token;
    return token->kind == KITH_TOKEN_NUMBER && *token->start == '-';
}

/* - Component: the minus is a token of its own, or part of that of the name. */
static kith_result read_removed_type(ki_scene_draft *draft, const kith_type **type)
{
    kith_reader *reader = &draft->reader;
    reader->next = reader->token.start + 1;
    draft->line_end = "the end of the line";
    kith_result result = kith_read_token(reader);
    if (result == KITH_OK && reader->token.first) {
        result = kith_read_expected(reader, "a component after \"-\"");
    }
    return result == KITH_OK ? read_type(draft, type) : result;
}

static kith_result read_removal(ki_scene_draft *draft, uint32_t block)
{
    const char *start = draft->reader.token.start;
    const kith_type *type = NULL;
    ki_scene_value *value = NULL;
    kith_result result = read_removed_type(draft, &type);
    result = result == KITH_OK ? check_parent(draft, block, type, start) : result;
    result = result == KITH_OK ? ki_scene_find_value(draft, block, type, &value) : result;
    if (result != KITH_OK) {
        return result;
    }
    if (value == NULL || value->own) {
        return kith_read_fail(&draft->reader, start,
                              "expected a component that is inherited, found %s, which %s",
                              type->name, value == NULL ? "is not" : "has a line of its own");
    }
    if (draft->indexed != 0) {
        ki_scene_index_put(&draft->index, type, KI_SCENE_NOTHING);
    }
    value->type = NULL; /* ki_scene_close_gaps takes it away */
    draft->gaps = true;
    return KITH_OK;
}

static kith_result look_at_removal(ki_scene_draft *draft)
{
    const kith_type *type = NULL;
    return read_removed_type(draft, &type);
}

/* ---- Lines --------------------------------------------------------------------------------- */

kith_result ki_scene_end_line(ki_scene_draft *draft)
{
    return draft->reader.token.first ? KITH_OK
                                     : kith_read_expected(&draft->reader, "%s", draft->line_end);
}

/* After the components of a block come its children, then the } of a child, or the next block. */
static bool at_end_of_lines(const ki_scene_draft *draft)
{
    return ki_scene_at_block(draft) || ki_scene_at_child(draft) ||
           kith_token_is(&draft->reader, "}");
}

kith_result ki_scene_read_lines(ki_scene_draft *draft, uint32_t block, uint32_t base)
{
    kith_result result = ki_scene_start_block(draft, block, base);
    ki_scene_plan_at(draft, block)->read = true;
    if (result == KITH_OK && ki_scene_draft_block(draft, block)->map != 0) {
        return ki_scene_place_cell(draft, block);
    }
    while (result == KITH_OK && !at_end_of_lines(draft)) {
        result = at_removal(draft) ? read_removal(draft, block) : read_component(draft, block);
        if (result == KITH_OK) {
            result = ki_scene_end_line(draft);
        }
    }
    if (draft->gaps) {
        ki_scene_close_gaps(draft, block);
    }
    return result;
}

kith_result ki_scene_look_at_lines(ki_scene_draft *draft)
{
    kith_result result = KITH_OK;
    draft->looks_only = true;
    while (result == KITH_OK && !at_end_of_lines(draft)) {
        result = at_removal(draft) ? look_at_removal(draft) : look_at_component(draft);
        if (result == KITH_OK) {
            result = ki_scene_end_line(draft);
        }
    }
    draft->looks_only = false;
    return result;
}

/* ---- Resources ------------------------------------------------------------------------------- */

static bool is_resource(const kith_world *world, const kith_type *type)
{
    const kith_type *known = kith_resource_at(world, 0);
    for (uint32_t i = 1; known != NULL && known != type; i++) {
        known = kith_resource_at(world, i);
    }
    return known != NULL;
}

/* The type of a resource that the world has, or else of a component. */
static kith_result read_resource_type(ki_scene_draft *draft, const kith_type **type)
{
    const kith_world *world = draft->scene->world;
    kith_reader *reader = &draft->reader;
    kith_hint hint = {.word = reader->token.start, .length = reader->token.length};
    const kith_type *known;
    for (uint32_t i = 0; (known = kith_resource_at(world, i)) != NULL; i++) {
        if (kith_token_is(reader, known->name)) {
            *type = known;
            return kith_has_hooks(world, known)
                       ? kith_read_expected(reader, "a resource whose values have no hooks")
                       : kith_read_token(reader);
        }
        kith_hint_offer(&hint, known->name);
    }
    char name[TYPE_NAME];
    kith_result result = reader->token.first || reader->token.length > TYPE_NAME
                             ? KITH_ERR_INPUT
                             : kith_read_name(reader, "a type", name, sizeof name);
    if (result == KITH_OK && kith_type_find(world, name) != NULL) {
        return read_type(draft, type);
    }
    for (uint32_t i = 0; i < kith_type_count(world); i++) {
        if (!is_resource(world, kith_type_at(world, i))) {
            kith_hint_offer(&hint, kith_type_at(world, i)->name);
        }
    }
    return kith_read_expected(reader, "the type of a resource after \"resource\"%s",
                              reader->token.first ? "" : kith_hint_text(&hint).text);
}

kith_result ki_scene_read_resource(ki_scene_draft *draft)
{
    kith_reader *reader = &draft->reader;
    uint32_t block;
    const kith_type *type = NULL;
    kith_result result = ki_scene_add_root(draft, KI_SCENE_RESOURCE, &block);
    result = result == KITH_OK ? ki_scene_start_block(draft, block, KI_SCENE_NOTHING) : result;
    result = result == KITH_OK ? kith_read_token(reader) : result;
    const kith_token name = reader->token;
    result = result == KITH_OK ? read_resource_type(draft, &type) : result;
    if (result != KITH_OK) {
        return result;
    }
    if (type->size == 0) {
        return kith_read_fail(reader, name.start, "expected a resource that has a value, found %s",
                              type->name);
    }
    for (uint32_t i = 0; i + 1 < draft->scene->resources.count; i++) {
        const uint32_t other = ((const uint32_t *)draft->scene->resources.items)[i];
        if (strcmp(ki_scene_draft_block(draft, other)->name, type->name) == 0) {
            return kith_read_fail(reader, name.start, "expected a resource once, found %s again",
                                  type->name);
        }
    }
    ki_scene_draft_block(draft, block)->name = type->name;
    ki_scene_plan_at(draft, block)->state = KI_SCENE_READY;
    ki_scene_value *value = ki_scene_add_value(draft, block, type);
    if (value == NULL) {
        return KITH_ERR_MEMORY;
    }
    result = at_value(draft) ? read_value(draft, value) : KITH_OK;
    result = result == KITH_OK ? ki_scene_resolve_words(draft) : result;
    return result == KITH_OK ? ki_scene_end_line(draft) : result;
}
