/* A set of numbers as paged bits: an empty stretch costs a pointer. */
#ifndef KI_BASE_BITSET_H
#define KI_BASE_BITSET_H

#include "base/bits.h"
#include "base/heap.h"

#define KI_BITSET_PAGE_WORDS 8u /* 64 bytes: a cache line */
#define KI_BITSET_PAGE_BITS (KI_BITSET_PAGE_WORDS * 64u)

typedef struct ki_bitset {
    uint64_t **pages; /* NULL where no bit was ever set */
    uint32_t page_capacity;
} ki_bitset;

void ki_bitset_free(ki_bitset *set, ki_heap *heap);

/* Makes sure that ki_bitset_insert can be called for `number`. */
kith_result ki_bitset_reserve(ki_bitset *set, ki_heap *heap, uint32_t number);

void ki_bitset_insert(ki_bitset *set, uint32_t number);
void ki_bitset_remove(ki_bitset *set, uint32_t number);
bool ki_bitset_has(const ki_bitset *set, uint32_t number);

/* Bytes held by the set. */
size_t ki_bitset_reserved(const ki_bitset *set);

/* The page of words that hold bits page * KI_BITSET_PAGE_BITS and up; NULL if all are 0. */
static inline const uint64_t *ki_bitset_page(const ki_bitset *set, uint32_t page)
{
    return page < set->page_capacity ? set->pages[page] : NULL;
}

#endif
