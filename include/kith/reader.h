/* Kith: readers: for file formats, consoles and scripts of your own.
 *
 * A reader splits a text into tokens, reads values, and reports mistakes with their place.
 * <kith/reflect.h> describes what values look like.
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
 * A reader holds no memory and may be copied: the copy reads on from the same place. Any bytes are
 * safe to read. */
#ifndef KITH_READER_H
#define KITH_READER_H

#include <kith/base.h>
#include <kith/entity.h>
#include <kith/type.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kith_token_kind {
    KITH_TOKEN_END = 0, /* the end of the text */
    KITH_TOKEN_WORD,    /* Position, game::Position, velocity.x, path[2].y, Entity(2v1),
                           nan(0x7fc00001); not the colon in "Position:", which is a mark */
    KITH_TOKEN_NUMBER,  /* starts with a digit, a sign or a point; it may not be a number */
    KITH_TOKEN_CHAR,    /* with its quotes '', escapes unresolved */
    KITH_TOKEN_TEXT,    /* with its quotes "", escapes unresolved; within one line */
    KITH_TOKEN_MARK     /* any other byte */
} kith_token_kind;

typedef struct kith_token {
    kith_token_kind kind;
    bool first;        /* the first in its line; the end of the text counts as one more line */
    const char *start; /* in the text */
    size_t length;
} kith_token;

/* A mistake in a text, and its place. */
typedef struct kith_text_error {
    uint32_t line;     /* from 1 */
    uint32_t column;   /* from 1, in bytes */
    char message[512]; /* one line: what was expected, and what was found instead */
} kith_text_error;

/* A text that is being read. Set `text` and `length`; the rest may be zero. */
typedef struct kith_reader {
    const char *text; /* any bytes; they need not end with a zero */
    size_t length;
    kith_text_error *error; /* where mistakes are reported; NULL: nowhere */

    /* Finds the entity that a word, `reader->token`, names. It does not read on. For an unknown
     * word it returns an error, best by kith_read_expected. NULL: entities are written as by
     * kith_entity_to_text. "none" is always KITH_NONE. Also called for values that are only
     * checked. */
    kith_result (*find_entity)(struct kith_reader *reader, void *context, kith_entity *entity);
    void *context; /* handed to find_entity and keep_text */

    /* The world that interns the texts of KITH_TEXT fields. Only its owner thread may then read values;
     * checking them interns nothing. NULL: such texts are a mistake. */
    struct kith_world *world;

    /* Makes a kith_text of bytes, instead of interning them in `world`: for programs that change the
     * world only when all of a text is known to be right. The bytes are valid during the call. Not
     * called for values that are only checked. NULL: texts are interned. */
    kith_result (*keep_text)(struct kith_reader *reader, void *context, const char *bytes,
                             size_t length, kith_text *text);

    kith_token token; /* the token that was read last */
    const char *next; /* where to read on; NULL: at the start. You may move it within the text */
} kith_reader;

/* Reads the next token into `reader->token`. It skips spaces, line breaks, and comments from `#` to
 * the end of the line. At the end of the text, every call gives a KITH_TOKEN_END.
 * KITH_ERR_INPUT   quotes that do not close, or a control character: the text ends there for this
 *                  reader, with a KITH_TOKEN_END, and later calls return the same */
KITH_API kith_result kith_read_token(kith_reader *reader);

/* Whether the last token is exactly this. */
KITH_API bool kith_token_is(const kith_reader *reader, const char *text);

/* Copies the name that the last token is, a word or a text in quotes, into `size` bytes, with a
 * zero at the end. It does not read on. `expected` is for the message of a mistake: "the name of a
 * level".
 * KITH_ERR_INPUT   it is not a name, is too long, or has a zero byte in it */
KITH_API kith_result kith_read_name(kith_reader *reader, const char *expected, char *name,
                                    size_t size);

/* Reads a value into `*value`, and the token after it. The last token must be its `{`. Fields that
 * the text does not name stay as they are, so `*value` must be initialised: to zero bytes, or to
 * defaults. NULL `value` only checks the text. The type must be one that kith_register takes; it
 * need not be registered. The text must not name KITH_OPAQUE fields.
 * KITH_ERR_INPUT   it is not a value of this type; `*value` may be written in part
 * KITH_ERR_MEMORY  for texts; those that were interned before stay
 * Others           what find_entity and keep_text return */
KITH_API kith_result kith_read_value(kith_reader *reader, const kith_type *type, void *value);

/* Reports a mistake at a place in the text, and returns KITH_ERR_INPUT. `where` must not be before
 * the start of the text. A message that is too long ends in "...". */
KITH_API kith_result kith_read_fail(kith_reader *reader, const char *where, const char *format, ...)
    KITH_FORMAT_(3, 4);

/* Reports a mistake at the last token: "expected X, found TOKEN", where the format gives X. */
KITH_API kith_result kith_read_expected(kith_reader *reader, const char *format, ...)
    KITH_FORMAT_(2, 3);

/* Line and column of a place in the text. The time is proportional to the text before it. */
KITH_API void kith_read_place(const kith_reader *reader, const char *where, uint32_t *line,
                              uint32_t *column);

/* ---- Misspelt names -------------------------------------------------------------------------- */

/* Finds the name that was probably meant:
 *
 *     kith_hint hint = {.word = reader->token.start, .length = reader->token.length};
 *     for (...) { kith_hint_offer(&hint, names[i]); }
 *     return kith_read_expected(reader, "a level%s", kith_hint_text(&hint).text); */
typedef struct kith_hint {
    const char *word; /* what was written, of `length` bytes; more than 64 get no hint */
    size_t length;

    const char *best; /* the nearest name so far, as it was offered; NULL: none is near */
    uint32_t distance;
    uint32_t known_length;
    char known[120]; /* the names that were offered, as many as fit */
} kith_hint;

/* Offers a name that may have been meant. A name is near if at most a third of its letters are wrong,
 * missing, extra or swapped; upper and lower case are the same. Of equally near names the first
 * counts. */
KITH_API void kith_hint_offer(kith_hint *hint, const char *name);

/* " (did you mean Position?)"; " (there are Position, Velocity)" if no name is near; "" if none was
 * offered. Returned by value, so that it can be used within a call. */
typedef struct kith_hint_line {
    char text[160];
} kith_hint_line;

KITH_API kith_hint_line kith_hint_text(const kith_hint *hint);

#ifdef __cplusplus
}
#endif
#endif
