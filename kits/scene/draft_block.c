/* The blocks of a draft: how they begin, and which components they have. */
#include "scene/draft_block.h"

#include <string.h>

#include "scene/source.h"

/* The word that begins a block and starts with a letter; they all start with another. */
static const char *block_word(char letter)
{
    switch (letter) {
    case 'e': return "entity";
    case 'i': return "include";
    case 'm': return "map";
    case 'p': return "prefab";
    case 'r': return "resource";
    default: return NULL;
    }
}

bool ki_scene_is_block_word(const kith_reader *reader)
{
    const kith_token *token = &reader->token;
    const char *word =
        token->first && token->kind == KITH_TOKEN_WORD ? block_word(*token->start) : NULL;
    return token->kind == KITH_TOKEN_END || (word != NULL && kith_token_is(reader, word));
}

bool ki_scene_at_block(const ki_scene_draft *draft)
{
    return ki_scene_is_block_word(&draft->reader);
}

/* `- child`: the minus may be a token of its own. */
static bool is_removed_child(const kith_reader *at)
{
    kith_reader reader = *at;
    reader.error = NULL;
    if (reader.token.kind != KITH_TOKEN_NUMBER || *reader.token.start != '-') {
        return false;
    }
    reader.next = reader.token.start + 1;
    return kith_read_token(&reader) == KITH_OK && reader.token.kind == KITH_TOKEN_WORD &&
           !reader.token.first && kith_token_is(&reader, "child");
}

bool ki_scene_is_child_word(const kith_reader *reader)
{
    const kith_token *token = &reader->token;
    return token->first && ((token->kind == KITH_TOKEN_WORD && kith_token_is(reader, "child")) ||
                            is_removed_child(reader));
}

bool ki_scene_at_child(const ki_scene_draft *draft)
{
    return ki_scene_is_child_word(&draft->reader);
}

size_t ki_scene_name_length(const kith_token *token)
{
    const char *colon = memchr(token->start, ':', token->length);
    size_t length = colon == NULL ? token->length : (size_t)(colon - token->start);
    bool name = token->kind == KITH_TOKEN_WORD && memchr(token->start, '[', length) == NULL &&
                memchr(token->start, '(', length) == NULL;
    return name ? length : 0;
}

size_t ki_scene_path_length(const kith_reader *reader)
{
    const char *end = reader->text + reader->length;
    kith_reader words = *reader;
    words.error = NULL;
    const char *last = words.token.start + words.token.length;
    while (last + 1 < end && *last == '/' && last[1] > ' ' && last[1] != '#') {
        words.next = last + 1;
        if (kith_read_token(&words) != KITH_OK || words.token.kind != KITH_TOKEN_WORD) {
            break;
        }
        last = words.token.start + words.token.length;
    }
    return (size_t)(last - reader->token.start);
}

bool ki_scene_list_number(const kith_allocator *allocator, ki_scene_list *list, uint32_t number)
{
    uint32_t *added = ki_scene_list_add(allocator, list, 1, sizeof(uint32_t));
    if (added != NULL) {
        *added = number;
    }
    return added != NULL;
}

kith_result ki_scene_add_block(ki_scene_draft *draft, ki_scene_kind kind, uint32_t *block)
{
    kith_scene *scene = draft->scene;
    const kith_allocator *allocator = &scene->arena.allocator;
    *block = scene->blocks.count;
    ki_scene_block *added = ki_scene_list_add(allocator, &scene->blocks, 1, sizeof(ki_scene_block));
    if (added == NULL ||
        ki_scene_list_add(allocator, &draft->plans, 1, sizeof(ki_scene_plan)) == NULL) {
        return KITH_ERR_MEMORY;
    }
    *added = (ki_scene_block){.name = "",
                              .start = draft->reader.token.start,
                              .place.file = draft->source,
                              .kind = kind,
                              .base = KI_SCENE_NOTHING,
                              .root = *block,
                              .within = KI_SCENE_NOTHING,
                              .entity = KI_SCENE_NOTHING};
    ki_scene_plan_at(draft, *block)->extent = 1;
    return KITH_OK;
}

kith_result ki_scene_add_root(ki_scene_draft *draft, ki_scene_kind kind, uint32_t *block)
{
    kith_scene *scene = draft->scene;
    const kith_allocator *allocator = &scene->arena.allocator;
    kith_result result = ki_scene_add_block(draft, kind, block);
    if (result != KITH_OK || kind == KI_SCENE_ENTITY) {
        return result;
    }
    if (kind == KI_SCENE_RESOURCE) {
        return ki_scene_list_number(allocator, &scene->resources, *block) ? KITH_OK
                                                                          : KITH_ERR_MEMORY;
    }
    kith_prefab *prefab = ki_scene_list_add(allocator, &scene->prefabs, 1, sizeof(kith_prefab));
    if (prefab == NULL) {
        return KITH_ERR_MEMORY;
    }
    *prefab = (kith_prefab){.scene = scene, .block = *block};
    return KITH_OK;
}

