/* Sorts numbers. */
#ifndef KI_BASE_SORT_H
#define KI_BASE_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* Sorts numbers in place. `before` says whether its first number comes before its second. */
void ki_sort(uint32_t *numbers, uint32_t count,
             bool (*before)(const void *context, uint32_t a, uint32_t b), const void *context);

/* Sorts numbers from the smallest to the largest, in place. */
void ki_sort_ascending(uint32_t *numbers, uint32_t count);

/* Sorts numbers, with scratch for as many. Numbers that are equal by `before` stay in their order. If
 * `before` contradicts itself, the result is in some order. */
void ki_sort_stable(uint32_t *numbers, uint32_t *scratch, uint32_t count,
                    bool (*before)(const void *context, uint32_t a, uint32_t b),
                    const void *context);

/* A number, and a part of its key. */
typedef struct ki_keyed_number {
    uint32_t key;
    uint32_t number;
} ki_keyed_number;

/* Writes the numbers below `count` in order of their keys; those with the same key ascend. `scratch` is
 * for twice as many. */
void ki_sort_by_keys(uint32_t *numbers, const uint64_t *keys, uint32_t count,
                     ki_keyed_number *scratch);

#endif
