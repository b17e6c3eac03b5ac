#include "scene/prefab_tree.h"

#include <stdio.h>
#include <string.h>

#include "scene/scene_link.h"
#include "scene/scene_tree.h"

enum { TREE_NODES = 64, TREE_BYTES = 256 };

/* What making trees needs: on the stack, as long as it is little. */
typedef struct tree_task {
    const kith_prefab *prefab;
    const ki_scene_given *given;
    kith_commands *commands;
    kith_entity *nodes; /* of the tree at hand: provisional handles */
    char *bytes;        /* a value with handles in it */
    size_t node_count;
    size_t byte_count;
    kith_entity few_nodes[TREE_NODES];
    char few_bytes[TREE_BYTES];
} tree_task;

static const ki_scene_block *tree_root(const tree_task *task)
{
    return ki_scene_block_at(task->prefab->scene, task->prefab->block);
}

static const ki_scene_block *tree_node(const tree_task *task, uint32_t node)
{
    const kith_scene *scene = task->prefab->scene;
    return ki_scene_block_at(scene, ki_scene_node(scene, task->prefab->block, node));
}

static void end_tree(tree_task *task)
{
    const kith_allocator *allocator = &task->prefab->scene->arena.allocator;
    if (task->nodes != task->few_nodes && task->nodes != NULL) {
        allocator->release(allocator->context, task->nodes, task->node_count * sizeof(kith_entity),
                           _Alignof(kith_entity));
    }
    if (task->bytes != task->few_bytes && task->bytes != NULL) {
        allocator->release(allocator->context, task->bytes, task->byte_count, 1);
    }
}

/* False if memory ran out. */
static bool start_tree(tree_task *task, const kith_prefab *prefab, const ki_scene_given *given,
                       kith_commands *commands)
{
    const kith_allocator *allocator = &prefab->scene->arena.allocator;
    task->prefab = prefab;
    task->given = given;
    task->commands = commands;
    task->nodes = task->few_nodes;
    task->bytes = task->few_bytes;
    task->node_count = (size_t)tree_root(task)->node_count + 1;
    task->byte_count = 0;
    for (uint32_t i = 0; i < task->node_count; i++) {
        const ki_scene_block *block = tree_node(task, i);
        const ki_scene_value *values = ki_scene_values_of(prefab->scene, block);
        for (uint32_t k = 0; k < block->value_count; k++) {
            size_t size = values[k].refers ? values[k].type->size : 0;
            task->byte_count = size > task->byte_count ? size : task->byte_count;
        }
    }
    if (task->node_count > TREE_NODES) {
        task->nodes = allocator->allocate(
            allocator->context, task->node_count * sizeof(kith_entity), _Alignof(kith_entity));
    }
    if (task->byte_count > TREE_BYTES) {
        task->bytes = allocator->allocate(allocator->context, task->byte_count, 1);
    }
    return task->nodes != NULL && task->bytes != NULL;
}

/* ---- Values of the program's ------------------------------------------------------------------- */

static kith_value given_value(const ki_scene_given *given, uint32_t number, uint32_t row)
{
    if (given->rows == NULL) {
        return given->parts != NULL ? given->parts[number].value : given->values[number];
    }
    const kith_values *rows = &given->rows[number];
    bool each = rows->each && rows->type != NULL && rows->data != NULL;
    return (kith_value){rows->type, each ? (const char *)rows->data + (size_t)row * rows->type->size
                                         : rows->data};
}

static uint32_t given_node(const tree_task *task, uint32_t number)
{
    const ki_scene_given *given = task->given;
    return given->parts == NULL ? 0
                                : ki_scene_find_part(task->prefab->scene, task->prefab->block,
                                                     given->parts[number].path);
}

/* Whether the program gives another value instead. */
static bool is_replaced(const tree_task *task, uint32_t node, const kith_type *type)
{
    const ki_scene_given *given = task->given;
    for (uint32_t i = 0; i < given->count; i++) {
        if (ki_scene_same_type(given_value(given, i, 0).type, type) &&
            given_node(task, i) == node) {
            return true;
        }
    }
    return false;
}

/* ---- Queueing -------------------------------------------------------------------------------- */

/* Whether an end of a relation, by its number, is a node that is made. */
static bool is_within(const tree_task *task, const ki_scene_value *value, uint32_t end)
{
    kith_entity named = KITH_NONE;
    if (value->refers) {
        memcpy(&named, value->bytes + end * sizeof named, sizeof named);
    }
    return named.index1 != 0 && named.generation == KI_SCENE_BY_NODE &&
           !kith_is_none(task->nodes[value->frame + named.index1 - 1]);
}

/* A relation to an entity that is known to be dead: it would be left out of what is made. */
static kith_result check_end(const tree_task *task, const kith_type *type, const char *data,
                             uint32_t end)
{
    kith_entity target = KITH_NONE;
    if (data != NULL) {
        memcpy(&target, data + end * sizeof target, sizeof target);
    }
    kith_world *world = task->prefab->scene->world;
    if (kith_alive(world, target)) {
        return KITH_OK;
    }
    char message[256];
    snprintf(message, sizeof message, "prefab '%.80s': the %s of %.80s is %.100s",
             ki_scene_block_at(task->prefab->scene, task->prefab->block)->name,
             end + 1 == ki_scene_ends(type) ? "target" : "source", type->name,
             kith_is_none(target) ? "none" : "not alive");
    return kith_fail(world, KITH_ERR_DEAD, message);
}

