/* Files that scenes are read from. */
#ifndef KI_SCENE_FILE_H
#define KI_SCENE_FILE_H

#include "scene/scene.h"

/* Reads the text of a source from the file at its path, up to the first byte that is zero if there
 * is one.
 * KITH_ERR_MEMORY
 * KITH_ERR_IO   `errno` tells why. */
kith_result ki_scene_read_source(const kith_allocator *allocator, ki_scene_source *source);

#endif
