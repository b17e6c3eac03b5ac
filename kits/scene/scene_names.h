/* The names of a scene: each gets a number, in the order in which they came up. */
#ifndef KI_SCENE_NAMES_H
#define KI_SCENE_NAMES_H

#include <kith/entity.h>

#include "scene/scene_memory.h"

#define KI_SCENE_NOTHING UINT32_MAX
#define KI_SCENE_OUTSIDE (UINT32_MAX - 1) /* an entity that is not of the scene */

typedef struct ki_scene_name {
    const char *text; /* in the arena */
    size_t length;
    uint32_t stands_for; /* the number of an entity or a prefab; KI_SCENE_NOTHING so far */
    const char *where;   /* it first came up, in the text that is being read */
    uint32_t owner; /* the entity that has the name now; what the text says stays `stands_for` */
    kith_entity outside; /* what it means, if that is KI_SCENE_OUTSIDE */
} ki_scene_name;

typedef struct ki_scene_names {
    ki_scene_list names;
    ki_scene_list slots; /* open addressing: numbers from 1; as many slots as a power of two */
} ki_scene_names;

/* A hash of a name. */
uint32_t ki_scene_names_hash(const char *text, size_t length);

/* The number of a name; KI_SCENE_NOTHING if it is not there. */
uint32_t ki_scene_names_find(const ki_scene_names *names, const char *text, size_t length);

/* Adds one that is not there; its number, or KI_SCENE_NOTHING if memory ran out. */
uint32_t ki_scene_names_add(ki_scene_names *names, ki_scene_arena *arena, const char *text,
                            size_t length);

ki_scene_name *ki_scene_names_at(const ki_scene_names *names, uint32_t number);

void ki_scene_names_free(ki_scene_names *names, const kith_allocator *allocator);

#endif
