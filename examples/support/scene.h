/* Scenes: entities and their components as a text that people write.
 *
 *     # A comment runs to the end of its line.
 *     entity player
 *         Position { x = 5, y = 10.5 }
 *         Sprite { glyph = '@', color = 2 }
 *         Frozen
 *
 *     entity
 *         Label { text = "follows the player" }
 *         Follow { leader = player }
 *
 * A line that starts with `entity` begins an entity, and may name it; each line behind it is one of its
 * components, a type that is registered in the world. Fields may come in any order; those that are left
 * out are zero, and a component without any needs no braces. Spaces, tabs and empty lines are free.
 *
 * By the kind of the field a value is
 *     a number             5, -3, 0x1f, and where fractions are, 10.5, .5, 1e-3
 *     true, false
 *     a character          '@', and \n \t \0 \\ \' \" \xHH; of one byte
 *     a text               "...", with the same escapes; as many bytes as the field has
 *     an entity            the name of one in this text, before or behind; or none
 *     a list               [1, 2, 3], for arrays; exactly as many as the field has
 *
 * A name is of letters, digits, `_`, `.` and `:`, and stands for an entity in this text alone: the world
 * does not learn it. A line has at most 4,096 bytes and ends with \n or \r\n. */
#ifndef EXAMPLES_SCENE_H
#define EXAMPLES_SCENE_H

#include <kith/kith.h>

#define SCENE_MAX_LINE 4096u

/* What is wrong, and where. */
typedef struct scene_error {
    uint32_t line;     /* from 1; 0 if no place in the text is to blame */
    uint32_t column;   /* from 1, in bytes */
    char message[512]; /* one line: what was expected, and what was found instead */
} scene_error;

/* Makes the entities of a text, in its order: all of them or none.
 *
 * `text` is `length` bytes, any bytes; it need not end with a zero. `*count` is how many entities were
 * made; it may be NULL. `*error` is written if the call fails; it may be NULL.
 *
 * KITH_ERR_INPUT    the text is no scene for this world: `*error` tells the first place
 * KITH_ERR_LIMIT    the text has 2^32 bytes or more, or the world has no more slots
 * KITH_ERR_MEMORY   for want of memory the entities made so far were ended again. They are gone, but the
 *                   generations of their slots are used up: the one thing a failure leaves behind
 * Misuse while a query is open. */
kith_result scene_load(kith_world *world, const char *text, size_t length, uint32_t *count,
                       scene_error *error);

#endif
