/* A scene that was read: what its entities and prefabs have. */
#ifndef KI_SCENE_SCENE_H
#define KI_SCENE_SCENE_H

#include <kith/namer.h>
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

typedef enum ki_scene_kind {
    KI_SCENE_ENTITY,
    KI_SCENE_PREFAB,
    KI_SCENE_RESOURCE, /* with one value */
    KI_SCENE_IMPORT    /* a copy of another scene's prefab; not in the text */
} ki_scene_kind;

/* An entity, a prefab or a resource of the text. */
typedef struct ki_scene_block {
    const char *name;  /* "" if it has none; that of an import is "bat from cave" */
    const char *start; /* where it begins in the text; NULL: it is not there */
    kith_scene_place place;
    ki_scene_kind kind;
    uint32_t base; /* the block that it extends; KI_SCENE_NOTHING: none */
    uint32_t map;  /* number of the map that it is a place of, from 1; 0: it has lines */
    uint32_t first_value;
    uint32_t value_count;
} ki_scene_block;

/* A text that the scene was read from. */
typedef struct ki_scene_source {
    char *text; /* as it was given, of exactly `length` bytes or, from a file, with some room */
    size_t length;
    size_t room;
    size_t mark;          /* bytes of a byte order mark at its start */
    const char *path;     /* "": none */
    uint32_t included_by; /* number of a source; KI_SCENE_NOTHING: none */
    const char *include;  /* the place of its path, there */
    const char *resume;   /* where that one goes on */
} ki_scene_source;

typedef struct ki_scene_kept ki_scene_kept;

/* A prefab, ready to be spawned. */
struct kith_prefab {
    kith_scene *scene;
    uint32_t block;
    uint32_t value_count;
    kith_value *values; /* what names entities has a value of its own, with handles in it */
};

struct kith_scene {
    kith_world *world;
    kith_namer namer; /* its names in messages of the world, from when it was read */
    ki_scene_arena arena;
    ki_scene_names names;        /* of entities */
    ki_scene_names prefab_names; /* for each, `stands_for` is its number among the prefabs */
    ki_scene_names imports;      /* "bat from cave": `stands_for` is its block */
    ki_scene_list sources;       /* ki_scene_source */
    ki_scene_list blocks;        /* ki_scene_block */
    ki_scene_list values;        /* ki_scene_value */
    ki_scene_list entities;      /* uint32_t: numbers of blocks */
    ki_scene_list resources;     /* uint32_t: numbers of blocks */
    ki_scene_list prefabs;       /* kith_prefab */
    ki_scene_list map_ends;      /* const char *: a place in the last line of each map */
    ki_scene_list libraries;     /* kith_scene_library: their scenes may be gone */
    kith_scene_place end;        /* of the text */
    bool made;                   /* its entities and resources were, at least once */
    uint32_t text_entities;      /* the first of the entities are those of the text */
    ki_scene_list handles;       /* kith_entity: those that were made last, and added; or none */
    ki_scene_kept *kept;        /* what snapshots keep of the scene as it is; NULL: nothing yet */
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

static inline ki_scene_source *ki_scene_source_at(const kith_scene *scene, uint32_t number)
{
    return (ki_scene_source *)scene->sources.items + number;
}

/* The entity of a number; KITH_NONE if it was not made. */
static inline kith_entity ki_scene_handle(const kith_scene *scene, uint32_t number)
{
    return number < scene->handles.count ? ((const kith_entity *)scene->handles.items)[number]
                                         : KITH_NONE;
}

/* Copies a value that refers, with `handles`, one for each entity of the scene, in place of names:
 * NULL handles are KITH_NONE. */
void ki_scene_link_value(const kith_scene *scene, const ki_scene_value *value,
                         const kith_entity *handles, void *bytes);

/* The prefabs that name entities mean those of the scene from now on. */
void ki_scene_link_prefabs(kith_scene *scene);

#endif
