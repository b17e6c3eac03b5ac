/* The places of components, by name, for when looking through all of them would take long. */
#ifndef KI_SCENE_INDEX_H
#define KI_SCENE_INDEX_H

#include <kith/type.h>

#include "scene/scene_names.h"

/* Up to so many components are looked through, and more of them so many times, before an index is
 * worth it. */
#define KI_SCENE_INDEX_FEW 32u
#define KI_SCENE_LOOKS_FEW 8u

typedef struct ki_scene_index {
    ki_scene_list slots; /* open addressing; as many slots as a power of two */
} ki_scene_index;

/* Whether two descriptors are of one type: a program has its own, and what a world calls a type is
 * its name. */
bool ki_scene_same_type(const kith_type *a, const kith_type *b);

/* Empties the index, with room for so many components; false if memory ran out. */
bool ki_scene_index_clear(ki_scene_index *index, const kith_allocator *allocator, uint32_t count);

/* Notes the place of a component, or KI_SCENE_NOTHING for none. */
void ki_scene_index_put(ki_scene_index *index, const kith_type *type, uint32_t place);

/* Where that was noted; else KI_SCENE_NOTHING. */
uint32_t ki_scene_index_get(const ki_scene_index *index, const kith_type *type);

void ki_scene_index_free(ki_scene_index *index, const kith_allocator *allocator);

#endif
