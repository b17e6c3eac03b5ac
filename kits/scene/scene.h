/* A scene that was read: what its entities and prefabs have. */
#ifndef KI_SCENE_SCENE_H
#define KI_SCENE_SCENE_H

#include <kith/reader.h>
#include <kith/scene.h>

#include "scene/index.h"

/* A component of an entity or prefab. */
typedef struct ki_scene_value {
    const kith_type *type;
    const char *bytes; /* in the arena, also that of others; NULL: zeros */
    bool refers;       /* names entities: in place of one, the number of its name, from 1, is the
                          index1 of a handle whose generation is 0 */
    bool own;          /* while its entity or prefab is read: it was not inherited */
} ki_scene_value;

/* An entity or a prefab of the text. */
typedef struct ki_scene_block {
    const char *name; /* "" if it has none */
    kith_scene_place place;
    uint32_t first_value;
    uint32_t value_count;
} ki_scene_block;

/* A prefab, ready to be spawned. */
struct kith_prefab {
    kith_scene *scene;
    uint32_t block;
    uint32_t value_count;
    kith_value *values; /* what names entities has a value of its own, with handles in it */
};

struct kith_scene {
    kith_world *world;
    ki_scene_arena arena;
    ki_scene_names names;        /* of entities */
    ki_scene_names prefab_names; /* for each, `stands_for` is its number among the prefabs */
    ki_scene_list blocks;        /* ki_scene_block */
    ki_scene_list values;        /* ki_scene_value */
    ki_scene_list entities;      /* uint32_t: numbers of blocks */
    ki_scene_list prefabs;       /* kith_prefab */
    kith_scene_place end;        /* of the text */
    kith_entity *handles;        /* of the entities that were made last; NULL: none were */
};

static inline const ki_scene_block *ki_scene_block_at(const kith_scene *scene, uint32_t number)
{
    return (const ki_scene_block *)scene->blocks.items + number;
}

static inline const ki_scene_block *ki_scene_entity_block(const kith_scene *scene, uint32_t number)
{
    return ki_scene_block_at(scene, ((const uint32_t *)scene->entities.items)[number]);
}

static inline ki_scene_value *ki_scene_values_of(const kith_scene *scene,
                                                 const ki_scene_block *block)
{
    return block->value_count == 0 ? NULL
                                   : (ki_scene_value *)scene->values.items + block->first_value;
}

/* Bytes that `handles` takes; they are aligned for anything. */
static inline size_t ki_scene_handles_size(const kith_scene *scene)
{
    return scene->entities.count == 0 ? 1 : scene->entities.count * sizeof(kith_entity);
}

/* Copies a value that refers, with `handles`, one for each entity of the scene, in place of names:
 * NULL handles are KITH_NONE. */
void ki_scene_link_value(const kith_scene *scene, const ki_scene_value *value,
                         const kith_entity *handles, void *bytes);

#endif
