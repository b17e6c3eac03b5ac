/* Paths of names, as conditions ask for them. */
#ifndef KI_QUERY_NAME_PATH_H
#define KI_QUERY_NAME_PATH_H

#include "query/path_memo.h"
#include "store/store.h"
#include "store/texts.h"

/* Whether a text is as a pattern says, in which "*" is for any bytes, or none. */
bool ki_is_like(const char *text, size_t length, const char *pattern, size_t pattern_length);

/* A path, read from its end: the bytes that are left, and whether there is a part before their end. */
typedef struct ki_path_rest {
    const char *path;
    size_t left;
    bool more;
} ki_path_rest;

/* One part of it. */
typedef struct ki_path_part {
    const char *bytes;
    size_t length;
} ki_path_part;

/* Begins to read a path; a "/" in front makes no difference. */
ki_path_rest ki_path_begin(const char *path, size_t length);

/* The last part of what is left, which is not taken away if `next` is NULL. */
ki_path_part ki_path_last(ki_path_rest rest, ki_path_rest *next);

/* Whether a part of a pattern is for any number of parts of a path. */
static inline bool ki_path_is_any(ki_path_part part)
{
    return part.length == 2 && part.bytes[0] == '*' && part.bytes[1] == '*';
}

/* What paths are compared with. */
typedef struct ki_path_pattern {
    const char *text; /* of `length` bytes */
    uint32_t length;
    bool like; /* "*" is within a part, and "**" any number of parts; else the path is just that */
    const ki_path_memo *memo; /* of this pattern; or NULL */
} ki_path_pattern;

/* Whether the path of the living entity in slot `index` is as a pattern says. */
bool ki_path_holds(const ki_store *store, const ki_texts *texts, uint32_t index,
                   const ki_path_pattern *pattern);

#endif
