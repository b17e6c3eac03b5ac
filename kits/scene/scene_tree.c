/* Children of a scene by their names. */
#include "scene/scene_tree.h"

#include <string.h>

/* A child by its name. */
typedef struct scene_child_key {
    uint32_t root;
    uint32_t parent;
    uint32_t word;
} scene_child_key;

uint32_t ki_scene_add_child_name(kith_scene *scene, uint32_t root, uint32_t parent, uint32_t word)
{
    const scene_child_key key = {root, parent, word};
    uint32_t number = ki_scene_names_find(&scene->children, (const char *)&key, sizeof key);
    return number != KI_SCENE_NOTHING ? number
                                      : ki_scene_names_add(&scene->children, &scene->arena,
                                                           (const char *)&key, sizeof key);
}

/* The record of a name that a child may have; NULL: none ever had it. */
static ki_scene_name *child_record(const kith_scene *scene, uint32_t root, uint32_t parent,
                                   const char *name, size_t length)
{
    const scene_child_key key = {root, parent, ki_scene_names_find(&scene->words, name, length)};
    uint32_t number = key.word == KI_SCENE_NOTHING
                          ? KI_SCENE_NOTHING
                          : ki_scene_names_find(&scene->children, (const char *)&key, sizeof key);
    return number == KI_SCENE_NOTHING ? NULL : ki_scene_names_at(&scene->children, number);
}

uint32_t ki_scene_find_child(const kith_scene *scene, uint32_t root, uint32_t parent,
                             const char *name, size_t length)
{
    const ki_scene_name *record = child_record(scene, root, parent, name, length);
    return record == NULL ? KI_SCENE_NOTHING : record->stands_for;
}

ki_scene_name *ki_scene_child_name(const kith_scene *scene, uint32_t block)
{
    const ki_scene_block *of = ki_scene_block_at(scene, block);
    return child_record(scene, of->root, of->parent, of->name, strlen(of->name));
}

void ki_scene_set_child(kith_scene *scene, uint32_t block, uint32_t means)
{
    ki_scene_child_name(scene, block)->stands_for = means;
}

/* The length of the first name of a path. */
static size_t first_name(const char *path, size_t length)
{
    const char *slash = memchr(path, '/', length);
    return slash == NULL ? length : (size_t)(slash - path);
}

/* Goes down from a block, by what is left of a path after a name of it. */
static uint32_t go_down(const kith_scene *scene, uint32_t block, const char *path, size_t length,
                        size_t *found)
{
    while (block != KI_SCENE_NOTHING && *found < length) {
        const ki_scene_block *of = ki_scene_block_at(scene, block);
        const char *name = path + *found + 1;
        size_t size = first_name(name, length - *found - 1);
        block = ki_scene_find_child(scene, of->root, of->node, name, size);
        *found += block == KI_SCENE_NOTHING ? 0 : size + 1;
    }
    return block;
}

uint32_t ki_scene_find_node(const kith_scene *scene, uint32_t block, const char *path,
                            size_t length, size_t *found)
{
    size_t first = first_name(path, length);
    uint32_t root = ki_scene_block_at(scene, block)->root;
    const ki_scene_block *of_root = ki_scene_block_at(scene, root);
    uint32_t node = ki_scene_block_at(scene, block)->node;
    uint32_t start = ki_scene_find_child(scene, root, node, path, first);
    while (start == KI_SCENE_NOTHING && node != 0) {
        node = ki_scene_block_at(scene, ki_scene_node(scene, root, node))->parent;
        start = ki_scene_find_child(scene, root, node, path, first);
    }
    if (start == KI_SCENE_NOTHING && of_root->kind == KI_SCENE_PREFAB &&
        strlen(of_root->name) == first && memcmp(of_root->name, path, first) == 0) {
        start = root;
    }
    *found = start == KI_SCENE_NOTHING ? 0 : first;
    return go_down(scene, start, path, length, found);
}

uint32_t ki_scene_find_path(const kith_scene *scene, const char *path, size_t length)
{
    size_t found = first_name(path, length);
    uint32_t number = ki_scene_names_find(&scene->names, path, found);
    uint32_t entity = number == KI_SCENE_NOTHING
                          ? KI_SCENE_NOTHING
                          : ki_scene_names_at(&scene->names, number)->stands_for;
    return entity == KI_SCENE_NOTHING || entity == KI_SCENE_OUTSIDE
               ? KI_SCENE_NOTHING
               : go_down(scene, ki_scene_block_number(scene, entity), path, length, &found);
}

uint32_t ki_scene_find_owner(const kith_scene *scene, const char *path, size_t length)
{
    size_t size = first_name(path, length);
    uint32_t number = ki_scene_names_find(&scene->names, path, size);
    uint32_t owner = number == KI_SCENE_NOTHING ? KI_SCENE_NOTHING
                                                : ki_scene_names_at(&scene->names, number)->owner;
    while (owner != KI_SCENE_NOTHING && size < length) {
        const ki_scene_block *of = ki_scene_entity_block(scene, owner);
        path += size + 1;
        length -= size + 1;
        size = first_name(path, length);
        const ki_scene_name *record = child_record(scene, of->root, of->node, path, size);
        owner = record == NULL ? KI_SCENE_NOTHING : record->owner;
    }
    return owner;
}

uint32_t ki_scene_find_part(const kith_scene *scene, uint32_t root, const char *path)
{
    uint32_t node = 0;
    while (path != NULL && *path != '\0') {
        size_t size = strcspn(path, "/");
        uint32_t block = ki_scene_find_child(scene, root, node, path, size);
        if (block == KI_SCENE_NOTHING) {
            return KI_SCENE_NOTHING;
        }
        node = ki_scene_block_at(scene, block)->node;
        path += size + (path[size] == '/');
    }
    return node;
}