#define KINDS_MAX 4096u /* bytes of the names of a prefab and all that it extends */

/* Makes the value of a prefab of that of the one that it extends, which has the names before its own. */
static kith_result add_kind(ki_scene_draft *draft, uint32_t block, const char *name,
                            kith_is_a *value)
{
    char kinds[KINDS_MAX] = " ";
    const size_t length = strlen(name);
    size_t before = 1;
    if (value->kinds.number != 0) {
        const ki_scene_name *base =
            ki_scene_names_at(&draft->texts.texts, value->kinds.number - 1);
        before = base->length;
        memcpy(kinds, base->text, before < KINDS_MAX ? before : KINDS_MAX);
    }
    if (before + length + 1 > KINDS_MAX) {
        const ki_scene_plan *plan = ki_scene_plan_at(draft, block);
        if (plan->base != NULL) {
            ki_scene_point_at(draft, plan->base, plan->base_length);
        }
        return kith_read_fail(&draft->reader, draft->reader.token.start,
                              "expected names of a prefab and of all that it extends of at most %u"
                              " bytes, as IsA.kinds has them",
                              KINDS_MAX);
    }
    memcpy(kinds + before, name, length);
    kinds[before + length] = ' ';
    kith_result result = ki_scene_texts_keep(&draft->texts, name, length, &value->prefab);
    return result != KITH_OK ? result
                             : ki_scene_texts_keep(&draft->texts, kinds, before + length + 1,
                                                   &value->kinds);
}

