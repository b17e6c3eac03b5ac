/* Kith: interned texts: texts of any length in components that stay plain bytes.
 *
 *     typedef struct Name { kith_text text; } Name;
 *     KITH_TYPE(Name, KITH_FIELD(Name, text));
 *
 *     kith_text sword;
 *     kith_text_intern(world, "a rusty sword", &sword);
 *     KITH_SET(world, item, Name, {sword});
 *     puts(kith_text_get(world, KITH_GET(world, item, Name)->text, NULL));
 *
 * A world keeps each text once, under a number, until it is freed: so two texts of one world are
 * the same if their numbers are, and a value that is copied needs no care. That suits names, keys
 * and paths, which come again; a text that is new every frame would fill the memory (kith_memory
 * tells how much). A number means nothing in another world, and nothing about order. Hashes of a
 * world take a text by its bytes, so that it does not matter in which order texts were interned. */
#ifndef KITH_TEXT_H
#define KITH_TEXT_H

#include <kith/type.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes `text`, which ends with a zero byte, one of the world's texts, if it is not yet. No change
 * of structure: allowed while queries are open. The world copies what it keeps.
 *
 * KITH_ERR_MEMORY
 * KITH_ERR_LIMIT   the world has 1,073,741,823 texts, or this one has 2^32 - 1 bytes or more */
KITH_API kith_result kith_text_intern(kith_world *world, const char *text, kith_text *interned);

/* The same for `length` bytes, which may be any, zeros included. */
KITH_API kith_result kith_text_intern_bytes(kith_world *world, const char *bytes, size_t length,
                                            kith_text *interned);

/* The bytes of a text, with a zero byte behind them; they stay there until the world is freed.
 * `*length`, where that is not NULL, is how many there are without it. NULL, and `*length`
 * untouched, for a number that no text of this world has. */
KITH_API const char *kith_text_get(const kith_world *world, kith_text text, size_t *length);

/* Whether `text` is one of the world's; `*found` is then which. It may be NULL. The empty one
 * always is. */
KITH_API bool kith_text_find(const kith_world *world, const char *text, kith_text *found);

/* Whether two texts of the same world are the same. */
static inline bool kith_text_equal(kith_text a, kith_text b)
{
    return a.number == b.number;
}

#ifdef __cplusplus
}
#endif
#endif
