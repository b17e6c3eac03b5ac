/* Kith: interned texts: texts of any length in components of plain bytes.
 *
 *     typedef struct Name { kith_text text; } Name;
 *     KITH_TYPE(Name, KITH_FIELD(Name, text));
 *
 *     kith_text sword;
 *     kith_text_intern(world, "a rusty sword", &sword);
 *     KITH_SET(world, item, Name, {sword});
 *     puts(kith_text_get(world, KITH_GET(world, item, Name)->text, NULL));
 *
 * A world keeps each text once, under a number, until the world is freed. So two texts of one world
 * are equal if their numbers are, and copying a value needs no care. That suits names, keys and
 * paths, which repeat. Texts that are new in every frame would fill the memory (kith_memory tells
 * how much). A number has no meaning in another world, and gives no order. Hashes of a world use
 * the bytes of texts, so the order in which texts were interned does not matter. */
#ifndef KITH_TEXT_H
#define KITH_TEXT_H

#include <kith/type.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Interns `text`, which ends with a zero byte: finds its number, or adds it to the world's texts.
 * The world copies it. This is not a change of structure: it is allowed while queries are open.
 *
 * KITH_ERR_MEMORY
 * KITH_ERR_LIMIT   the world has 1,073,741,823 texts, or this one has 2^32 - 1 bytes or more */
KITH_API kith_result kith_text_intern(kith_world *world, const char *text, kith_text *interned);

/* The same for `length` bytes of any values, also zeros. */
KITH_API kith_result kith_text_intern_bytes(kith_world *world, const char *bytes, size_t length,
                                            kith_text *interned);

/* The bytes of a text, with a zero byte after them; they stay in place until the world is freed.
 * `*length`, if `length` is not NULL, becomes their number without the zero. For a number that no
 * text of this world has, returns NULL and leaves `*length` alone. */
KITH_API const char *kith_text_get(const kith_world *world, kith_text text, size_t *length);

/* Whether `text` is one of the world's texts; if so, `*found` becomes that text. `found` may be
 * NULL. The empty text always is one. */
KITH_API bool kith_text_find(const kith_world *world, const char *text, kith_text *found);

/* Whether two texts of the same world are equal. */
static inline bool kith_text_equal(kith_text a, kith_text b)
{
    return a.number == b.number;
}

#ifdef __cplusplus
}
#endif
#endif
