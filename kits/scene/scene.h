/* A scene that was read: what its entities and prefabs have. */
#ifndef KI_SCENE_SCENE_H
#define KI_SCENE_SCENE_H

#include <kith/hierarchy.h>
#include <kith/name.h>
#include <kith/namer.h>
#include <kith/reader.h>
#include <kith/scene.h>

#include "scene/index.h"

/* A component of an entity or prefab. */
typedef struct ki_scene_value {
    const kith_type *type;
    const char *bytes; /* in the arena, also that of others; NULL: zeros */
    const char *line;  /* in the text that it was read from last; NULL: none says it */
    uint32_t frame;    /* the node of its tree from which references within that count */
    bool refers;       /* names entities: see ki_scene_reference */
    bool own;          /* while its entity or prefab is read: it was not inherited */
} ki_scene_value;

/* What is in place of the handle of an entity that a value names: index1 is a number from 1, and the
 * generation one of these, which tells of what. */
typedef enum ki_scene_reference {
    KI_SCENE_BY_NAME,   /* of a name of the scene */
    KI_SCENE_BY_NODE,   /* of a node of the tree that has the value, from its frame on */
    KI_SCENE_UNRESOLVED /* of a reference of the draft, while the tree is read */
} ki_scene_reference;

typedef enum ki_scene_kind {
    KI_SCENE_ENTITY,
    KI_SCENE_PREFAB,
    KI_SCENE_RESOURCE, /* with one value */
    KI_SCENE_IMPORT    /* a copy of another scene's prefab; not in the text */
} ki_scene_kind;

/* An entity, a prefab or a resource of the text, or a child in the tree of an entity or prefab. The
 * nodes of a tree are numbered: 0 is the root, and parents come before their children. What extends a
 * tree begins with all nodes of it, so that a number means the same in both. */
typedef struct ki_scene_block {
    const char *name;  /* "" if it has none; that of an import is "bat from cave" */
    const char *start; /* where it begins in the text; NULL: it is not there */
    kith_scene_place place;
    ki_scene_kind kind;
    uint32_t base; /* the block that it extends; KI_SCENE_NOTHING: none */
    uint32_t root; /* of its tree: itself, unless it is a child */
    uint32_t node;
    uint32_t parent; /* a child's, as a node */
    uint32_t shift;  /* the node that is the root of the tree of `base` */
    uint32_t within; /* the block that a child is written in; KI_SCENE_NOTHING: it is inherited */
    uint32_t first_node; /* a root's children: places of `nodes` of the scene */
    uint32_t node_count;
    uint32_t entity; /* its number among the entities; KI_SCENE_NOTHING: it is not one of them */
    bool removed;    /* a child that is not inherited, although what the root extends has it */
    uint32_t map;    /* number of the map that it is a place of, from 1; 0: it has lines */
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
    bool is_tree;       /* it has children, or refers to itself: several steps make it */
};

struct kith_scene {
    kith_world *world;
    kith_namer namer; /* its names in messages of the world, from when it was read */
    ki_scene_arena arena;
    ki_scene_names names;        /* of entities, and paths that are referred to: a/b */
    ki_scene_names words;        /* names of children */
    ki_scene_names children;     /* by root, parent and word: `stands_for` is the block */
    ki_scene_list nodes;         /* uint32_t: numbers of blocks, those of a tree side by side */
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
    bool entity_names;           /* names in the text become EntityNames */
    bool made;                   /* its entities and resources were, at least once */
    uint32_t text_entities;      /* the first of the entities are those of the text */
    ki_scene_list handles;       /* kith_entity: those that were made last, and added; or none */
    ki_scene_kept *kept;         /* what snapshots keep of the scene as it is; NULL: nothing yet */
};

static inline const ki_scene_block *ki_scene_block_at(const kith_scene *scene, uint32_t number)
{
    return (const ki_scene_block *)scene->blocks.items + number;
}

/* The number of the block of an entity. */
static inline uint32_t ki_scene_block_number(const kith_scene *scene, uint32_t entity)
{
    return ((const uint32_t *)scene->entities.items)[entity];
}

static inline const ki_scene_block *ki_scene_entity_block(const kith_scene *scene, uint32_t number)
{
    return ki_scene_block_at(scene, ki_scene_block_number(scene, number));
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

/* The block of a node of a tree. */
static inline uint32_t ki_scene_node(const kith_scene *scene, uint32_t root, uint32_t node)
{
    return node == 0
               ? root
               : ((const uint32_t *)
                      scene->nodes.items)[ki_scene_block_at(scene, root)->first_node + node - 1];
}

static inline bool ki_scene_is_child(const kith_scene *scene, uint32_t block)
{
    return ki_scene_block_at(scene, block)->root != block;
}

#endif
