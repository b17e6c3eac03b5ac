/* A scene's text as tokens, a line at a time, and the errors that point at them. */
#ifndef EXAMPLES_SCENE_TOKEN_H
#define EXAMPLES_SCENE_TOKEN_H

#include "scene.h"

typedef enum scene_token_kind {
    SCENE_END,    /* of the line */
    SCENE_WORD,   /* player, Position, velocity.x, path[2].y */
    SCENE_NUMBER, /* what starts like a number; it may still be none */
    SCENE_CHAR,   /* with its quotes, escapes as they stand */
    SCENE_TEXT,   /* likewise */
    SCENE_MARK    /* any other byte */
} scene_token_kind;

typedef struct scene_token {
    scene_token_kind kind;
    const char *start;
    size_t length;
} scene_token;

typedef struct scene_reader {
    const char *next; /* line: the text behind it */
    const char *end;
    const char *line;     /* the line being read */
    const char *line_end; /* without its line break */
    const char *position; /* in it */
    uint32_t line_number;
    scene_token token; /* the last one read */
    scene_error *error;
} scene_reader;

/* `error` must not be NULL. */
scene_reader scene_read(const char *text, size_t length, scene_error *error);

/* Goes on to the next line; `*more` is false behind the last. KITH_ERR_INPUT if the line is too long or
 * has control characters in it. */
kith_result scene_next_line(scene_reader *reader, bool *more);

/* Reads a token into reader->token. Comments count as the end of the line, where it stays.
 * KITH_ERR_INPUT for quotes that do not close. */
kith_result scene_next(scene_reader *reader);

bool scene_is(scene_token token, const char *text);

/* Fails at `where`, a place in the current line, or at a token of it: "expected X, found TOKEN". */
kith_result scene_fail(scene_reader *reader, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
kith_result scene_expected(scene_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Fails if reader->token is not this mark; otherwise reads on. `what` tells what was expected. */
kith_result scene_skip(scene_reader *reader, const char *mark, const char *what);

/* The bytes that a character or text stands for, escapes resolved: at most `capacity` of them into
 * `bytes`, and in `*count` how many there are. KITH_ERR_INPUT for an escape that is none. */
kith_result scene_unquote(scene_reader *reader, scene_token token, char *bytes, size_t capacity,
                          size_t *count);

#endif
