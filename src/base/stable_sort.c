/* Sorts that keep the order of what is equal. */
#include <string.h>

#include "base/sort.h"

/* ---- By comparing: merge sort, from short runs on ---------------------------------------------- */

#define SORT_RUN 8u

/* Sorts a short run by insertion. */
static void sort_run(uint32_t *numbers, uint32_t count,
                     bool (*before)(const void *context, uint32_t a, uint32_t b),
                     const void *context)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t number = numbers[i];
        uint32_t at = i;
        while (at > 0 && before(context, number, numbers[at - 1])) {
            numbers[at] = numbers[at - 1];
            at--;
        }
        numbers[at] = number;
    }
}

/* Merges two sorted runs, which follow one another, into `to`. */
static void sort_merge(uint32_t *to, const uint32_t *from, uint32_t middle, uint32_t count,
                       bool (*before)(const void *context, uint32_t a, uint32_t b),
                       const void *context)
{
    uint32_t left = 0;
    uint32_t right = middle;
    uint32_t at = 0;
    if (before(context, from[middle], from[middle - 1])) {
        while (left < middle && right < count) {
            to[at++] = before(context, from[right], from[left]) ? from[right++] : from[left++];
        }
    }
    memcpy(to + at, from + left, (middle - left) * sizeof *to);
    at += middle - left;
    memcpy(to + at, from + right, (count - right) * sizeof *to);
}

void ki_sort_stable(uint32_t *numbers, uint32_t *scratch, uint32_t count,
                    bool (*before)(const void *context, uint32_t a, uint32_t b),
                    const void *context)
{
    for (uint64_t first = 0; first < count; first += SORT_RUN) {
        uint64_t left = count - first;
        sort_run(numbers + first, left < SORT_RUN ? (uint32_t)left : SORT_RUN, before, context);
    }
    uint32_t *from = numbers;
    uint32_t *to = scratch;
    for (uint64_t run = SORT_RUN; run < count; run *= 2) {
        for (uint64_t first = 0; first < count; first += 2 * run) {
            uint64_t left = count - first;
            if (left <= run) {
                memcpy(to + first, from + first, (size_t)left * sizeof *to);
            } else {
                sort_merge(to + first, from + first, (uint32_t)run,
                           (uint32_t)(left < 2 * run ? left : 2 * run), before, context);
            }
        }
        uint32_t *merged = to;
        to = from;
        from = merged;
    }
    if (from != numbers) {
        memcpy(numbers, from, count * sizeof *numbers);
    }
}

/* ---- By keys: radix sort, from the lowest byte on, over pairs of 8 bytes -------------------------- */

#define SORT_BYTES 4u /* in one part of a key */

typedef struct sort_counts {
    uint32_t of[SORT_BYTES][256];
} sort_counts;

/* Moves all to their places by one byte of their keys. */
static void sort_scatter(ki_keyed_number *to, const ki_keyed_number *from, uint32_t count,
                         uint32_t *counts, uint32_t shift)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t here = counts[i];
        counts[i] = first;
        first += here;
    }
    for (uint32_t i = 0; i < count; i++) {
        to[counts[from[i].key >> shift & 255]++] = from[i];
    }
}

/* Sorts by 32 bits of the keys, those from `shift` on; `varying` are those of them that are not the same
 * in all keys. Returns where the items are then, and `*other` is the rest of the scratch. */
static ki_keyed_number *sort_by_part(ki_keyed_number *items, ki_keyed_number **other,
                                     const uint64_t *keys, uint32_t count, uint32_t shift,
                                     uint32_t varying)
{
    sort_counts counts = {{{0}}};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key = (uint32_t)(keys[items[i].number] >> shift);
        items[i].key = key;
        for (uint32_t byte = 0; byte < SORT_BYTES; byte++) {
            counts.of[byte][key >> 8 * byte & 255]++;
        }
    }
    for (uint32_t byte = 0; byte < SORT_BYTES; byte++) {
        if ((varying >> 8 * byte & 255) != 0) {
            ki_keyed_number *to = *other;
            sort_scatter(to, items, count, counts.of[byte], 8 * byte);
            *other = items;
            items = to;
        }
    }
    return items;
}

void ki_sort_by_keys(uint32_t *numbers, const uint64_t *keys, uint32_t count,
                     ki_keyed_number *scratch)
{
    ki_keyed_number *items = scratch;
    ki_keyed_number *other = scratch + count;
    uint64_t varying = 0;
    for (uint32_t i = 0; i < count; i++) {
        items[i].number = i;
        varying |= keys[i] ^ keys[0];
    }
    for (uint32_t shift = 0; shift < 64; shift += 32) {
        uint32_t part = (uint32_t)(varying >> shift);
        if (part != 0) {
            items = sort_by_part(items, &other, keys, count, shift, part);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = items[i].number;
    }
}
