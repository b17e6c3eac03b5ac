/* Kith: the handle of an entity. Stands alone, so that code which only passes handles around needs
 * nothing else. */
#ifndef KITH_ENTITY_H
#define KITH_ENTITY_H

#include <kith/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names an entity: passed by value, kept as long as you like, safe with any bit pattern.
 *
 * `index1` is the number of the entity's slot plus one, so that all zero is "no entity". Slots are
 * used again; `generation` tells how often this one was, so that a handle which outlived its entity
 * is dead, and stays dead: a slot that runs out of generations is never used again. */
typedef struct kith_entity {
    uint32_t index1;
    uint32_t generation;
} kith_entity;

/* No entity. */
#ifdef __cplusplus
#define KITH_NONE (kith_entity{0, 0})
#else
#define KITH_NONE ((kith_entity){0, 0})
#endif

static inline bool kith_is_none(kith_entity entity)
{
    return entity.index1 == 0 && entity.generation == 0;
}

/* The number of the entity's slot, from 0; UINT32_MAX for no entity. */
static inline uint32_t kith_entity_slot(kith_entity entity)
{
    return entity.index1 - 1;
}

static inline bool kith_entity_equal(kith_entity a, kith_entity b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

/* A handle as text, by value, so that it can be an argument of printf:
 *     printf("%s\n", kith_entity_to_text(player).text);
 * Prints `Entity(2v1)` for slot 2 in its second life, `Entity(null)` for no entity, and
 * `Entity(~7)` for a bit pattern that is neither (index1 0, generation 7). */
typedef struct kith_entity_text {
    char text[32];
} kith_entity_text;

KITH_API kith_entity_text kith_entity_to_text(kith_entity entity);

/* Reads what kith_entity_to_text writes, and nothing else: no spaces, no signs, no leading zeros.
 * The whole of `text` must be a handle, of a living entity or not. NULL `entity` only checks the
 * text.
 *
 * KITH_ERR_INPUT   it is not, or a number is too large; `*entity` is untouched. NULL is not a handle */
KITH_API kith_result kith_entity_from_text(const char *text, kith_entity *entity);

#ifdef __cplusplus
}
#endif
#endif
