/* A scene whose entities are named and added by the program. */
#include <stdio.h>
#include <string.h>

#include "scene/draft_block.h"
#include "scene/import.h"
#include "scene/scene_state.h"
#include "scene/scene_tree.h"

uint32_t kith_scene_index_of(const kith_scene *scene, kith_entity entity)
{
    if (scene == NULL) {
        kith_misuse(NULL, "kith_scene_index_of: the scene is NULL");
        return KI_SCENE_NOTHING;
    }
    uint32_t count = kith_is_none(entity) ? 0 : scene->handles.count;
    for (uint32_t i = 0; i < count; i++) {
        if (kith_entity_equal(ki_scene_handle(scene, i), entity)) {
            return i;
        }
    }
    return KI_SCENE_NOTHING;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool is_name(const char *name)
{
    kith_reader reader = {.text = name, .length = strlen(name)};
    return kith_read_token(&reader) == KITH_OK && reader.token.length == reader.length &&
           ki_scene_name_length(&reader.token) == reader.length && !kith_token_is(&reader, "none");
}

static ki_scene_block *entity_block(const kith_scene *scene, uint32_t index)
{
    return (ki_scene_block *)scene->blocks.items + ki_scene_block_number(scene, index);
}

/* Whether a name is that of an entity which may still be asked for by it. */
static bool is_taken(const kith_scene *scene, const ki_scene_name *name)
{
    kith_entity entity = ki_scene_handle(scene, name->owner);
    return name->owner != KI_SCENE_NOTHING &&
           (kith_is_none(entity) || kith_alive(scene->world, entity));
}

/* The record of a name that an entity gets; NULL if memory ran out. */
static ki_scene_name *record_of(kith_scene *scene, const ki_scene_block *block, const char *name)
{
    bool child = ki_scene_block_at(scene, block->root) != block;
    ki_scene_names *names = child ? &scene->words : &scene->names;
    uint32_t number = ki_scene_names_find(names, name, strlen(name));
    if (number == KI_SCENE_NOTHING) {
        number = ki_scene_names_add(names, &scene->arena, name, strlen(name));
    }
    if (number == KI_SCENE_NOTHING || !child) {
        return number == KI_SCENE_NOTHING ? NULL : ki_scene_names_at(names, number);
    }
    number = ki_scene_add_child_name(scene, block->root, block->parent, number);
    return number == KI_SCENE_NOTHING ? NULL : ki_scene_names_at(&scene->children, number);
}

/* A path begins with the name of a child or of an entity: those are not the same where one is given. */
static bool means_another_kind(const kith_scene *scene, const ki_scene_block *block,
                               const char *name)
{
    bool child = ki_scene_block_at(scene, block->root) != block;
    for (uint32_t i = 0; i < scene->blocks.count; i++) {
        const ki_scene_block *other = ki_scene_block_at(scene, i);
        if (other->kind != KI_SCENE_RESOURCE && (other->root != i) != child &&
            strcmp(other->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void take_name(kith_scene *scene, uint32_t index, ki_scene_name *taken, const char *name)
{
    ki_scene_block *block = entity_block(scene, index);
    bool child = ki_scene_block_at(scene, block->root) != block;
    if (*block->name != '\0') {
        ki_scene_name *old =
            child ? ki_scene_child_name(scene, ki_scene_block_number(scene, index))
                  : ki_scene_names_at(&scene->names, ki_scene_names_find(&scene->names, block->name,
                                                                         strlen(block->name)));
        old->owner = KI_SCENE_NOTHING;
    }
    if (taken != NULL && taken->owner != KI_SCENE_NOTHING) {
        entity_block(scene, taken->owner)->name = "";
    }
    block->name = "";
    if (taken != NULL) {
        taken->owner = index;
        block->name =
            !child ? taken->text
                   : ki_scene_names_at(&scene->words,
                                       ki_scene_names_find(&scene->words, name, strlen(name)))
                         ->text;
    }
    ki_scene_state_changed(scene);
}

kith_result kith_scene_set_name(kith_scene *scene, uint32_t index, const char *name)
{
    if (scene == NULL) {
        return kith_misuse(NULL, "kith_scene_set_name: the scene is NULL");
    }
    if (kith_require_owner(scene->world, "kith_scene_set_name") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    name = name == NULL ? "" : name;
    if (index >= scene->entities.count || (*name != '\0' && !is_name(name))) {
        return kith_fail(scene->world, KITH_ERR_INPUT,
                         index >= scene->entities.count
                             ? "kith_scene_set_name: the scene has no entity of that number"
                             : "kith_scene_set_name: names are of letters, digits, `_` and `.`, do"
                               " not start with a digit, and are not \"none\"");
    }
    const ki_scene_block *block = entity_block(scene, index);
    if (strcmp(block->name, name) == 0) {
        return KITH_OK;
    }
    if (ki_scene_block_at(scene, block->root) != block && block->shift != block->node) {
        return kith_fail(scene->world, KITH_ERR_INPUT,
                         "kith_scene_set_name: the child is inherited, and so is its name");
    }
    ki_scene_name *taken = NULL;
    if (*name != '\0') {
        taken = record_of(scene, block, name);
        if (taken == NULL) {
            return kith_fail(scene->world, KITH_ERR_MEMORY, NULL);
        }
        if (is_taken(scene, taken) || means_another_kind(scene, block, name)) {
            return kith_fail(scene->world, KITH_ERR_CONFLICT,
                             "kith_scene_set_name: another entity of the scene has that name");
        }
    }
    take_name(scene, index, taken, name);
    return KITH_OK;
}

/* ---- More entities ----------------------------------------------------------------------------- */

/* The block of a prefab of the scene or of a library. */
static kith_result find_base(kith_scene *scene, const kith_prefab *prefab, uint32_t *base)
{
    if (prefab->scene == scene) {
        *base = prefab->block;
        return KITH_OK;
    }
    const kith_scene_library *libraries = scene->libraries.items;
    for (uint32_t i = 0; i < scene->libraries.count; i++) {
        if (libraries[i].scene == prefab->scene) {
            kith_result result = ki_scene_import(scene, NULL, prefab, libraries[i].name, base);
            return result == KITH_OK ? KITH_OK : kith_fail(scene->world, result, NULL);
        }
    }
    return kith_fail(scene->world, KITH_ERR_INPUT,
                     "kith_scene_add: the prefab is of a scene that is not one of the `libraries`"
                     " of this one");
}

static kith_result add_entity(kith_scene *scene, kith_entity entity, uint32_t base)
{
    const kith_allocator *allocator = &scene->arena.allocator;
    uint32_t missing = scene->entities.count - scene->handles.count;
    ki_scene_block *block = ki_scene_list_add(allocator, &scene->blocks, 1, sizeof(ki_scene_block));
    uint32_t *number = ki_scene_list_add(allocator, &scene->entities, 1, sizeof(uint32_t));
    kith_entity *handles =
        ki_scene_list_add(allocator, &scene->handles, missing + 1, sizeof(kith_entity));
    if (block == NULL || number == NULL || handles == NULL) {
        scene->blocks.count -= block != NULL;
        scene->entities.count -= number != NULL;
        scene->handles.count -= handles != NULL ? missing + 1 : 0;
        return kith_fail(scene->world, KITH_ERR_MEMORY, NULL);
    }
    *block = (ki_scene_block){.name = "",
                              .kind = KI_SCENE_ENTITY,
                              .base = base,
                              .root = scene->blocks.count - 1,
                              .within = KI_SCENE_NOTHING,
                              .entity = scene->entities.count - 1};
    *number = scene->blocks.count - 1;
    handles[missing] = entity;
    ki_scene_state_changed(scene);
    return KITH_OK;
}

static kith_result fail_to_add(const kith_scene *scene, kith_entity entity, kith_result result,
                               const char *why)
{
    char message[256];
    snprintf(message, sizeof message, "kith_scene_add: %s %s",
             kith_entity_describe(scene->world, entity).text, why);
    return kith_fail(scene->world, result, message);
}

kith_result kith_scene_add(kith_scene *scene, kith_entity entity, const kith_prefab *prefab,
                           uint32_t *index)
{
    if (scene == NULL) {
        return kith_misuse(NULL, "kith_scene_add: the scene is NULL");
    }
    kith_world *world = scene->world;
    if (kith_require_owner(world, "kith_scene_add") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    if (prefab != NULL && prefab->scene->world != world) {
        return kith_misuse(world, "kith_scene_add: the prefab is of another world than the scene");
    }
    if (!kith_alive(world, entity)) {
        return fail_to_add(scene, entity, KITH_ERR_DEAD, "is dead");
    }
    if (kith_scene_index_of(scene, entity) != KI_SCENE_NOTHING) {
        return fail_to_add(scene, entity, KITH_ERR_CONFLICT, "is in the scene already");
    }
    uint32_t base = KI_SCENE_NOTHING;
    kith_result result = prefab == NULL ? KITH_OK : find_base(scene, prefab, &base);
    result = result == KITH_OK ? add_entity(scene, entity, base) : result;
    if (result == KITH_OK && index != NULL) {
        *index = scene->entities.count - 1;
    }
    return result;
}
