/* Prefabs, spawned by the program. */
#include <stdio.h>
#include <string.h>

#include "scene/prefab_tree.h"
#include "scene/scene_link.h"
#include "scene/scene_tree.h"

/* As many values as most entities have, so that making one takes no memory. */
enum { PREFAB_VALUES = 32 };

const kith_prefab *kith_scene_prefab(const kith_scene *scene, const char *name)
{
    if (scene == NULL || name == NULL) {
        kith_misuse(scene == NULL ? NULL : scene->world,
                    "kith_scene_prefab: the scene or the name is NULL");
        return NULL;
    }
    uint32_t number = ki_scene_names_find(&scene->prefab_names, name, strlen(name));
    return number == KI_SCENE_NOTHING
               ? NULL
               : (const kith_prefab *)scene->prefabs.items +
                     ki_scene_names_at(&scene->prefab_names, number)->stands_for;
}

const kith_prefab *kith_scene_prefab_at(const kith_scene *scene, uint32_t index)
{
    if (scene == NULL) {
        kith_misuse(NULL, "kith_scene_prefab_at: the scene is NULL");
        return NULL;
    }
    return index < scene->prefabs.count ? (const kith_prefab *)scene->prefabs.items + index : NULL;
}

const char *kith_prefab_name(const kith_prefab *prefab)
{
    if (prefab == NULL) {
        kith_misuse(NULL, "kith_prefab_name: the prefab is NULL");
        return NULL;
    }
    return ki_scene_block_at(prefab->scene, prefab->block)->name;
}

/* Copies a value of a node, with the entities that the scene made last. */
static kith_result get_value(const kith_prefab *prefab, uint32_t node, const kith_type *type,
                             void *value)
{
    const kith_scene *scene = prefab->scene;
    const ki_scene_block *block =
        ki_scene_block_at(scene, ki_scene_node(scene, prefab->block, node));
    const ki_scene_value *own = ki_scene_values_of(scene, block);
    uint32_t i = 0;
    while (i < block->value_count && !ki_scene_same_type(own[i].type, type)) {
        i++;
    }
    if (i == block->value_count) {
        return KITH_ERR_ABSENT;
    }
    if (own[i].type->size != type->size) {
        return KITH_ERR_TYPE;
    }
    if (own[i].refers) {
        const ki_scene_handles handles = {scene->handles.count == 0 ? NULL : scene->handles.items,
                                          NULL, prefab->block};
        ki_scene_link_value(scene, &own[i], &handles, value);
    } else if (type->size > 0 && own[i].bytes != NULL) {
        memcpy(value, own[i].bytes, type->size);
    } else if (type->size > 0) {
        memset(value, 0, type->size);
    }
    return KITH_OK;
}

kith_result kith_prefab_get(const kith_prefab *prefab, const kith_type *type, void *value)
{
    if (prefab == NULL || type == NULL || (value == NULL && type->size > 0)) {
        return kith_misuse(prefab == NULL ? NULL : prefab->scene->world,
                           "kith_prefab_get: the prefab, the type or the value is NULL");
    }
    return get_value(prefab, 0, type, value);
}

kith_result kith_prefab_get_part(const kith_prefab *prefab, const char *path, const kith_type *type,
                                 void *value)
{
    if (prefab == NULL || type == NULL || (value == NULL && type->size > 0)) {
        return kith_misuse(prefab == NULL ? NULL : prefab->scene->world,
                           "kith_prefab_get_part: the prefab, the type or the value is NULL");
    }
    uint32_t node = ki_scene_find_part(prefab->scene, prefab->block, path);
    return node == KI_SCENE_NOTHING ? KITH_ERR_ABSENT : get_value(prefab, node, type, value);
}

/* Values in which those that are given replace the prefab's. */
typedef struct prefab_values {
    kith_values few[PREFAB_VALUES];
    kith_values *values;
    size_t room;
    uint32_t count;
    ki_scene_index index; /* their places, */
    bool indexed;         /* if they are many */
} prefab_values;

static void end_values(prefab_values *all, const kith_prefab *prefab)
{
    const kith_allocator *allocator = &prefab->scene->arena.allocator;
    ki_scene_index_free(&all->index, allocator);
    if (all->values != all->few) {
        allocator->release(allocator->context, all->values, all->room * sizeof(kith_values),
                           _Alignof(kith_values));
    }
}

