/* A set of numbers as paged bits. Numbers that are near one another take no memory beside the set: its
 * first page is part of it. Zeroed, a set is empty; it must not be moved once it has been reserved for.
 */
#ifndef KI_BASE_BITSET_H
#define KI_BASE_BITSET_H

#include "base/bits.h"
#include "base/heap.h"

#define KI_BITSET_PAGE_WORDS 8u /* 64 bytes: a cache line */
#define KI_BITSET_PAGE_BITS (KI_BITSET_PAGE_WORDS * 64u)

typedef struct ki_bitset {
    uint64_t **pages; /* from number `first` on; NULL where no bit was ever set */
    uint32_t first_page;
    uint32_t page_count;
    uint64_t *only;                     /* what `pages` leads to while one is enough */
    uint64_t own[KI_BITSET_PAGE_WORDS]; /* the page that came first */
} ki_bitset;

void ki_bitset_free(ki_bitset *set, ki_heap *heap);

/* Makes sure that ki_bitset_insert can be called for `number`. */
kith_result ki_bitset_reserve(ki_bitset *set, ki_heap *heap, uint32_t number);

void ki_bitset_insert(ki_bitset *set, uint32_t number);
void ki_bitset_remove(ki_bitset *set, uint32_t number);
bool ki_bitset_has(const ki_bitset *set, uint32_t number);

/* The least number in the set that is not below `from`; UINT32_MAX if there is none. */
uint32_t ki_bitset_next(const ki_bitset *set, uint32_t from);

/* Bytes held by the set, beside itself. */
size_t ki_bitset_reserved(const ki_bitset *set);

/* The page of words that hold bits page * KI_BITSET_PAGE_BITS and up; NULL if all are 0. */
static inline const uint64_t *ki_bitset_page(const ki_bitset *set, uint32_t page)
{
    uint32_t place = page - set->first_page;
    return place < set->page_count ? set->pages[place] : NULL;
}

/* Past the last page that may be there; those before `first_page` are not. */
static inline uint32_t ki_bitset_page_end(const ki_bitset *set)
{
    return set->first_page + set->page_count;
}

#endif
