/* The texts that a scene is read from: the one that was given, and those that it includes. */
#ifndef KI_SCENE_SOURCE_H
#define KI_SCENE_SOURCE_H

#include "scene/draft.h"

/* Adds the text that `def` gives, and reads on at its start. Fills the draft's error, if the result
 * is KITH_ERR_INPUT.
 * KITH_ERR_IO: `errno` tells why. */
kith_result ki_scene_open_first(ki_scene_draft *draft);

/* Reads `include "PATH"`, from the word on, and on at the start of that file. What fails for
 * another reason than memory fills the draft's error. */
kith_result ki_scene_include(ki_scene_draft *draft);

/* At the end of a text, reads on after the include that it came from; false if there is none. */
bool ki_scene_leave(ki_scene_draft *draft);

/* The reader reads a source, from its start on. */
void ki_scene_enter(ki_scene_draft *draft, uint32_t source);

/* The last token is `length` bytes at a place of a text, which is read from here on: for errors. */
void ki_scene_point_at(ki_scene_draft *draft, const char *start, size_t length);

/* Adds to a mistake in an included text where that is included. */
void ki_scene_add_chain(const ki_scene_draft *draft, kith_text_error *mistake);

/* The source that has a place. */
uint32_t ki_scene_source_of(const kith_scene *scene, const char *place);

#endif
