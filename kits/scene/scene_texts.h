/* The texts of a scene while it is read. They become the world's when all of the scene is known to
 * be right. Until then, a value has the number of the text in its place, from 1. */
#ifndef KI_SCENE_TEXTS_H
#define KI_SCENE_TEXTS_H

#include <kith/text.h>

#include "scene/scene_names.h"

typedef struct ki_scene_texts {
    ki_scene_arena arena;
    ki_scene_names texts; /* for each, `stands_for` is its number in the world, once it is there */
    ki_scene_list values; /* those with texts in them */
} ki_scene_texts;

/* The number of a text, which is copied. KITH_ERR_MEMORY. */
kith_result ki_scene_texts_keep(ki_scene_texts *texts, const char *bytes, size_t length,
                                kith_text *text);

/* Notes the bytes of a value, which stay where they are; those of its copies are noted for
 * themselves.
 * KITH_ERR_MEMORY. */
kith_result ki_scene_texts_note(ki_scene_texts *texts, const kith_type *type, char *bytes);

/* Makes all of them texts of the world, and puts those in the places of their numbers.
 * KITH_ERR_MEMORY,
 * KITH_ERR_LIMIT. */
kith_result ki_scene_texts_intern(ki_scene_texts *texts, kith_world *world);

void ki_scene_texts_free(ki_scene_texts *texts);

#endif
