/* Which entries of a spatial tree overlap with one another. */
#ifndef KI_INDEX_SPATIAL_PAIRS_H
#define KI_INDEX_SPATIAL_PAIRS_H

#include "base/sort.h"
#include "index/spatial_find.h"

/* Room for a pair: itself, and while they are sorted a copy, a key, scratch for two and a number. */
enum {
    KI_PAIR_BYTES = 2 * sizeof(kith_pair) + sizeof(uint64_t) + 2 * sizeof(ki_keyed_number) +
                    sizeof(uint32_t)
};

/* More are too many. */
#define KI_PAIRS_MOST (UINT32_C(1) << 29)

/* Pairs, up to a capacity. */
typedef struct ki_spatial_pairs {
    kith_pair *pairs; /* room for `capacity` of KI_PAIR_BYTES */
    uint32_t capacity;
    uint64_t found; /* with those that did not fit; looking ends after KI_PAIRS_MOST */
} ki_spatial_pairs;

/* Finds the pairs that are at most `distance` apart, each once, the lower slot first. Ordered by
 * those, then by the other slots, if all fitted. A distance that is negative or NaN finds none. */
void ki_spatial_find_pairs(const ki_spatial_tree *tree, double distance, ki_spatial_filter filter,
                           ki_spatial_pairs *results);

#endif
