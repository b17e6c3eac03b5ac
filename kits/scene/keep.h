/* A scene that is saved as its text: what changed becomes edits of the text. */
#ifndef KI_SCENE_KEEP_H
#define KI_SCENE_KEEP_H

#include "scene/save_task.h"
#include "scene/scene_part.h"

/* Bytes of the text that others replace. */
typedef struct ki_scene_edit {
    size_t at;
    size_t length; /* 0: only adds */
    size_t added;  /* where the new bytes start in `bytes` of the edits */
    size_t added_length;
    uint32_t order; /* of edits at one place */
} ki_scene_edit;

/* Where an entity that lives is in the text. */
typedef enum ki_scene_place_kind {
    KI_SCENE_STAYS, /* where it was read */
    KI_SCENE_LEAVES /* at the end, by itself: it was added, or is a child of another one now */
} ki_scene_place_kind;

typedef struct ki_scene_keep {
    ki_scene_save *task;
    const kith_scene *scene;
    const ki_scene_source *source;
    uint32_t file;          /* its number */
    const char *newline;    /* as the text has it */
    ki_scene_list edits;    /* ki_scene_edit */
    ki_scene_list bytes;    /* char: what is new */
    ki_scene_list printed;  /* char: the text of a value */
    ki_scene_list expected; /* char: a value of the scene */
    ki_scene_list fields;   /* ki_scene_field: those of `printed` */
    ki_scene_list path;     /* char: the last one of a child */
    ki_scene_list places;   /* ki_scene_place_kind: of the entities of the scene */
    uint32_t block;         /* whose lines are edited */
    kith_result told;       /* what cannot be written of an entity that leaves its place */
    bool broken;            /* the last line, which had no line break, has got one or is gone */
    bool failed;            /* memory ran out: what follows does nothing */
} ki_scene_keep;

/* Writes the text of a scene with what changed since. */
kith_result ki_scene_save_text(ki_scene_save *task);

/* ---- keep_tree.c */

/* Whether all values of an entity can be written, and what they refer to, which needs names then. */
kith_result ki_scene_check_entity(ki_scene_keep *keep, const ki_scene_saved *entry);

/* Finds which entities stay in their places, so that children are in them and in their order. Entities
 * that need a name are known, or else it is called again. */
void ki_scene_find_places(ki_scene_keep *keep);

/* Whether an entity of the text lives and is where it was read. */
bool ki_scene_stays(const ki_scene_keep *keep, uint32_t entity);

/* Whether all nodes of an entity of a map are just what its sign and its place say. */
bool ki_scene_is_as_drawn(ki_scene_keep *keep, uint32_t root);

/* What an entity that is written by itself extends: the same as in the text, unless that has
 * children. */
uint32_t ki_scene_base_alone(const ki_scene_keep *keep, uint32_t block);

/* Whether an entity has other values than its block. */
bool ki_scene_entity_changed(ki_scene_keep *keep, uint32_t block);

/* The path of a child goes through others, which need names. */
void ki_scene_name_path(const ki_scene_keep *keep, uint32_t number, uint32_t from);

/* "turret/gun": the names of now, from a node on, without that. It lives until the next one. */
const char *ki_scene_child_path(ki_scene_keep *keep, uint32_t number, uint32_t from);

/* ---- keep_added.c */

/* Adds lines about the children that an entity inherits, after its last one. */
void ki_scene_keep_inherited(ki_scene_keep *keep, uint32_t root);

/* Adds what is at the end of the text. */
void ki_scene_add_leaving(ki_scene_keep *keep);

/* ---- keep_edit.c: all of these do nothing, or little, after memory ran out */

/* Begins an edit: bytes that are added after it are what replaces those from `from` to `to`. */
void ki_scene_replace(ki_scene_keep *keep, const char *from, const char *to);

/* Begins an edit that adds lines at the start of one, or at the end of the text. */
void ki_scene_insert_lines(ki_scene_keep *keep, const char *place);

/* Takes lines away. */
void ki_scene_remove_lines(ki_scene_keep *keep, const char *from, const char *to);

/* Adds to the last edit. */
void ki_scene_add_bytes(ki_scene_keep *keep, const char *bytes, size_t count);
void ki_scene_add_text(ki_scene_keep *keep, const char *text);

/* Prints a value into `printed`, with the names of now. */
const char *ki_scene_print(ki_scene_keep *keep, const kith_type *type, const void *value);

/* The value that the scene says, with handles: in `expected`, or in the scene. `*has` tells if
 * the block has it. NULL for a tag. */
const char *ki_scene_expect(ki_scene_keep *keep, uint32_t block, const kith_type *type, bool *has);

/* Writes out the text with its edits. */
kith_result ki_scene_write_edits(ki_scene_keep *keep);

/* ---- keep_value.c */

/* Whether a field is another than expected, or refers to what cannot be named. */
bool ki_scene_field_changed(const ki_scene_keep *keep, const kith_field *field, const char *value,
                            const char *expected);

/* Whether any field is. Tags never are. */
bool ki_scene_value_changed(const ki_scene_keep *keep, const kith_type *type, const char *value,
                            const char *expected);

/* Adds a line's text to the last edit: the component, and its fields that changed. NULL `expected`:
 * all of them. */
void ki_scene_add_line(ki_scene_keep *keep, const kith_type *type, const char *value,
                       const char *expected);

/* Edits the value of a line, from its {; `end` is where one would be that has none. */
void ki_scene_edit_value(ki_scene_keep *keep, const kith_type *type, const char *open,
                         const char *end, const char *value, const char *expected);

/* Gives the entities in a line the names of now, except in the fields of `value` (NULL: none) that
 * changed. With `mark`, it changes nothing, but marks those that need names.
 * KITH_ERR_INPUT: told. */
kith_result ki_scene_edit_names(ki_scene_keep *keep, const ki_scene_line *line, const char *value,
                                const char *expected, bool mark);

/* ---- keep_names.c */

/* ki_scene_edit_names for all lines that a reader comes to, of a block whose values stay. */
kith_result ki_scene_edit_all_names(ki_scene_keep *keep, kith_reader *reader, bool mark);

/* Marks what the lines of a prefab, or of an entity that was not made, refer to. */
kith_result ki_scene_mark_block(ki_scene_keep *keep, uint32_t block);

/* The same for an entity that stays where it is: what its lines still say. */
kith_result ki_scene_mark_living(ki_scene_keep *keep, uint32_t block);

/* ---- keep_block.c */

/* Edits an entity or prefab that has lines, or a resource. */
kith_result ki_scene_keep_block(ki_scene_keep *keep, uint32_t number, uint32_t entity);

/* Adds the lines of an entity to the last edit, as changes of a block; NOTHING: all of them. */
void ki_scene_add_lines(ki_scene_keep *keep, kith_entity entity, uint32_t base, const char *indent);

/* Adds an entity to the last edit, as `entity NAME : BASE` and its lines. */
void ki_scene_add_entity(ki_scene_keep *keep, const ki_scene_saved *entry, uint32_t base);

#endif
