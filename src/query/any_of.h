/* Any-of groups that ask other entities. Such a group is a short form: each of its terms becomes
 * optional, and a group of conditions is added that asks for one of them. Groups about the entity
 * itself stay as they are. */
#ifndef KI_QUERY_ANY_OF_H
#define KI_QUERY_ANY_OF_H

#include "query/via.h"

typedef struct ki_any_of {
    const kith_term *terms; /* what to make of a list: that itself, or what is written out; numbers
                               of terms are the same */
    void *memory;           /* for that; NULL: none was needed */
    size_t size;
} ki_any_of;

/* Writes out a list that was checked. KITH_ERR_MEMORY. */
kith_result ki_any_of_begin(ki_heap *heap, const kith_term *terms, ki_any_of *made);
void ki_any_of_end(ki_heap *heap, ki_any_of *made);

#endif
