/* A scene while it is read. */
#ifndef KI_SCENE_DRAFT_H
#define KI_SCENE_DRAFT_H

#include <kith/reader.h>
#include <kith/reflect.h>

#include "scene/scene.h"
#include "scene/scene_texts.h"

/* How far an entity or prefab has got. Its values wait for those that it extends. */
typedef enum ki_scene_state {
    KI_SCENE_WAITS,
    KI_SCENE_ON_THE_WAY, /* looked at on the way to what it extends */
    KI_SCENE_READY
} ki_scene_state;

/* What is known of a block besides what the scene keeps. */
typedef struct ki_scene_plan {
    const char *base; /* the name of the prefab that it extends, in the text; NULL: none */
    uint32_t base_length;
    uint32_t extender; /* on the way: the block that this one was reached from */
    const char *body;  /* where its first line starts */
    uint32_t column;   /* in its map */
    uint32_t row;
    ki_scene_state state;
} ki_scene_plan;

/* A component that a text has named before: looking it up again would cost more than reading it. */
typedef struct ki_scene_known {
    const kith_type *type; /* NULL: none */
    size_t length;         /* of its name */
} ki_scene_known;

typedef struct ki_scene_draft {
    kith_scene *scene;
    const kith_scene_def *def;
    kith_reader reader;
    uint32_t source; /* that the reader reads */
    kith_text_error error;
    ki_scene_names files; /* paths that were read: `stands_for` is the number of the source */
    ki_scene_list plans;  /* ki_scene_plan, one a block */
    ki_scene_list maps;   /* ki_scene_map */
    ki_scene_texts texts;
    const char *line_end;     /* what may come where a line is expected to end */
    bool refers;              /* the value that was read last names an entity */
    ki_scene_known known[32]; /* by a hash of their names */
    ki_scene_index index;     /* places of the components of the block that is being read, */
    uint32_t indexed;         /* up to here; 0: they are looked through */
    uint32_t index_room;      /* components that it has room for */
    uint32_t looks;           /* how often they were looked through */
    bool gaps;                /* some of them were removed */
} ki_scene_draft;

static inline ki_scene_plan *ki_scene_plan_at(const ki_scene_draft *draft, uint32_t block)
{
    return (ki_scene_plan *)draft->plans.items + block;
}

static inline ki_scene_block *ki_scene_draft_block(const ki_scene_draft *draft, uint32_t block)
{
    return (ki_scene_block *)draft->scene->blocks.items + block;
}

/* lines.c: reads the lines of a block, up to the next block; `reader.token` is the first. They
 * change what the block inherits from block `base` (KI_SCENE_NOTHING: nothing). While the base is
 * not known, they are only checked. */
kith_result ki_scene_read_lines(ki_scene_draft *draft, uint32_t block, uint32_t base);
kith_result ki_scene_look_at_lines(ki_scene_draft *draft);

/* Reads `resource T { ... }`, from the word on. */
kith_result ki_scene_read_resource(ki_scene_draft *draft);

/* read.c: reads the text that the reader is at, and all that it includes. */
kith_result ki_scene_read_draft(ki_scene_draft *draft);

/* inherit.c: the block that a block extends; KI_SCENE_NOTHING if it is not there (yet). */
uint32_t ki_scene_base_of(const ki_scene_draft *draft, uint32_t block);

/* Reads the lines of all blocks that had to wait. */
kith_result ki_scene_inherit(ki_scene_draft *draft);

#endif
