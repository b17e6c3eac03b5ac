/* Sorting numbers: in place, without memory. */
#ifndef KI_BASE_SORT_H
#define KI_BASE_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* Sorts numbers, of which `before` tells for any two which comes first. */
void ki_sort(uint32_t *numbers, uint32_t count,
             bool (*before)(const void *context, uint32_t a, uint32_t b), const void *context);

/* Sorts them by themselves. */
void ki_sort_ascending(uint32_t *numbers, uint32_t count);

#endif
