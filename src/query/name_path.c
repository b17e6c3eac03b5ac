#include "query/name_path.h"

#include "store/relation.h"

/* A climb that tried fewer entities is not noted: it is as fast as finding a note, and takes no memory.
 */
#define PATH_TRIES_NOTED 8u

bool ki_is_like(const char *text, size_t length, const char *pattern, size_t pattern_length)
{
    size_t at = 0;
    size_t by = 0;
    size_t star_at = 0; /* what the last "*" is for ends here; */
    size_t star_by = 0; /* and the pattern goes on there; 0: there was none */
    while (at < length) {
        if (by < pattern_length && pattern[by] == '*') {
            star_by = ++by;
            star_at = at;
        } else if (by < pattern_length && pattern[by] == text[at]) {
            by++;
            at++;
        } else if (star_by != 0) {
            by = star_by;
            at = ++star_at;
        } else {
            return false;
        }
    }
    while (by < pattern_length && pattern[by] == '*') {
        by++;
    }
    return by == pattern_length;
}

ki_path_rest ki_path_begin(const char *path, size_t length)
{
    size_t slash = length != 0 && path[0] == '/';
    return (ki_path_rest){.path = path + slash, .left = length - slash, .more = true};
}

ki_path_part ki_path_last(ki_path_rest rest, ki_path_rest *next)
{
    size_t start = rest.left;
    while (start > 0 && rest.path[start - 1] != '/') {
        start--;
    }
    const ki_path_part part = {rest.path + start, rest.left - start};
    if (next != NULL) {
        rest.more = start != 0;
        rest.left = start != 0 ? start - 1 : 0;
        *next = rest;
    }
    return part;
}

/* The name of the entity in a slot; NULL: it has none. */
static const ki_text *path_name(const ki_store *store, const ki_texts *texts, uint32_t index)
{
    const ki_record *record = ki_record_at(&store->entities, index);
    const void *value = ki_store_value(store, store->entity_names, index, record);
    uint32_t number;
    if (value == NULL) {
        return NULL;
    }
    memcpy(&number, value, sizeof number);
    return ki_texts_at(texts, number);
}

static bool path_part_holds(ki_path_part part, const ki_text *name, bool like)
{
    return like ? ki_is_like(name->bytes, name->length, part.bytes, part.length)
                : part.length == name->length && memcmp(part.bytes, name->bytes, part.length) == 0;
}

/* Takes away any number of "**" before what is left: one of several asks for as much. */
static ki_path_rest path_before_any(ki_path_rest rest)
{
    ki_path_rest next;
    while (rest.more && ki_path_is_any(ki_path_last(rest, &next))) {
        rest = next;
    }
    return rest;
}

/* Whether it is known if what comes before a "**" fits the path of the entity in a slot. Otherwise
 * `answer` is noted, if it is there. */
static bool path_knows(const ki_path_memo *memo, uint32_t index, ki_path_rest before,
                       const bool *answer, bool *fits)
{
    const uint32_t length = (uint32_t)before.left;
    if (memo == NULL || ki_path_memo_find(memo, index, length, fits)) {
        return memo != NULL;
    }
    if (answer != NULL) {
        ki_path_memo_note(memo, index, length, *answer);
    }
    return false;
}

/* From the entity up to the top, and from the end of the path. What "**" is for grows until the rest
 * fits; only the last one that was met has to. So what comes before a "**" fits all entities that were
 * tried for it, or none of them, as the answer is.
 *
 * `*tries` is how many these were. With `answer`, which a climb came to before, that is noted. */
static bool path_climb(const ki_store *store, const ki_texts *texts, uint32_t index,
                       const ki_path_pattern *pattern, const bool *answer, uint32_t *tries)
{
    const bool like = pattern->like;
    ki_path_rest rest = ki_path_begin(pattern->text, pattern->length);
    ki_path_rest star = {.path = NULL}; /* what is left before the last "**" that was met; */
    uint32_t star1 = 0;                 /* the slot plus one that comes after what that is for */
    ki_path_rest next;
    bool begins = false; /* to look for what is left from `star1` on */
    bool fits;
    *tries = 0;
    for (uint32_t at1 = index + 1; at1 != 0;) {
        if (begins && path_knows(pattern->memo, at1 - 1, star, answer, &fits)) {
            return fits;
        }
        *tries += begins;
        begins = false;
        const ki_text *name = path_name(store, texts, at1 - 1);
        if (name == NULL) {
            return false;
        }
        const ki_path_part part = ki_path_last(rest, &next);
        const uint32_t parent1 = ki_entity_parent1(store, at1 - 1);
        if (rest.more && like && ki_path_is_any(part)) {
            star = rest = path_before_any(next);
            star1 = at1;
            begins = true;
        } else if (rest.more && path_part_holds(part, name, like)) {
            rest = next;
            at1 = parent1;
        } else if (star1 != 0) {
            star1 = ki_entity_parent1(store, star1 - 1);
            at1 = star1;
            rest = star;
            begins = true;
        } else {
            return false;
        }
    }
    return !(like ? path_before_any(rest) : rest).more;
}

bool ki_path_holds(const ki_store *store, const ki_texts *texts, uint32_t index,
                   const ki_path_pattern *pattern)
{
    ki_path_pattern known = *pattern;
    if (known.memo != NULL && !ki_path_memo_is_right(store, known.memo)) {
        known.memo = NULL;
    }
    uint32_t tries;
    const bool holds = path_climb(store, texts, index, &known, NULL, &tries);
    if (known.memo != NULL && tries >= PATH_TRIES_NOTED) {
        path_climb(store, texts, index, &known, &holds, &tries);
    }
    return holds;
}