static kith_result queue_node(const tree_task *task, uint32_t node, bool check)
{
    const kith_scene *scene = task->prefab->scene;
    const ki_scene_block *block = tree_node(task, node);
    const ki_scene_value *values = ki_scene_values_of(scene, block);
    const ki_scene_handles handles = {scene->handles.count == 0 ? NULL : scene->handles.items,
                                      task->nodes, task->prefab->block};
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < block->value_count; i++) {
        const kith_type *type = values[i].type;
        const void *data = values[i].bytes;
        if (is_replaced(task, node, type)) {
            continue;
        }
        if (values[i].refers) {
            ki_scene_link_value(scene, &values[i], &handles, task->bytes);
            data = task->bytes;
        }
        for (uint32_t end = 0; check && result == KITH_OK && end < ki_scene_ends(type); end++) {
            result = is_within(task, &values[i], end) ? KITH_OK : check_end(task, type, data, end);
        }
        if (result == KITH_OK) {
            result = kith_commands_set(task->commands, task->nodes[node], type, data);
        }
    }
    return result;
}

/* Queues a tree, with the program's values of that row. With `check`, every relation needs a target. */
static kith_result queue_tree(const tree_task *task, uint32_t row, bool check)
{
    kith_result result = KITH_OK;
    for (uint32_t i = 0; i < task->node_count; i++) {
        bool removed = tree_node(task, i)->removed;
        task->nodes[i] = removed ? KITH_NONE : kith_commands_spawn(task->commands);
        if (!removed && kith_is_none(task->nodes[i])) {
            result = KITH_ERR_MEMORY; /* or another one: applying tells */
        }
    }
    for (uint32_t i = 0; result == KITH_OK && i < task->node_count; i++) {
        if (!tree_node(task, i)->removed) {
            result = queue_node(task, i, check);
        }
    }
    for (uint32_t i = 0; result == KITH_OK && i < task->given->count; i++) {
        const kith_value value = given_value(task->given, i, row);
        const uint32_t ends = check && value.type != NULL ? ki_scene_ends(value.type) : 0;
        for (uint32_t end = 0; result == KITH_OK && end < ends; end++) {
            result = check_end(task, value.type, value.data, end);
        }
        if (result == KITH_OK) {
            result = kith_commands_set(task->commands, task->nodes[given_node(task, i)], value.type,
                                       value.data);
        }
    }
    return result;
}

kith_entity ki_scene_queue_tree(const kith_prefab *prefab, kith_commands *commands,
                                const ki_scene_given *given)
{
    tree_task task;
    kith_entity root = KITH_NONE;
    if (start_tree(&task, prefab, given, commands) && queue_tree(&task, 0, false) == KITH_OK) {
        root = task.nodes[0];
    }
    end_tree(&task);
    return root;
}

/* ---- Spawning -------------------------------------------------------------------------------- */

static kith_result make_trees(const tree_task *task, uint32_t count, kith_entity *roots)
{
    kith_world *world = task->prefab->scene->world;
    for (uint32_t i = 0; i < count; i++) {
        kith_result result = queue_tree(task, i, true);
        if (result == KITH_ERR_DEAD) {
            return result;
        }
        if (result != KITH_OK) {
            break; /* so will applying */
        }
        if (roots != NULL) {
            roots[i] = task->nodes[0];
        }
    }
    kith_result result = kith_commands_apply(task->commands, NULL);
    if (result != KITH_OK) {
        return kith_fail(world, result, kith_commands_error(task->commands));
    }
    for (uint32_t i = 0; roots != NULL && i < count; i++) {
        roots[i] = kith_commands_real(task->commands, roots[i]);
    }
    return KITH_OK;
}

kith_result ki_scene_spawn_trees(const kith_prefab *prefab, uint32_t count,
                                 const ki_scene_given *given, kith_entity *entities)
{
    kith_world *world = prefab->scene->world;
    const kith_allocator *allocator = &prefab->scene->arena.allocator;
    tree_task task;
    ki_scene_list roots = {0};
    kith_commands *commands = kith_commands_new(world, NULL);
    bool enough = start_tree(&task, prefab, given, commands) && commands != NULL;
    if (enough && entities != NULL && count > 0) {
        enough = ki_scene_list_add(allocator, &roots, count, sizeof(kith_entity)) != NULL;
    }
    kith_result result =
        enough ? make_trees(&task, count, roots.items) : kith_fail(world, KITH_ERR_MEMORY, NULL);
    if (result == KITH_OK && roots.count > 0) {
        memcpy(entities, roots.items, count * sizeof *entities);
    }
    ki_scene_list_free(allocator, &roots, sizeof(kith_entity));
    kith_commands_free(commands);
    end_tree(&task);
    return result;
}
