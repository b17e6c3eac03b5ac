/* Sorts numbers in place, without extra memory. */
#ifndef KI_BASE_SORT_H
#define KI_BASE_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* Sorts numbers. `before` says whether its first number comes before its second. */
void ki_sort(uint32_t *numbers, uint32_t count,
             bool (*before)(const void *context, uint32_t a, uint32_t b), const void *context);

/* Sorts numbers from the smallest to the largest. */
void ki_sort_ascending(uint32_t *numbers, uint32_t count);

#endif
