/* A scene, read and understood: nothing of it is in a world yet. */
#ifndef EXAMPLES_SCENE_DRAFT_H
#define EXAMPLES_SCENE_DRAFT_H

#include "scene.h"
#include "scene_names.h"
#include "scene_token.h"

typedef struct draft_entity {
    size_t first_value;
    uint32_t value_count;
} draft_entity;

typedef struct draft_value {
    const kith_type *type;
    size_t byte; /* where its bytes are in draft.bytes, which moves while it grows */
    bool zero;   /* no field is set: there are no bytes */
    uint32_t line;
} draft_value;

/* A field that names an entity. Its bytes are zero until handles are known. */
typedef struct draft_reference {
    scene_token name;
    uint32_t line;
    uint32_t column;
    uint32_t entity; /* the one that has the field */
    const kith_type *type;
    const kith_field *field;
    size_t byte; /* of the value: where the handle belongs */
} draft_reference;

/* A growing array. */
typedef struct scene_list {
    void *items;
    size_t count;
    size_t capacity;
} scene_list;

typedef struct scene_draft {
    const kith_world *world; /* whose types are known */
    scene_list entities;     /* draft_entity */
    scene_list values;       /* draft_value */
    scene_list references;   /* draft_reference */
    scene_list bytes;        /* char */
    scene_names names;
} scene_draft;

/* Reads a text into a draft that is all zero but for its world. `error` must not be NULL.
 * KITH_ERR_INPUT   `*error` tells the first place that is wrong; KITH_ERR_MEMORY
 * The draft is to be freed in any case, and before the text. */
kith_result scene_draft_read(scene_draft *draft, const char *text, size_t length,
                             scene_error *error);

void scene_draft_free(scene_draft *draft);

/* Room for `count` more items of `size` bytes, all zero; NULL if memory ran out. */
void *scene_list_add(scene_list *list, size_t count, size_t size);

#endif
