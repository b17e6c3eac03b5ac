/* What was read becomes entities. */
#include <kith/name.h>
#include <kith/resource.h>
#include <kith/text.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scene/scene_link.h"
#include "scene/scene_state.h"
#include "scene/scene_tree.h"

/* ---- All entities of a scene ------------------------------------------------------------------- */

/* What spawning needs: room for the values of one entity, and for the bytes of those that refer. */
typedef struct scene_scratch {
    kith_entity *handles; /* provisional ones, then real ones */
    kith_value *values;
    char *bytes;
    size_t value_room;
    size_t byte_room;
} scene_scratch;

static size_t aligned_size(const kith_type *type)
{
    return (type->size + (size_t)15) & ~(size_t)15; /* bytes are copied: no more is needed */
}

static void measure(const kith_scene *scene, scene_scratch *scratch)
{
    for (uint32_t i = 0; i < scene->text_entities; i++) {
        const ki_scene_block *block = ki_scene_entity_block(scene, i);
        const ki_scene_value *values = ki_scene_values_of(scene, block);
        size_t bytes = 0;
        for (uint32_t k = 0; k < block->value_count; k++) {
            bytes += values[k].refers ? aligned_size(values[k].type) : 0;
        }
        scratch->byte_room = bytes > scratch->byte_room ? bytes : scratch->byte_room;
        scratch->value_room =
            block->value_count > scratch->value_room ? block->value_count : scratch->value_room;
    }
}

static void *take(const kith_allocator *allocator, size_t count, size_t size)
{
    return allocator->allocate(allocator->context, (count == 0 ? 1 : count) * size,
                               _Alignof(max_align_t));
}

static void give(const kith_allocator *allocator, void *memory, size_t count, size_t size)
{
    if (memory != NULL) {
        allocator->release(allocator->context, memory, (count == 0 ? 1 : count) * size,
                           _Alignof(max_align_t));
    }
}

/* The target is an entity of another scene, which is dead, or was never made. */
static kith_result dead_target(const kith_scene *scene, uint32_t number, const kith_type *type)
{
    char message[256];
    snprintf(message, sizeof message,
             "kith_scene_spawn: the target of %.80s of entity %" PRIu32 " (\"%.80s\") is not alive",
             type->name, number, ki_scene_entity_block(scene, number)->name);
    return kith_fail(scene->world, KITH_ERR_DEAD, message);
}

static kith_result queue_entity(const kith_scene *scene, kith_commands *commands, uint32_t number,
                                const scene_scratch *scratch)
{
    const ki_scene_block *block = ki_scene_entity_block(scene, number);
    const ki_scene_value *values = ki_scene_values_of(scene, block);
    const ki_scene_handles handles = {scratch->handles, NULL, block->root};
    char *bytes = scratch->bytes;
    for (uint32_t i = 0; i < block->value_count; i++) {
        scratch->values[i] = (kith_value){values[i].type, values[i].bytes};
        if (values[i].refers) {
            ki_scene_link_value(scene, &values[i], &handles, bytes);
            scratch->values[i].data = bytes;
            bytes += aligned_size(values[i].type);
        }
        if (!ki_scene_has_ends(scene, &values[i], scratch->values[i].data)) {
            return dead_target(scene, number, values[i].type);
        }
    }
    return kith_commands_set_values(commands, scratch->handles[number], scratch->values,
                                    block->value_count);
}

/* ---- Resources --------------------------------------------------------------------------------- */

static const ki_scene_value *resource_value(const kith_scene *scene, uint32_t number)
{
    const uint32_t block = ((const uint32_t *)scene->resources.items)[number];
    return ki_scene_values_of(scene, ki_scene_block_at(scene, block));
}

/* Takes the resources away that were added. */
static void remove_resources(const kith_scene *scene, const bool *added)
{
    for (uint32_t i = 0; i < scene->resources.count; i++) {
        if (added[i]) {
            kith_resource_remove(scene->world, resource_value(scene, i)->type);
        }
    }
}

/* Adds those that the world lacks, and finds the places of their values. What was added is noted,
 * also on failure. */
static kith_result add_resources(const kith_scene *scene, bool *added, void **places)
{
    kith_world *world = scene->world;
    for (uint32_t i = 0; i < scene->resources.count; i++) {
        const kith_type *type = resource_value(scene, i)->type;
        if (kith_has_hooks(world, type)) {
            char message[256];
            snprintf(message, sizeof message,
                     "kith_scene_spawn: a text cannot make resource '%.100s', whose type has hooks",
                     type->name);
            return kith_fail(world, KITH_ERR_TYPE, message);
        }
        kith_result result = KITH_OK;
        if (kith_resource_get(world, type) == NULL) {
            result = kith_resource_set(world, type, NULL);
            added[i] = result == KITH_OK;
        }
        result = result == KITH_OK ? kith_resource_get_mut(world, type, &places[i]) : result;
        if (result != KITH_OK) {
            return result;
        }
    }
    return KITH_OK;
}

