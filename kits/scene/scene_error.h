/* How calls of the kit tell what went wrong. */
#ifndef KI_SCENE_ERROR_H
#define KI_SCENE_ERROR_H

#include <kith/reader.h>
#include <kith/scene.h>

/* Fills an error that has no place in a text, and returns `result`; kith_error tells the same.
 * `error`, `path` and `message` may be NULL. Without a message, one is chosen by the result. */
kith_result ki_scene_fail(kith_world *world, kith_scene_error *error, const char *path,
                          kith_result result, const char *message);

/* The same for a mistake in a text, with its place. */
kith_result ki_scene_fail_in_text(kith_world *world, kith_scene_error *error, const char *path,
                                  kith_result result, const kith_text_error *mistake);

#endif
