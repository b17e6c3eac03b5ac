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
    uint32_t extent;   /* of a root: so many blocks, from it on, have what is written in it */
    uint32_t next;     /* on the way: of those, the one that is looked at next */
    const char *name;  /* of a child: its path in the text; NULL: none */
    uint32_t name_length;
    bool read;        /* its own lines were */
    const char *body; /* where its first line starts; NULL: a child without lines */
    uint32_t column;  /* in its map */
    uint32_t row;
    ki_scene_state state;
} ki_scene_plan;

/* A word in a value that means an entity. */
typedef struct ki_scene_word {
    const char *start;
    size_t length;
    uint32_t block;    /* that has the value */
    kith_entity means; /* a ki_scene_reference, once it is resolved */
} ki_scene_word;

/* A value in which such words are. */
typedef struct ki_scene_open {
    const kith_type *type;
    char *bytes;
} ki_scene_open;

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
    const char *line_end; /* what may come where a line is expected to end */
    bool refers;          /* the value that was read last names an entity */
    bool looks_only;      /* lines are checked, and read later */
    uint32_t block;       /* that is being read */
    const kith_type *child_of;
    const kith_type *is_a;    /* NULL: the world does not know it */
    const kith_type *entity_name; /* NULL: names in the text are not those of entities */
    ki_scene_list words;      /* ki_scene_word: of the tree that is being read */
    ki_scene_list open;       /* ki_scene_open */
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

/* Expects what begins a line. */
kith_result ki_scene_end_line(ki_scene_draft *draft);

/* Reads `resource T { ... }`, from the word on. */
kith_result ki_scene_read_resource(ki_scene_draft *draft);

/* read.c: reads the text that the reader is at, and all that it includes. */
kith_result ki_scene_read_draft(ki_scene_draft *draft);

/* children.c: adds the children that are written in a block, from the last token on; looks at their
 * lines. */
kith_result ki_scene_read_children(ki_scene_draft *draft, uint32_t root);

/* tree.c: makes the tree of a block whose own lines are read, and all that it extends. */
kith_result ki_scene_make_tree(ki_scene_draft *draft, uint32_t root);

/* Numbers the entities of the scene, children after their root. */
kith_result ki_scene_number_entities(ki_scene_draft *draft);

/* reference.c: gives the words of a tree, or of a resource, their meaning: a node or a name. */
kith_result ki_scene_resolve_words(ki_scene_draft *draft);

/* Gives the names of paths their meaning, and finds the first one in the text that no entity has. */
kith_result ki_scene_check_names(ki_scene_draft *draft);

/* relations.c: relations have targets, and none that is acyclic comes back to where it began. */
kith_result ki_scene_check_relations(ki_scene_draft *draft);

/* inherit.c: reads the lines of all blocks that had to wait. */
kith_result ki_scene_inherit(ki_scene_draft *draft);

#endif