static void write_resources(const kith_scene *scene, void *const *places,
                            const kith_entity *handles)
{
    for (uint32_t i = 0; i < scene->resources.count; i++) {
        const ki_scene_value *value = resource_value(scene, i);
        if (value->bytes == NULL) {
            memset(places[i], 0, value->type->size);
        } else if (value->refers) {
            const ki_scene_handles all = {handles, NULL, 0};
            ki_scene_link_value(scene, value, &all, places[i]);
        } else {
            memcpy(places[i], value->bytes, value->type->size);
        }
    }
}

/* ---- Names in the world -------------------------------------------------------------------- */

/* The EntityName that an entity is to have without a parent; NULL: it has none, or a parent. */
static const char *name_at_the_top(const kith_scene *scene, uint32_t number)
{
    const ki_scene_block *block = ki_scene_entity_block(scene, number);
    const ki_scene_value *values = ki_scene_values_of(scene, block);
    const char *name = NULL;
    for (uint32_t i = 0; i < block->value_count; i++) {
        kith_name value;
        if (strcmp(values[i].type->name, kith_child_of_type.name) == 0) {
            return NULL;
        }
        if (strcmp(values[i].type->name, kith_name_type.name) == 0 && values[i].bytes != NULL) {
            memcpy(&value, values[i].bytes, sizeof value);
            name = kith_text_get(scene->world, value.text, NULL);
        }
    }
    return name;
}

/* The first entity whose EntityName one in the world has, or one before it in the scene;
 * KI_SCENE_NOTHING: none that is known. */
static uint32_t find_taken_name(const kith_scene *scene)
{
    ki_scene_arena arena = {.allocator = kith_world_allocator(scene->world)};
    ki_scene_names before = {.names = {0}};
    uint32_t found = KI_SCENE_NOTHING;
    for (uint32_t i = 0; i < scene->text_entities && found == KI_SCENE_NOTHING; i++) {
        const char *name = name_at_the_top(scene, i);
        if (name == NULL) {
            continue;
        }
        const size_t length = strlen(name);
        if (!kith_is_none(kith_find_child(scene->world, KITH_NONE, name)) ||
            ki_scene_names_find(&before, name, length) != KI_SCENE_NOTHING) {
            found = i;
        } else if (ki_scene_names_add(&before, &arena, name, length) == KI_SCENE_NOTHING) {
            break;
        }
    }
    ki_scene_names_free(&before, &arena.allocator);
    ki_scene_arena_free(&arena);
    return found;
}

/* Tells where the text has an entity whose EntityName is that of another one. If that is not what is
 * wrong: why the commands failed. */
static kith_result taken_name(const kith_scene *scene, const char *reason)
{
    const uint32_t number = find_taken_name(scene);
    if (number == KI_SCENE_NOTHING) {
        return kith_fail(scene->world, KITH_ERR_CONFLICT, reason);
    }
    const kith_scene_place place = ki_scene_entity_block(scene, number)->place;
    const char *path = ki_scene_source_at(scene, place.file)->path;
    char message[400];
    snprintf(message, sizeof message,
             "kith_scene_spawn: %.200s%sline %" PRIu32 ": the name \"%.80s\" is that of another"
             " entity without a parent; give one of them another name",
             path, *path == '\0' ? "" : ", ", place.line, name_at_the_top(scene, number));
    return kith_fail(scene->world, KITH_ERR_CONFLICT, message);
}

/* ---- The whole ----------------------------------------------------------------------------- */

static kith_result spawn_entities(const kith_scene *scene, kith_commands *commands,
                                  const scene_scratch *scratch)
{
    uint32_t count = scene->text_entities;
    for (uint32_t i = 0; i < count; i++) {
        scratch->handles[i] = kith_commands_spawn(commands);
    }
    bool enough = count == 0 || !kith_is_none(scratch->handles[count - 1]);
    for (uint32_t i = 0; enough && i < count; i++) {
        kith_result queued = queue_entity(scene, commands, i, scratch);
        if (queued == KITH_ERR_DEAD) {
            return queued;
        }
    }
    kith_result result = kith_commands_apply(commands, NULL); /* tells also what failed before */
    if (result == KITH_ERR_CONFLICT) {
        return taken_name(scene, kith_commands_error(commands));
    }
    if (result != KITH_OK) {
        return kith_fail(scene->world, result, kith_commands_error(commands));
    }
    for (uint32_t i = 0; i < count; i++) {
        scratch->handles[i] = kith_commands_real(commands, scratch->handles[i]);
    }
    return KITH_OK;
}

