/* Saving: what both kinds of it have in common. */
#ifndef KI_SCENE_SAVE_TASK_H
#define KI_SCENE_SAVE_TASK_H

#include "scene/scene.h"

#define KI_SCENE_KEPT_ROOT 0u

enum { KI_SCENE_SAVE_BUFFER = 4096, KI_SCENE_SAVE_NAME = 32 };

/* An entity that is saved. */
typedef struct ki_scene_saved {
    kith_entity entity;
    const char *name; /* that a scene gave it; NULL: none */
    uint32_t number;  /* in the scene, if that is saved */
    uint32_t parent;  /* the entry that it is written in, from 1; 0: it is written by itself */
    bool referred;    /* by a name, which all that it is written in need too */
} ki_scene_saved;

typedef struct ki_scene_save {
    kith_world *world;
    kith_allocator allocator;
    const kith_scene_save_def *def;
    const kith_scene *names; /* NULL: none */
    kith_scene_error *error;
    ki_scene_list entries;   /* ki_scene_saved, in order of their slots */
    ki_scene_arena arena;    /* of the names that are kept */
    ki_scene_names kept;     /* `stands_for` is KI_SCENE_KEPT_ROOT for those of no child */
    ki_scene_names siblings; /* by parent and number of the kept name */
    ki_scene_names roots;    /* EntityNames of those without a parent; they stand for entries */
    ki_scene_list path;      /* char: the last one that was made */
    uint64_t entities_written;
    bool failed;                   /* memory ran out for that */
    char name[KI_SCENE_SAVE_NAME]; /* the last one that was made up */

    kith_scene_write_fn write;
    void *context;
    char *buffer;
    size_t capacity;
    size_t length;
} ki_scene_save;

static inline ki_scene_saved *ki_scene_saved_at(const ki_scene_save *task, uint32_t number)
{
    return (ki_scene_saved *)task->entries.items + number;
}

/* Whether an entity has a component that is saved. */
static inline bool ki_scene_keeps(const kith_world *world, kith_entity entity,
                                  const kith_type *type)
{
    return kith_has(world, entity, type) && !kith_is_transient(world, type);
}

/* kith_component_next without those that are not saved. */
static inline const kith_type *ki_scene_next_kept(const kith_world *world, kith_entity entity,
                                                  const kith_type *type)
{
    do {
        type = kith_component_next(world, entity, type);
    } while (type != NULL && kith_is_transient(world, type));
    return type;
}

/* ---- save_names.c */

/* The entry of an entity; NULL if it is not saved. */
ki_scene_saved *ki_scene_saved_of(const ki_scene_save *task, kith_entity entity);

/* The same for an entity of the scene that is saved, by its number there. */
ki_scene_saved *ki_scene_saved_number(const ki_scene_save *task, uint32_t number);

/* Puts the entries in the order of their slots. */
void ki_scene_sort_saved(ki_scene_save *task);

/* Notes which names the entries keep.
 * KITH_ERR_MEMORY. */
kith_result ki_scene_keep_names(ki_scene_save *task);

/* The name of a saved entity: the one that it had, or `e` and its number, and as many `_` after it
 * as make it another than those that are kept. */
const char *ki_scene_saved_name(ki_scene_save *task, const ki_scene_saved *entry);

/* That name after those of what it is written in: "tank/turret". */
const char *ki_scene_saved_path(ki_scene_save *task, const ki_scene_saved *entry);

/* An entity needs a name, and so does what it is written in. */
void ki_scene_refer(const ki_scene_save *task, ki_scene_saved *entry);

/* Whether the text says something by the place of an entity, so that no line does: its parent. */
bool ki_scene_is_implied(const ki_scene_saved *entry, const kith_type *type);

/* Whether a value is one of a relation whose target is not saved. */
bool ki_scene_is_lost(const ki_scene_save *task, const kith_type *type, const char *value);

/* A kith_entity_name_fn; the context is the task. */
const char *ki_scene_name_saved(void *context, kith_entity entity);

/* Marks what the entities in a value refer to, or fails at the first one that has no name, and at
 * the first text that there is not. `entity` has the value; KITH_NONE: it is a resource.
 * `inherited`, unless NULL, is the value that it would have without a line. */
kith_result ki_scene_check_value(ki_scene_save *task, kith_entity entity, const kith_type *type,
                                 const char *value, const char *inherited);

/* Fails if two entities have the same EntityName in the text, since the parent that tells them apart
 * is not saved. */
kith_result ki_scene_check_root_names(ki_scene_save *task);

/* Whether a reference can be written, or stays away since it is inherited from another scene. */
bool ki_scene_can_refer(const ki_scene_save *task, kith_entity target,
                        const kith_entity *inherited);

/* Fails because a name in a text is that of an entity which is dead. */
kith_result ki_scene_fail_dead(const ki_scene_save *task, const ki_scene_source *source,
                               const kith_type *type, const char *field, const char *name,
                               size_t length);

/* ---- save_write.c */

/* Writes out what is in the buffer.
 * KITH_ERR_IO. */
kith_result ki_scene_save_flush(ki_scene_save *task);

/* ---- save_tree.c */

/* Finds which entities are written in their parents: all whose parents are saved. */
void ki_scene_nest(ki_scene_save *task);

/* Writes an entity that is written by itself, with its children. */
kith_result ki_scene_save_entity(ki_scene_save *task, uint32_t number);

/* ---- save_write.c */

/* `before`, the name of a type, and its value. */
kith_result ki_scene_save_line(ki_scene_save *task, const char *before, const kith_type *type,
                               const void *value);

kith_result ki_scene_save_bytes(ki_scene_save *task, const char *bytes, size_t count);
kith_result ki_scene_save_put(ki_scene_save *task, const char *text);
kith_result ki_scene_save_value(ki_scene_save *task, const kith_type *type, const void *value);

/* Whether the name of a type is written in quotes: it begins something else, or is not a word. */
bool ki_scene_needs_quotes(const char *name);

#endif
