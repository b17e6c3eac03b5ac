/* Prefabs that take several steps: those with children, or with values that name what is made. */
#ifndef KI_SCENE_PREFAB_TREE_H
#define KI_SCENE_PREFAB_TREE_H

#include "scene/scene.h"

/* Values of the program's, of one of three kinds; their paths are right. */
typedef struct ki_scene_given {
    const kith_value *values;
    const kith_values *rows;
    const kith_part_value *parts;
    uint32_t count;
} ki_scene_given;

/* Makes `count` trees, all or none. `entities` may be NULL. */
kith_result ki_scene_spawn_trees(const kith_prefab *prefab, uint32_t count,
                                 const ki_scene_given *given, kith_entity *entities);

/* Queues a tree; its root, or KITH_NONE. */
kith_entity ki_scene_queue_tree(const kith_prefab *prefab, kith_commands *commands,
                                const ki_scene_given *given);

#endif