/* Notes the places of the prefab's values, if there are enough to be worth it. */
static bool index_prefab_values(prefab_values *all, const kith_prefab *prefab, uint32_t more)
{
    all->indexed = more > KI_SCENE_LOOKS_FEW && all->room > KI_SCENE_INDEX_FEW;
    if (all->indexed && (all->room > UINT32_MAX ||
                         !ki_scene_index_clear(&all->index, &prefab->scene->arena.allocator,
                                               (uint32_t)all->room))) {
        return false;
    }
    for (uint32_t i = 0; all->indexed && i < all->count; i++) {
        ki_scene_index_put(&all->index, all->values[i].type, i);
    }
    return true;
}

static bool start_values(prefab_values *all, const kith_prefab *prefab, uint32_t more)
{
    all->room = (size_t)prefab->value_count + more;
    all->values = all->few;
    all->count = prefab->value_count;
    all->index = (ki_scene_index){0};
    if (all->room > PREFAB_VALUES) {
        const kith_allocator *allocator = &prefab->scene->arena.allocator;
        all->values = all->room > SIZE_MAX / sizeof(kith_values)
                          ? NULL
                          : allocator->allocate(allocator->context, all->room * sizeof(kith_values),
                                                _Alignof(kith_values));
    }
    for (uint32_t i = 0; all->values != NULL && i < prefab->value_count; i++) {
        all->values[i] = (kith_values){prefab->values[i].type, prefab->values[i].data, false};
    }
    if (all->values != NULL && !index_prefab_values(all, prefab, more)) {
        end_values(all, prefab);
        return false;
    }
    return all->values != NULL;
}

/* The place of a type among the values; their end if it is not there. */
static uint32_t find_prefab_value(const prefab_values *all, const kith_type *type)
{
    uint32_t place = 0;
    if (all->indexed) {
        place = type == NULL ? KI_SCENE_NOTHING : ki_scene_index_get(&all->index, type);
        return place == KI_SCENE_NOTHING ? all->count : place;
    }
    while (place < all->count && !ki_scene_same_type(all->values[place].type, type)) {
        place++;
    }
    return place;
}

static void replace_value(prefab_values *all, kith_values value)
{
    uint32_t place = find_prefab_value(all, value.type);
    all->values[place] = value;
    if (place == all->count) {
        all->count++;
        if (all->indexed && value.type != NULL) {
            ki_scene_index_put(&all->index, value.type, place);
        }
    }
}

