/* Words in values that mean entities. */
#include <string.h>

#include "scene/draft_block.h"
#include "scene/scene_tree.h"
#include "scene/source.h"

/* The first name of a path is right, and another one is not. */
static kith_result unknown_part(ki_scene_draft *draft, const char *path, size_t length,
                                size_t found)
{
    const char *part = path + found + 1;
    const char *slash = memchr(part, '/', length - found - 1);
    ki_scene_point_at(draft, part, slash == NULL ? length - found - 1 : (size_t)(slash - part));
    return kith_read_expected(&draft->reader, "the name of a child of \"%.*s\"",
                              found < 80 ? (int)found : 80, path);
}

/* A name of the scene, which an entity may get later. */
static kith_result name_of_scene(ki_scene_draft *draft, const ki_scene_word *word,
                                 kith_entity *means)
{
    kith_scene *scene = draft->scene;
    uint32_t number = ki_scene_names_find(&scene->names, word->start, word->length);
    if (number == KI_SCENE_NOTHING) {
        number = ki_scene_names_add(&scene->names, &scene->arena, word->start, word->length);
    }
    if (number == KI_SCENE_NOTHING) {
        return KITH_ERR_MEMORY;
    }
    *means = (kith_entity){number + 1, KI_SCENE_BY_NAME};
    return KITH_OK;
}

static kith_result resolve_word(ki_scene_draft *draft, ki_scene_word *word)
{
    const kith_scene *scene = draft->scene;
    size_t found;
    uint32_t block = ki_scene_find_node(scene, word->block, word->start, word->length, &found);
    if (block != KI_SCENE_NOTHING) {
        word->means = (kith_entity){ki_scene_block_at(scene, block)->node + 1, KI_SCENE_BY_NODE};
        return KITH_OK;
    }
    return found == 0 ? name_of_scene(draft, word, &word->means)
                      : unknown_part(draft, word->start, word->length, found);
}

static void write_meanings(const ki_scene_draft *draft, const ki_scene_open *open)
{
    for (uint32_t i = 0; i < open->type->field_count; i++) {
        const kith_field *field = &open->type->fields[i];
        uint32_t end = field->kind == KITH_ENTITY ? field->size : 0;
        for (uint32_t at = 0; at < end; at += (uint32_t)sizeof(kith_entity)) {
            kith_entity entity;
            char *place = open->bytes + field->offset + at;
            memcpy(&entity, place, sizeof entity);
            if (entity.generation == KI_SCENE_UNRESOLVED) {
                const ki_scene_word *words = draft->words.items;
                memcpy(place, &words[entity.index1 - 1].means, sizeof entity);
            }
        }
    }
}

kith_result ki_scene_resolve_words(ki_scene_draft *draft)
{
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < draft->words.count; i++) {
        result = resolve_word(draft, (ki_scene_word *)draft->words.items + i);
    }
    for (uint32_t i = 0; result == KITH_OK && i < draft->open.count; i++) {
        write_meanings(draft, (const ki_scene_open *)draft->open.items + i);
    }
    draft->words.count = 0;
    draft->open.count = 0;
    return result;
}

/* ---- Names of the scene -------------------------------------------------------------------------- */

static uint32_t include_depth(const kith_scene *scene, uint32_t file)
{
    uint32_t depth = 0;
    while ((file = ki_scene_source_at(scene, file)->included_by) != KI_SCENE_NOTHING) {
        depth++;
    }
    return depth;
}

static const char *leave_file(const kith_scene *scene, uint32_t *file)
{
    const ki_scene_source *source = ki_scene_source_at(scene, *file);
    *file = source->included_by;
    return source->include;
}

/* Whether a place is read before another one; included texts are where they are included. */
static bool is_before(const kith_scene *scene, const char *a, const char *b)
{
    uint32_t file_a = ki_scene_source_of(scene, a);
    uint32_t file_b = ki_scene_source_of(scene, b);
    uint32_t depth_a = include_depth(scene, file_a);
    uint32_t depth_b = include_depth(scene, file_b);
    for (; depth_a > depth_b; depth_a--) {
        a = leave_file(scene, &file_a);
    }
    for (; depth_b > depth_a; depth_b--) {
        b = leave_file(scene, &file_b);
    }
    while (file_a != file_b) {
        a = leave_file(scene, &file_a);
        b = leave_file(scene, &file_b);
    }
    return a < b;
}

static kith_result unknown_name(ki_scene_draft *draft, const ki_scene_name *unknown)
{
    const ki_scene_names *names = &draft->scene->names;
    const char *slash = memchr(unknown->text, '/', unknown->length);
    size_t first = slash == NULL ? unknown->length : (size_t)(slash - unknown->text);
    uint32_t known = ki_scene_names_find(names, unknown->text, first);
    if (slash != NULL && known != KI_SCENE_NOTHING &&
        ki_scene_names_at(names, known)->stands_for != KI_SCENE_NOTHING) {
        while (slash != NULL &&
               ki_scene_find_path(draft->scene, unknown->text, (size_t)(slash - unknown->text)) !=
                   KI_SCENE_NOTHING) {
            first = (size_t)(slash - unknown->text);
            slash = memchr(slash + 1, '/', unknown->length - first - 1);
        }
        return unknown_part(draft, unknown->where, unknown->length, first);
    }
    kith_hint hint = {.word = unknown->text, .length = first};
    for (uint32_t i = 0; i < names->names.count; i++) {
        const ki_scene_name *name = ki_scene_names_at(names, i);
        if (name->stands_for != KI_SCENE_NOTHING && name->stands_for != KI_SCENE_OUTSIDE &&
            memchr(name->text, '/', name->length) == NULL) {
            kith_hint_offer(&hint, name->text);
        }
    }
    ki_scene_point_at(draft, unknown->where, first);
    return kith_read_expected(&draft->reader, "the name of an entity of this scene%s",
                              kith_hint_text(&hint).text);
}

kith_result ki_scene_check_names(ki_scene_draft *draft)
{
    const kith_scene *scene = draft->scene;
    const ki_scene_names *names = &scene->names;
    for (uint32_t i = 0; i < names->names.count; i++) { /* so far those are blocks */
        ki_scene_name *name = ki_scene_names_at(names, i);
        if (name->stands_for != KI_SCENE_NOTHING && name->stands_for != KI_SCENE_OUTSIDE) {
            name->stands_for = ki_scene_block_at(scene, name->stands_for)->entity;
            name->owner = name->stands_for;
        }
    }
    const ki_scene_name *unknown = NULL;
    for (uint32_t i = 0; i < names->names.count; i++) {
        ki_scene_name *name = ki_scene_names_at(names, i);
        if (name->stands_for == KI_SCENE_NOTHING && memchr(name->text, '/', name->length) != NULL) {
            uint32_t block = ki_scene_find_path(scene, name->text, name->length);
            name->stands_for = block == KI_SCENE_NOTHING ? KI_SCENE_NOTHING
                                                         : ki_scene_block_at(scene, block)->entity;
        }
        if (name->stands_for == KI_SCENE_NOTHING &&
            (unknown == NULL || is_before(scene, name->where, unknown->where))) {
            unknown = name;
        }
    }
    for (uint32_t i = 0; i < scene->children.names.count; i++) {
        ki_scene_name *name = ki_scene_names_at(&scene->children, i);
        name->owner = name->stands_for == KI_SCENE_NOTHING
                          ? KI_SCENE_NOTHING
                          : ki_scene_block_at(scene, name->stands_for)->entity;
    }
    return unknown == NULL ? KITH_OK : unknown_name(draft, unknown);
}
