/* Values that refer to entities get their handles. */
#ifndef KI_SCENE_SCENE_LINK_H
#define KI_SCENE_SCENE_LINK_H

#include "scene/scene.h"

/* Whose handles a value gets in place of what it names. */
typedef struct ki_scene_handles {
    const kith_entity *entities; /* one for each entity of the scene; NULL: KITH_NONE for all */
    const kith_entity *nodes;    /* one for each node of the tree; NULL: they are entities */
    uint32_t root;               /* the block whose tree has the value */
} ki_scene_handles;

/* Copies a value that refers, with handles. */
void ki_scene_link_value(const kith_scene *scene, const ki_scene_value *value,
                         const ki_scene_handles *handles, void *bytes);

/* Whether a linked value, if it is one of a relation, has a target, and both ends if it is a link.
 * Entities of the scene itself count as living, those of other scenes are asked. */
bool ki_scene_has_ends(const kith_scene *scene, const ki_scene_value *value, const void *bytes);

/* Whether a type is a relation, whose first field is its target. */
static inline bool ki_scene_is_relation(const kith_type *type)
{
    return type->relation != 0;
}

/* How many entities a value begins with that it is nothing without: the target of a relation, and both
 * ends of a link. */
static inline uint32_t ki_scene_ends(const kith_type *type)
{
    return type->relation == 0 ? 0 : (type->relation & KITH_MANY) != 0 ? 2 : 1;
}

/* The prefabs that name entities mean those of the scene from now on. */
void ki_scene_link_prefabs(kith_scene *scene);

#endif
