/* A set of numbers as paged bits. The first page is part of the set, so numbers that are close together
 * take no other memory. Zeroed, a set is empty. It must not move after the first ki_bitset_reserve. */
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
    uint64_t *only;                     /* `pages` points here while one is enough */
    uint64_t own[KI_BITSET_PAGE_WORDS]; /* the page that came first */
} ki_bitset;

void ki_bitset_free(ki_bitset *set, ki_heap *heap);

/* The part of ki_bitset_reserve that is not a few compares. */
kith_result ki_bitset_reserve_page(ki_bitset *set, ki_heap *heap, uint32_t number);

/* The smallest number in the set from `from` on; UINT32_MAX if there is none. */
uint32_t ki_bitset_next(const ki_bitset *set, uint32_t from);

/* Bytes that the set holds, without its struct. */
size_t ki_bitset_reserved(const ki_bitset *set);

/* The page of words that hold bits page * KI_BITSET_PAGE_BITS and up; NULL if all are 0. */
static inline const uint64_t *ki_bitset_page(const ki_bitset *set, uint32_t page)
{
    uint32_t place = page - set->first_page;
    return place < set->page_count ? set->pages[place] : NULL;
}

/* The word with the bit of a number; NULL: it has no page. */
static inline uint64_t *ki_bitset_word(const ki_bitset *set, uint32_t number)
{
    const uint64_t *page = ki_bitset_page(set, number / KI_BITSET_PAGE_BITS);
    return page == NULL ? NULL : (uint64_t *)(uintptr_t)page + number / 64 % KI_BITSET_PAGE_WORDS;
}

/* Makes sure that ki_bitset_insert can be called for `number`. */
static inline kith_result ki_bitset_reserve(ki_bitset *set, ki_heap *heap, uint32_t number)
{
    return ki_bitset_word(set, number) != NULL ? KITH_OK
                                               : ki_bitset_reserve_page(set, heap, number);
}

static inline void ki_bitset_insert(ki_bitset *set, uint32_t number)
{
    *ki_bitset_word(set, number) |= (uint64_t)1 << number % 64;
}

static inline void ki_bitset_remove(ki_bitset *set, uint32_t number)
{
    uint64_t *word = ki_bitset_word(set, number);
    if (word != NULL) {
        *word &= ~((uint64_t)1 << number % 64);
    }
}

static inline bool ki_bitset_has(const ki_bitset *set, uint32_t number)
{
    const uint64_t *word = ki_bitset_word(set, number);
    return word != NULL && (*word >> number % 64 & 1) != 0;
}

/* The end of the pages that may exist; the first is number `first_page`. */
static inline uint32_t ki_bitset_page_end(const ki_bitset *set)
{
    return set->first_page + set->page_count;
}

#endif
