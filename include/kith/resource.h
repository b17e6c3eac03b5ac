/* Kith: resources: one value of a type for the whole world (the score, the map's size, a random
 * seed). Part of the world's state: hashed with the entities. */
#ifndef KITH_RESOURCE_H
#define KITH_RESOURCE_H

#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the world's value of `type` to a copy of `*value` (NULL: all zero bytes), adding it if
 * missing. Allowed while queries are open. Pointers to it stay good until it is removed.
 *
 * If the type is registered with hooks (see kith_hooks), the value has them: `copy` or `init` makes
 * it, and `destroy` ends it when it is replaced or removed, or the world is freed.
 *
 * KITH_ERR_TYPE       a field is KITH_OPAQUE, and the type is not registered with hooks
 * KITH_ERR_INPUT      the type makes no sense, or is a tag
 * KITH_ERR_CONFLICT   a resource of the same name but another struct is there
 * KITH_ERR_MEMORY, and what a hook returns */
KITH_API kith_result kith_resource_set(kith_world *world, const kith_type *type, const void *value);
/* KITH_RESOURCE_SET(world, Score, {0}); KITH_RESOURCE_SET(world, Score, score); */
#define KITH_RESOURCE_SET(world, T, ...)                                                           \
    kith_resource_set((world), &T##_type, ((const T[1]){__VA_ARGS__}))

/* The value, to read; NULL if there is none. */
KITH_API const void *kith_resource_get(const kith_world *world, const kith_type *type);

/* The value, to write.
 * KITH_ERR_ABSENT
 * KITH_ERR_MEMORY   kept for later: this version does not return it */
KITH_API kith_result kith_resource_get_mut(kith_world *world, const kith_type *type, void **value);

/* The same as a pointer: NULL if there is none. */
KITH_API void *kith_resource_mut_or_null(kith_world *world, const kith_type *type);

/* KITH_ERR_ABSENT   there is none */
KITH_API kith_result kith_resource_remove(kith_world *world, const kith_type *type);

/* The resources of the world, in the order of their names: NULL after the last. */
KITH_API const kith_type *kith_resource_at(const kith_world *world, uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
