/* A map of a text: rows of characters, each of which may be an entity. */
#ifndef KI_SCENE_MAP_H
#define KI_SCENE_MAP_H

#include "scene/draft.h"

/* A field that takes the column or row of a place. */
typedef struct ki_scene_axis {
    const kith_type *type;
    const kith_field *field; /* NULL: not said so far */
} ki_scene_axis;

typedef struct ki_scene_map {
    ki_scene_axis across;
    ki_scene_axis down;
    uint32_t rows;
    const char *names[256]; /* of the prefab of a sign, in the text; NULL: none */
    uint32_t lengths[256];
    uint32_t imports[256]; /* the block of a prefab of another scene, from 1; 0: of this one */
} ki_scene_map;

/* Reads what follows the word "map", up to the next block. Each place that is not blank becomes an
 * entity. */
kith_result ki_scene_read_map(ki_scene_draft *draft);

/* Writes the column and row of an entity of a map over what it inherits. */
kith_result ki_scene_place_cell(ki_scene_draft *draft, uint32_t block);

#endif
