/* Prefabs of other scenes: a scene copies those that it uses. */
#ifndef KI_SCENE_IMPORT_H
#define KI_SCENE_IMPORT_H

#include "scene/draft.h"

/* Reads `from LIBRARY` after the name of a prefab, if it is there; the last token is the one after
 * that name. `*block` becomes the copy of that prefab, or KI_SCENE_NOTHING if nothing is there, and
 * `*end` the end of it. Reads on. */
kith_result ki_scene_read_from(ki_scene_draft *draft, const char *prefab, size_t length,
                               uint32_t *block, const char **end);

/* Copies a prefab of the library of that name into a scene, once; `draft` is NULL if the scene is
 * not being read. A failure leaves blocks and values that nothing uses.
 * KITH_ERR_MEMORY. */
kith_result ki_scene_import(kith_scene *scene, ki_scene_draft *draft, const kith_prefab *prefab,
                            const char *library, uint32_t *block);

#endif
