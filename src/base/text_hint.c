/* Hints: the name that was probably meant. */
#include <stdio.h>
#include <string.h>

#include <kith/reader.h>

#include "base/context.h"

#define HINT_WORD 64u

static inline uint32_t hint_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Upper and lower case are alike: WHERE is near to where. */
static inline bool hint_alike(char a, char b)
{
    const char upper = (char)(a & ~0x20);
    return a == b || (upper == (b & ~0x20) && upper >= 'A' && upper <= 'Z');
}

/* How many letters must be changed, inserted, deleted or swapped with the next to turn one name
 * into the other: the restricted edit distance of Damerau and Levenshtein. It goes row by row, and
 * needs the last two rows only. Both lengths are at most HINT_WORD. */
static uint32_t hint_distance(const char *a, uint32_t a_length, const char *b, uint32_t b_length)
{
    uint32_t rows[3][HINT_WORD + 1];
    for (uint32_t j = 0; j <= b_length; j++) {
        rows[0][j] = j;
    }
    for (uint32_t i = 1; i <= a_length; i++) {
        uint32_t *row = rows[i % 3];
        const uint32_t *above = rows[(i + 2) % 3];
        const uint32_t *swapped = rows[(i + 1) % 3];
        row[0] = i;
        for (uint32_t j = 1; j <= b_length; j++) {
            uint32_t changed = above[j - 1] + !hint_alike(a[i - 1], b[j - 1]);
            row[j] = hint_least(changed, hint_least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && hint_alike(a[i - 1], b[j - 2]) &&
                hint_alike(a[i - 2], b[j - 1])) {
                row[j] = hint_least(row[j], swapped[j - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

/* Lists the names, for the case that none is near. A list that ends in "..." is full. */
static void hint_list(kith_hint *hint, const char *name, size_t length)
{
    static const char more[] = ", ...";
    const char *between = hint->known_length == 0 ? "" : ", ";
    size_t left = sizeof hint->known - hint->known_length;
    if (left < sizeof more) {
        return;
    }
    if (length + sizeof more + 2 > left) {
        between = hint->known_length == 0 ? more + 2 : more;
        name = "";
    }
    snprintf(hint->known + hint->known_length, left, "%s%s", between, name);
    hint->known_length = *name == '\0' ? sizeof hint->known
                                       : hint->known_length + (uint32_t)(strlen(between) + length);
}

void kith_hint_offer(kith_hint *hint, const char *name)
{
    if (KI_CHECKED && (hint == NULL || (hint->word == NULL && hint->length != 0) || name == NULL)) {
        ki_misuse(NULL, "kith_hint_offer: the hint, its word or the name is NULL");
        return;
    }
    size_t length = strlen(name);
    size_t longer = length > hint->length ? length : hint->length;
    size_t shorter = length > hint->length ? hint->length : length;
    size_t limit = (longer + 2) / 3;
    hint_list(hint, name, length);
    if (longer > HINT_WORD || limit >= longer || longer - shorter > limit) {
        return;
    }
    uint32_t distance = hint_distance(hint->word, (uint32_t)hint->length, name, (uint32_t)length);
    if (distance <= limit && (hint->best == NULL || distance < hint->distance)) {
        hint->best = name;
        hint->distance = distance;
    }
}

kith_hint_line kith_hint_text(const kith_hint *hint)
{
    kith_hint_line line = {""};
    if (KI_CHECKED && hint == NULL) {
        ki_misuse(NULL, "kith_hint_text: the hint is NULL");
        return line;
    }
    if (hint->best != NULL) {
        snprintf(line.text, sizeof line.text, " (did you mean %s?)", hint->best);
    } else if (hint->known_length != 0) {
        snprintf(line.text, sizeof line.text, " (there are %s)", hint->known);
    }
    return line;
}
