/* The parts of a block in a text that is known to be right: its first line, its lines, and the
 * fields of their values. */
#ifndef KI_SCENE_PART_H
#define KI_SCENE_PART_H

#include "scene/scene.h"

/* The first line of a block. */
typedef struct ki_scene_heading {
    const char *word_end; /* the end of the word that begins it */
    const char *name;     /* NULL: it has none; of a child a path */
    size_t name_length;
    const char *end; /* of its last token, without a { */
    bool opens;      /* a child with lines: { follows */
} ki_scene_heading;

/* A line of a block: a component, or what is not inherited. */
typedef struct ki_scene_line {
    const kith_type *type;
    bool removal;
    const char *start;
    const char *open; /* the { of its value; NULL: none */
    const char *end;  /* of its last token */
} ki_scene_line;

/* A field of a value. */
typedef struct ki_scene_field {
    const kith_field *field;
    const char *start; /* of its name */
    const char *value;
    const char *end;
} ki_scene_field;

/* A reader of a source, at a place of it. */
kith_reader ki_scene_reader_at(const ki_scene_source *source, const char *place);

/* Reads the first line of an entity or prefab, and the token after it. */
ki_scene_heading ki_scene_read_heading(kith_reader *reader);

/* Whether the last token is beyond an entity or prefab and its children. */
bool ki_scene_is_end_of_block(const kith_reader *reader);

/* Where what is written in a child ends: its }, or its first line. */
const char *ki_scene_child_end(const ki_scene_source *source, const char *start);

/* Reads a line, from the last token on, and the token after it; false if there are no more. */
bool ki_scene_next_line(kith_reader *reader, const kith_scene *scene, ki_scene_line *line);

/* Reads a field of a value, `name = value`, from the last token on; false at the }. Before the first
 * one, read the token after the {. */
bool ki_scene_next_field(kith_reader *reader, const kith_type *type, ki_scene_field *field);

/* Where the line of a place starts; where it ends, before its line break; and where the next line
 * starts. */
const char *ki_scene_line_start(const ki_scene_source *source, const char *place);
const char *ki_scene_line_end(const ki_scene_source *source, const char *place);
const char *ki_scene_line_next(const ki_scene_source *source, const char *place);

/* What a despawned entity takes along: its lines, from `start` to `last`, the comments right above
 * and within it, and the blank lines after it. */
void ki_scene_block_range(const ki_scene_source *source, const char *start, const char *last,
                          const char **from, const char **to);

#endif