kith_result kith_prefab_spawn_many(const kith_prefab *prefab, uint32_t count,
                                   const kith_values *values, uint32_t value_count,
                                   kith_entity *entities)
{
    if (prefab == NULL || (values == NULL && value_count > 0)) {
        return kith_misuse(prefab == NULL ? NULL : prefab->scene->world,
                           "kith_prefab_spawn_many: the prefab is NULL, or the values are");
    }
    if (kith_require_change(prefab->scene->world, "kith_prefab_spawn_many") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    if (prefab->is_tree) {
        const ki_scene_given given = {.rows = values, .count = value_count};
        return ki_scene_spawn_trees(prefab, count, &given, entities);
    }
    prefab_values all;
    if (!start_values(&all, prefab, value_count)) {
        return kith_fail(prefab->scene->world, KITH_ERR_MEMORY, NULL);
    }
    for (uint32_t i = 0; i < value_count; i++) {
        replace_value(&all, values[i]);
    }
    kith_result result =
        kith_spawn_many(prefab->scene->world, count, all.values, all.count, entities);
    end_values(&all, prefab);
    return result;
}

/* Whether a prefab can be spawned by way of what belongs to this world; else misuse. */
static bool is_of_world(const kith_prefab *prefab, const char *call, const kith_world *world,
                        const char *given)
{
    if (prefab->scene->world == world) {
        return true;
    }
    char message[256];
    snprintf(message, sizeof message,
             "%s: prefab '%.100s' is of one world, the %s of another; read the prefab's scene in"
             " that world too",
             call, kith_prefab_name(prefab), given);
    kith_misuse(prefab->scene->world, message);
    return false;
}

kith_entity kith_prefab_spawn_or_none(const kith_prefab *prefab, kith_world *world,
                                      const kith_value *values, uint32_t value_count)
{
    if (prefab == NULL || world == NULL) {
        kith_misuse(world, "kith_prefab_spawn_or_none: the prefab or the world is NULL");
        return KITH_NONE;
    }
    kith_entity entity = KITH_NONE;
    if (is_of_world(prefab, "kith_prefab_spawn_or_none", world, "target")) {
        (void)kith_prefab_spawn(prefab, values, value_count, &entity);
    }
    return entity;
}

kith_result kith_prefab_spawn(const kith_prefab *prefab, const kith_value *values,
                              uint32_t value_count, kith_entity *entity)
{
    if (prefab == NULL || (values == NULL && value_count > 0)) {
        return kith_misuse(prefab == NULL ? NULL : prefab->scene->world,
                           "kith_prefab_spawn: the prefab is NULL, or the values are");
    }
    if (kith_require_change(prefab->scene->world, "kith_prefab_spawn") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    if (prefab->is_tree) {
        const ki_scene_given given = {.values = values, .count = value_count};
        return ki_scene_spawn_trees(prefab, 1, &given, entity);
    }
    prefab_values all;
    if (!start_values(&all, prefab, value_count)) {
        return kith_fail(prefab->scene->world, KITH_ERR_MEMORY, NULL);
    }
    for (uint32_t i = 0; i < value_count; i++) {
        replace_value(&all, (kith_values){values[i].type, values[i].data, false});
    }
    kith_result result = kith_spawn_many(prefab->scene->world, 1, all.values, all.count, entity);
    end_values(&all, prefab);
    return result;
}

kith_entity kith_prefab_queue(const kith_prefab *prefab, kith_commands *commands,
                              const kith_value *values, uint32_t value_count)
{
    if (prefab == NULL) {
        kith_misuse(NULL, "kith_prefab_queue: the prefab is NULL");
        return KITH_NONE;
    }
    kith_world *world = prefab->scene->world;
    if (values == NULL && value_count > 0) {
        kith_misuse(world, "kith_prefab_queue: the values are NULL");
        return KITH_NONE;
    }
    if (commands != NULL && !is_of_world(prefab, "kith_prefab_queue", kith_commands_world(commands),
                                         "command buffer")) {
        return KITH_NONE;
    }
    if (prefab->is_tree) {
        const ki_scene_given given = {.values = values, .count = value_count};
        return ki_scene_queue_tree(prefab, commands, &given);
    }
    kith_entity entity = kith_commands_spawn_values(commands, prefab->values, prefab->value_count);
    if (value_count > 0 && !kith_is_none(entity) &&
        kith_commands_set_values(commands, entity, values, value_count) != KITH_OK) {
        return KITH_NONE;
    }
    return entity;
}

/* ---- Values for children ------------------------------------------------------------------------- */

static kith_result check_parts(const kith_prefab *prefab, const char *call,
                               const kith_part_value *values, uint32_t value_count)
{
    for (uint32_t i = 0; i < value_count; i++) {
        if (ki_scene_find_part(prefab->scene, prefab->block, values[i].path) == KI_SCENE_NOTHING) {
            char message[256];
            snprintf(message, sizeof message, "%s: prefab '%.80s' has no child '%.100s'", call,
                     kith_prefab_name(prefab), values[i].path);
            return kith_fail(prefab->scene->world, KITH_ERR_ABSENT, message);
        }
    }
    return KITH_OK;
}

kith_result kith_prefab_spawn_parts(const kith_prefab *prefab, const kith_part_value *values,
                                    uint32_t value_count, kith_entity *entity)
{
    if (prefab == NULL || (values == NULL && value_count > 0)) {
        return kith_misuse(prefab == NULL ? NULL : prefab->scene->world,
                           "kith_prefab_spawn_parts: the prefab is NULL, or the values are");
    }
    if (kith_require_change(prefab->scene->world, "kith_prefab_spawn_parts") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    kith_result result = check_parts(prefab, "kith_prefab_spawn_parts", values, value_count);
    const ki_scene_given given = {.parts = values, .count = value_count};
    return result == KITH_OK ? ki_scene_spawn_trees(prefab, 1, &given, entity) : result;
}

kith_entity kith_prefab_queue_parts(const kith_prefab *prefab, kith_commands *commands,
                                    const kith_part_value *values, uint32_t value_count)
{
    if (prefab == NULL || (values == NULL && value_count > 0)) {
        kith_misuse(prefab == NULL ? NULL : prefab->scene->world,
                    "kith_prefab_queue_parts: the prefab is NULL, or the values are");
        return KITH_NONE;
    }
    if (commands != NULL && !is_of_world(prefab, "kith_prefab_queue_parts",
                                         kith_commands_world(commands), "command buffer")) {
        return KITH_NONE;
    }
    for (uint32_t i = 0; i < value_count; i++) {
        if (ki_scene_find_part(prefab->scene, prefab->block, values[i].path) == KI_SCENE_NOTHING) {
            return KITH_NONE;
        }
    }
    const ki_scene_given given = {.parts = values, .count = value_count};
    return ki_scene_queue_tree(prefab, commands, &given);
}
