/* Patterns of paths, matched in a plain way, for tests. */
#ifndef KITH_TEST_PATH_LIKE_H
#define KITH_TEST_PATH_LIKE_H

#include <string.h>

#include "test.h"

#define PATH_PARTS_MAX 402u

typedef struct path_parts {
    const char *at[PATH_PARTS_MAX];
    size_t length[PATH_PARTS_MAX];
    uint32_t count;
} path_parts;

static inline void path_split(const char *path, path_parts *made)
{
    made->count = 0;
    for (const char *at = path; at != NULL;) {
        CHECK(made->count < PATH_PARTS_MAX);
        const char *slash = strchr(at, '/');
        made->at[made->count] = at;
        made->length[made->count++] = slash == NULL ? strlen(at) : (size_t)(slash - at);
        at = slash == NULL ? NULL : slash + 1;
    }
}

static inline bool name_is_like(const char *name, size_t length, const char *pattern,
                                size_t pattern_length)
{
    if (pattern_length == 0) {
        return length == 0;
    }
    return *pattern == '*'
               ? name_is_like(name, length, pattern + 1, pattern_length - 1) ||
                     (length != 0 && name_is_like(name + 1, length - 1, pattern, pattern_length))
               : length != 0 && *name == *pattern &&
                     name_is_like(name + 1, length - 1, pattern + 1, pattern_length - 1);
}

/* Whether a path is as a pattern says. Part by part of that: how many parts of the path those up to it
 * may be for. */
static inline bool path_is_like(const char *path, const char *pattern)
{
    static path_parts names;
    static path_parts wanted;
    bool fits[PATH_PARTS_MAX + 1] = {true};
    path_split(path, &names);
    path_split(*pattern == '/' ? pattern + 1 : pattern, &wanted);
    for (uint32_t i = 0; i < wanted.count; i++) {
        const bool any = wanted.length[i] == 2 && memcmp(wanted.at[i], "**", 2) == 0;
        bool before = fits[0];
        fits[0] = any && before;
        for (uint32_t k = 1; k <= names.count; k++) {
            const bool here = fits[k];
            fits[k] = any ? fits[k - 1] || here
                          : before && name_is_like(names.at[k - 1], names.length[k - 1],
                                                   wanted.at[i], wanted.length[i]);
            before = here;
        }
    }
    return fits[names.count];
}

#endif