/* Entities and resources, or neither. */
static kith_result spawn_all(const kith_scene *scene, kith_commands *commands,
                             const scene_scratch *scratch)
{
    const kith_allocator *allocator = &scene->arena.allocator;
    uint32_t count = scene->resources.count;
    bool *added = take(allocator, count, sizeof *added);
    void **places = take(allocator, count, sizeof *places);
    kith_result result = KITH_ERR_MEMORY;
    if (added == NULL || places == NULL) {
        kith_fail(scene->world, result, NULL);
    } else {
        memset(added, 0, count * sizeof *added);
        result = add_resources(scene, added, places);
        result = result == KITH_OK ? spawn_entities(scene, commands, scratch) : result;
        if (result == KITH_OK) {
            write_resources(scene, places, scratch->handles);
        } else {
            remove_resources(scene, added);
        }
    }
    give(allocator, places, count, sizeof *places);
    give(allocator, added, count, sizeof *added);
    return result;
}

/* The scene's entities are those that were made. What was added to the former ones leaves. */
static void take_handles(kith_scene *scene, kith_entity *handles)
{
    const kith_allocator *allocator = &scene->arena.allocator;
    for (uint32_t i = 0; i < scene->names.names.count; i++) {
        ki_scene_name *name = ki_scene_names_at(&scene->names, i);
        bool leaves = name->owner != KI_SCENE_NOTHING && name->owner >= scene->text_entities;
        name->owner = leaves ? KI_SCENE_NOTHING : name->owner;
    }
    scene->entities.count = scene->text_entities;
    const uint32_t count = scene->text_entities;
    if (count < scene->handles.capacity) { /* the list never gets smaller: see scene_state.c */
        memcpy(scene->handles.items, handles, count * sizeof *handles);
        scene->handles.count = count;
        give(allocator, handles, count, sizeof *handles);
    } else {
        ki_scene_list_free(allocator, &scene->handles, sizeof(kith_entity));
        scene->handles = (ki_scene_list){handles, count, count == 0 ? 1 : count};
    }
    scene->made = true;
    ki_scene_link_prefabs(scene);
    ki_scene_state_changed(scene);
}

kith_result kith_scene_spawn(kith_scene *scene)
{
    if (scene == NULL) {
        return kith_misuse(NULL, "kith_scene_spawn: the scene is NULL");
    }
    if (kith_require_change(scene->world, "kith_scene_spawn") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    const kith_allocator *allocator = &scene->arena.allocator;
    uint32_t count = scene->text_entities;
    scene_scratch scratch = {0};
    measure(scene, &scratch);
    scratch.handles = take(allocator, count, sizeof(kith_entity));
    scratch.values = take(allocator, scratch.value_room, sizeof(kith_value));
    scratch.bytes = take(allocator, scratch.byte_room, 1);
    kith_commands *commands = kith_commands_new(scene->world, NULL);
    bool enough = scratch.handles != NULL && scratch.values != NULL && scratch.bytes != NULL &&
                  commands != NULL;
    kith_result result = enough ? spawn_all(scene, commands, &scratch)
                                : kith_fail(scene->world, KITH_ERR_MEMORY, NULL);
    kith_commands_free(commands);
    give(allocator, scratch.bytes, scratch.byte_room, 1);
    give(allocator, scratch.values, scratch.value_room, sizeof(kith_value));
    if (result != KITH_OK) {
        give(allocator, scratch.handles, count, sizeof(kith_entity));
        return result;
    }
    take_handles(scene, scratch.handles);
    return KITH_OK;
}

/* ---- Looking ------------------------------------------------------------------------------- */

kith_entity kith_scene_find(const kith_scene *scene, const char *name)
{
    if (scene == NULL || name == NULL) {
        kith_misuse(scene == NULL ? NULL : scene->world,
                    "kith_scene_find: the scene or the name is NULL");
        return KITH_NONE;
    }
    return ki_scene_handle(scene, ki_scene_find_owner(scene, name, strlen(name)));
}

uint32_t kith_scene_count(const kith_scene *scene)
{
    if (scene == NULL) {
        kith_misuse(NULL, "kith_scene_count: the scene is NULL");
        return 0;
    }
    return scene->entities.count;
}

kith_entity kith_scene_at(const kith_scene *scene, uint32_t index)
{
    if (scene == NULL) {
        kith_misuse(NULL, "kith_scene_at: the scene is NULL");
        return KITH_NONE;
    }
    return ki_scene_handle(scene, index);
}

const char *kith_scene_name(const kith_scene *scene, uint32_t index)
{
    if (scene == NULL) {
        kith_misuse(NULL, "kith_scene_name: the scene is NULL");
        return NULL;
    }
    return index < scene->entities.count ? ki_scene_entity_block(scene, index)->name : NULL;
}

kith_scene_place kith_scene_place_at(const kith_scene *scene, uint32_t index)
{
    if (scene == NULL) {
        kith_misuse(NULL, "kith_scene_place_at: the scene is NULL");
        return (kith_scene_place){0};
    }
    if (index >= scene->entities.count) {
        return index == scene->entities.count ? scene->end : (kith_scene_place){0};
    }
    return ki_scene_entity_block(scene, index)->place;
}
