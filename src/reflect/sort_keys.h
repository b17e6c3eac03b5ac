/* What values are sorted by: keys that are numbers, or a comparison. */
#ifndef KI_REFLECT_SORT_KEYS_H
#define KI_REFLECT_SORT_KEYS_H

#include <kith/sort.h>

#include "store/column.h"
#include "store/texts.h"

typedef struct ki_sort_by {
    kith_field field; /* a single value, or text */
    int (*compare)(const void *a, const void *b,
                   void *user); /* of whole values; NULL: by the field */
    void *user;
    const ki_texts *texts; /* of the world */
    const uint32_t *places; /* by slot, for values that are handles of entities; NULL: by the values */
    bool descending;
} ki_sort_by;

/* Whether there are keys, and not just a comparison. */
bool ki_sort_has_keys(const ki_sort_by *by);

/* Writes the keys of `count` rows from `first` on: they are in the order that the values shall have. */
void ki_sort_keys(const ki_sort_by *by, const ki_column *values, uint32_t first, uint32_t count,
                  uint64_t *keys);

/* Whether value `a` shall come before value `b`; where there are no keys. */
bool ki_sort_is_before(const ki_sort_by *by, const void *a, const void *b);

/* The same, whether there are keys or not. */
bool ki_sort_value_is_before(const ki_sort_by *by, const void *a, const void *b);

#endif
