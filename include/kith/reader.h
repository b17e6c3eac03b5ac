/* Kith: reading texts that have values in them: for file formats, consoles and scripts of your own.
 *
 * A reader gives one token after another, reads a value where one stands, and tells mistakes with
 * their place. What a value looks like is in <kith/reflect.h>.
 *
 *     kith_text_error error;
 *     kith_reader reader = {.text = line, .length = strlen(line), .error = &error};
 *     kith_result result = kith_read_token(&reader);
 *     if (result == KITH_OK && kith_token_is(&reader, "teleport")) {
 *         result = kith_read_token(&reader);
 *         if (result == KITH_OK) {
 *             result = kith_read_value(&reader, &Position_type, &target);   // { x = 3, y = 4 }
 *         }
 *     }
 *
 * A reader holds no memory and may be copied: a copy reads on from the same
 * place. Any bytes are safe to read. */
#ifndef KITH_READER_H
#define KITH_READER_H

#include <kith/base.h>
#include <kith/entity.h>
#include <kith/type.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kith_token_kind {
    KITH_TOKEN_END = 0, /* of the text */
    KITH_TOKEN_WORD,    /* Position, game::Position, velocity.x, path[2].y, Entity(2v1),
                           nan(0x7fc00001); not the colon in "Position:", which is a mark */
    KITH_TOKEN_NUMBER,  /* what starts like a number, with a sign or a point too; it may be none */
    KITH_TOKEN_CHAR,    /* with its quotes '', escapes as they stand */
    KITH_TOKEN_TEXT,    /* with its quotes "", likewise; within one line */
    KITH_TOKEN_MARK     /* any other byte */
} kith_token_kind;

typedef struct kith_token {
    kith_token_kind kind;
    bool first; /* in its line, but for spaces; the end of the text counts as one more line */
    const char *start; /* in the text */
    size_t length;
} kith_token;

/* A mistake in a text, and where. */
typedef struct kith_text_error {
    uint32_t line;     /* from 1 */
    uint32_t column;   /* from 1, in bytes */
    char message[512]; /* one line: what was expected, and what was found instead */
} kith_text_error;

/* Where to read. `text` and `length` are yours to set, the others may be left zero. */
typedef struct kith_reader {
    const char *text; /* any bytes; they need not end with a zero */
    size_t length;
    kith_text_error *error; /* where a mistake is told; NULL if that interests nobody */

    /* Tells which entity a word, `reader->token`, stands for; it reads nothing itself. For a word
     * that means nothing it returns an error, best by kith_read_expected. NULL: entities stand as
     * kith_print writes them. "none" is always KITH_NONE. Called for values that are only looked
     * at, too. */
    kith_result (*find_entity)(struct kith_reader *reader, void *context, kith_entity *entity);
    void *context; /* handed to find_entity and keep_text */

    /* Whose texts those in fields of kind KITH_TEXT become, when a value is read and not only looked
     * at: then its owner reads. NULL: there they are a mistake. */
    struct kith_world *world;

    /* Makes a kith_text of bytes, which are gone when it returns, in place of interning them in
     * `world`: for those who leave the world alone until all of a text is known to be right. Not
     * called for values that are only looked at. NULL: they are interned. */
    kith_result (*keep_text)(struct kith_reader *reader, void *context, const char *bytes,
                             size_t length, kith_text *text);

    kith_token token; /* the last one that was read */
    const char *next; /* what is read next; NULL: the start. Yours to move within the text */
} kith_reader;

/* Reads the next token into `reader->token`. Spaces, line breaks, and comments from `#` to the end
 * of the line are skipped. At the end of the text there is one KITH_TOKEN_END after another.
 * KITH_ERR_INPUT   quotes that do not close, or a control character: there the text ends for this
 *                  reader, with a KITH_TOKEN_END, and the same is returned again */
KITH_API kith_result kith_read_token(kith_reader *reader);

/* Whether the last token is just this. */
KITH_API bool kith_token_is(const kith_reader *reader, const char *text);

/* The name that the last token is, a word or a text in quotes, into `size` bytes with the zero at the
 * end; nothing more is read. `expected` tells what a mistake shall say: "the name of a level".
 * KITH_ERR_INPUT   it is none, or a longer one, or has a zero byte in it */
KITH_API kith_result kith_read_name(kith_reader *reader, const char *expected, char *name,
                                    size_t size);

/* Reads a value over `*value`, and the token behind it: the last token is its `{`. Fields that the
 * text does not name keep what they have, so that a value of zero bytes, or one with defaults, has
 * to be there before. NULL `value` only looks if the text is right. The type is one that
 * kith_register takes; it need not be registered. Its fields that are KITH_OPAQUE are not the text's
 * to name.
 * KITH_ERR_INPUT   it is no value of this type; `*value` may then be written in part
 * KITH_ERR_MEMORY  for texts; what was interned before stays
 * Others           what find_entity and keep_text return */
KITH_API kith_result kith_read_value(kith_reader *reader, const kith_type *type, void *value);

/* Tells a mistake at a place in the text, which is not before its start, and returns KITH_ERR_INPUT.
 * A message that is too long ends in "...". */
KITH_API kith_result kith_read_fail(kith_reader *reader, const char *where, const char *format, ...)
    KITH_FORMAT_(3, 4);

/* Tells one at the last token: "expected X, found TOKEN", where the format gives X. */
KITH_API kith_result kith_read_expected(kith_reader *reader, const char *format, ...)
    KITH_FORMAT_(2, 3);

/* Line and column of a place in the text, in time proportional to what stands before it. */
KITH_API void kith_read_place(const kith_reader *reader, const char *where, uint32_t *line,
                              uint32_t *column);

/* ---- Misspelt names -------------------------------------------------------------------------- */

/* Looks among names for the one that somebody meant:
 *
 *     kith_hint hint = {.word = reader->token.start, .length = reader->token.length};
 *     for (...) { kith_hint_offer(&hint, names[i]); }
 *     return kith_read_expected(reader, "a level%s", kith_hint_text(&hint).text); */
typedef struct kith_hint {
    const char *word; /* what was written, of `length` bytes; longer ones than 64 get no hint */
    size_t length;

    const char *best; /* the nearest name so far, as it was offered; NULL if none is near */
    uint32_t distance;
    uint32_t known_length;
    char known[120]; /* the names that were offered, as many as fit */
} kith_hint;

/* A name that may have been meant. Near is one that a third of its letters, wrong, missing, too many
 * or in another order, tell from the word. Of those that are equally near the first counts. */
KITH_API void kith_hint_offer(kith_hint *hint, const char *name);

/* " (did you mean Position?)"; " (there are Position, Velocity)" if none is near; "" if there were
 * none at all. By value, so that it can stand in a call. */
typedef struct kith_hint_line {
    char text[160];
} kith_hint_line;

KITH_API kith_hint_line kith_hint_text(const kith_hint *hint);

#ifdef __cplusplus
}
#endif
#endif
