/* Which name in a scene stands for which entity. */
#ifndef EXAMPLES_SCENE_NAMES_H
#define EXAMPLES_SCENE_NAMES_H

#include <kith/kith.h>

typedef struct scene_name {
    const char *text; /* in the scene's text; NULL for a place that is free */
    size_t length;
    uint32_t entity; /* its number in the scene */
    uint32_t line;
} scene_name;

/* All zero is an empty one. */
typedef struct scene_names {
    scene_name *places;
    size_t place_count; /* a power of two, or 0 */
    size_t count;
} scene_names;

/* NULL if there is none. */
const scene_name *scene_names_find(const scene_names *names, const char *text, size_t length);

/* The name must not be there. False if memory ran out. */
bool scene_names_add(scene_names *names, scene_name name);

void scene_names_free(scene_names *names);

#endif
