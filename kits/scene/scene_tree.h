/* Children of a scene by their names. */
#ifndef KI_SCENE_TREE_H
#define KI_SCENE_TREE_H

#include "scene/scene.h"

/* The record of a child's name, which is added if it is not there; KI_SCENE_NOTHING if memory ran
 * out. */
uint32_t ki_scene_add_child_name(kith_scene *scene, uint32_t root, uint32_t parent, uint32_t word);

/* The block of the child that the text calls so, of a node of a tree; KI_SCENE_NOTHING. */
uint32_t ki_scene_find_child(const kith_scene *scene, uint32_t root, uint32_t parent,
                             const char *name, size_t length);

/* The record of the name of a child, which has one. */
ki_scene_name *ki_scene_child_name(const kith_scene *scene, uint32_t block);

/* The name of a child means another block from now on. */
void ki_scene_set_child(kith_scene *scene, uint32_t block, uint32_t means);

/* What a word or a path in a value of `block` means: a block of its tree, where the first name is
 * looked for from the block on upwards. KI_SCENE_NOTHING: it is not there; if no byte was right, which
 * `*found` tells, an entity of the scene is meant. */
uint32_t ki_scene_find_node(const kith_scene *scene, uint32_t block, const char *path,
                            size_t length, size_t *found);

/* The block that a path of the scene means, from the name of an entity on, as the text says. */
uint32_t ki_scene_find_path(const kith_scene *scene, const char *path, size_t length);

/* The number of the entity that has such a path of names now; KI_SCENE_NOTHING. */
uint32_t ki_scene_find_owner(const kith_scene *scene, const char *path, size_t length);

/* The node of a prefab or entity that a path of names of children means; "" or NULL: the root.
 * KI_SCENE_NOTHING. */
uint32_t ki_scene_find_part(const kith_scene *scene, uint32_t root, const char *path);

#endif