static kith_result add_is_a(ki_scene_draft *draft, uint32_t block)
{
    kith_is_a value;
    char *bytes = ki_scene_own_value(draft, block, draft->is_a);
    if (bytes == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(&value, bytes, sizeof value);
    kith_result result = add_kind(draft, block, ki_scene_draft_block(draft, block)->name, &value);
    memcpy(bytes, &value, sizeof value);
    return result;
}

static kith_result add_parent(ki_scene_draft *draft, uint32_t block)
{
    ki_scene_value *value = ki_scene_add_value(draft, block, draft->child_of);
    kith_child_of *bytes = ki_scene_arena_alloc(&draft->scene->arena, sizeof *bytes);
    if (value == NULL || bytes == NULL) {
        return KITH_ERR_MEMORY;
    }
    const ki_scene_block *of = ki_scene_draft_block(draft, block);
    *bytes = (kith_child_of){{of->parent + 1, KI_SCENE_BY_NODE}};
    value->bytes = (const char *)bytes;
    value->refers = true;
    return KITH_OK;
}

static kith_result add_entity_name(ki_scene_draft *draft, uint32_t block)
{
    const char *name = ki_scene_draft_block(draft, block)->name;
    char *bytes = ki_scene_own_value(draft, block, draft->entity_name);
    kith_name value;
    if (bytes == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = ki_scene_texts_keep(&draft->texts, name, strlen(name), &value.text);
    if (result == KITH_OK) {
        memcpy(bytes, &value, sizeof value);
    }
    return result;
}

/* What the text does not say: a prefab has kith_is_a, and a child that is not inherited has a parent. If
 * the definition says so, that child and an entity have their name in the text. */
static kith_result add_implied(ki_scene_draft *draft, uint32_t block)
{
    const ki_scene_block *of = ki_scene_draft_block(draft, block);
    const bool root = of->root == block;
    const bool child = !root && of->shift == of->node;
    const bool named = draft->entity_name != NULL && *of->name != '\0' &&
                       (child || (root && of->kind == KI_SCENE_ENTITY));
    kith_result result = KITH_OK;
    if (root && of->kind == KI_SCENE_PREFAB && draft->is_a != NULL) {
        result = add_is_a(draft, block);
    } else if (child) {
        result = add_parent(draft, block);
    }
    return result == KITH_OK && named ? add_entity_name(draft, block) : result;
}

kith_result ki_scene_start_block(ki_scene_draft *draft, uint32_t block, uint32_t base)
{
    kith_scene *scene = draft->scene;
    draft->block = block;
    draft->indexed = 0;
    draft->looks = 0;
    draft->gaps = false;
    return ki_scene_copy_values(scene, block, base) ? add_implied(draft, block) : KITH_ERR_MEMORY;
}

bool ki_scene_copy_values(kith_scene *scene, uint32_t block, uint32_t base)
{
    ki_scene_block *of = (ki_scene_block *)scene->blocks.items + block;
    of->first_value = scene->values.count;
    of->value_count = 0;
    uint32_t count = base == KI_SCENE_NOTHING ? 0 : ki_scene_block_at(scene, base)->value_count;
    if (count == 0) {
        return true;
    }
    ki_scene_value *values =
        ki_scene_list_add(&scene->arena.allocator, &scene->values, count, sizeof *values);
    if (values == NULL) {
        return false;
    }
    memcpy(values, ki_scene_values_of(scene, ki_scene_block_at(scene, base)),
           count * sizeof *values);
    for (uint32_t i = 0; i < count; i++) {
        values[i].own = false;
        values[i].frame += of->shift;
    }
    of->value_count = count;
    return true;
}

/* Notes the places of all components of the block. */
static bool index_values(ki_scene_draft *draft, const ki_scene_value *values, uint32_t count)
{
    if (draft->indexed == 0 || count > draft->index_room) {
        draft->indexed = 0;
        draft->index_room = count * 2;
        if (!ki_scene_index_clear(&draft->index, &draft->scene->arena.allocator, count * 2)) {
            return false;
        }
    }
    for (uint32_t i = draft->indexed; i < count; i++) {
        if (values[i].type != NULL) {
            ki_scene_index_put(&draft->index, values[i].type, i);
        }
    }
    draft->indexed = count;
    return true;
}

kith_result ki_scene_find_value(ki_scene_draft *draft, uint32_t block, const kith_type *type,
                                ki_scene_value **value)
{
    ki_scene_value *values = ki_scene_values_of(draft->scene, ki_scene_draft_block(draft, block));
    uint32_t count = ki_scene_draft_block(draft, block)->value_count;
    uint32_t place = 0;
    if (count <= KI_SCENE_INDEX_FEW || draft->looks++ < KI_SCENE_LOOKS_FEW) {
        while (place < count && values[place].type != type) {
            place++;
        }
    } else {
        if (!index_values(draft, values, count)) {
            return KITH_ERR_MEMORY;
        }
        place = ki_scene_index_get(&draft->index, type);
    }
    *value = place < count ? &values[place] : NULL;
    return KITH_OK;
}

/* Only the last block gets components, so those of a block are side by side. */
ki_scene_value *ki_scene_add_value(ki_scene_draft *draft, uint32_t block, const kith_type *type)
{
    kith_scene *scene = draft->scene;
    ki_scene_value *value =
        ki_scene_list_add(&scene->arena.allocator, &scene->values, 1, sizeof *value);
    if (value != NULL) {
        value->type = type;
        ki_scene_draft_block(draft, block)->value_count++;
    }
    return value;
}

/* References to nodes count from the root on where more of them may be written. */
static void move_references(const ki_scene_value *value, char *bytes)
{
    const kith_type *type = value->type;
    for (uint32_t i = 0; value->frame != 0 && i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        uint32_t end = field->kind == KITH_ENTITY ? field->size : 0;
        for (uint32_t at = 0; at < end; at += (uint32_t)sizeof(kith_entity)) {
            kith_entity entity;
            memcpy(&entity, bytes + field->offset + at, sizeof entity);
            if (entity.index1 != 0 && entity.generation == KI_SCENE_BY_NODE) {
                entity.index1 += value->frame;
                memcpy(bytes + field->offset + at, &entity, sizeof entity);
            }
        }
    }
}

char *ki_scene_copy_bytes(ki_scene_draft *draft, const ki_scene_value *value)
{
    const kith_type *type = value->type;
    char *bytes = ki_scene_arena_alloc(&draft->scene->arena, type->size);
    if (bytes != NULL && value->bytes != NULL) {
        memcpy(bytes, value->bytes, type->size);
        move_references(value, bytes);
    } else if (bytes != NULL) {
        memset(bytes, 0, type->size);
    }
    return bytes != NULL && ki_scene_texts_note(&draft->texts, type, bytes) == KITH_OK ? bytes
                                                                                       : NULL;
}

char *ki_scene_own_value(ki_scene_draft *draft, uint32_t block, const kith_type *type)
{
    ki_scene_value *value = NULL;
    if (ki_scene_find_value(draft, block, type, &value) != KITH_OK) {
        return NULL;
    }
    value = value != NULL ? value : ki_scene_add_value(draft, block, type);
    char *bytes = value == NULL ? NULL : ki_scene_copy_bytes(draft, value);
    if (bytes != NULL) {
        value->bytes = bytes;
        value->frame = 0;
    }
    return bytes;
}

void ki_scene_close_gaps(ki_scene_draft *draft, uint32_t block)
{
    ki_scene_block *of = ki_scene_draft_block(draft, block);
    ki_scene_value *values = ki_scene_values_of(draft->scene, of);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < of->value_count; i++) {
        if (values[i].type != NULL) {
            values[kept++] = values[i];
        }
    }
    draft->scene->values.count -= of->value_count - kept;
    of->value_count = kept;
}

uint32_t ki_scene_base_of(const ki_scene_draft *draft, uint32_t block)
{
    const kith_scene *scene = draft->scene;
    const ki_scene_plan *plan = ki_scene_plan_at(draft, block);
    ki_scene_block *of = ki_scene_draft_block(draft, block);
    if (of->base != KI_SCENE_NOTHING) {
        return of->base;
    }
    uint32_t name = ki_scene_names_find(&scene->prefab_names, plan->base, plan->base_length);
    if (name == KI_SCENE_NOTHING) {
        return KI_SCENE_NOTHING;
    }
    uint32_t prefab = ki_scene_names_at(&scene->prefab_names, name)->stands_for;
    of->base = ((const kith_prefab *)scene->prefabs.items)[prefab].block;
    return of->base;
}
