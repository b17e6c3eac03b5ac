#include "base/bitset.h"

#include <string.h>

#include "base/compiler.h"

#define BITSET_PAGE_BYTES (KI_BITSET_PAGE_WORDS * sizeof(uint64_t))
#define BITSET_PAGE_ALIGN 8

KI_RARE void ki_bitset_free(ki_bitset *set, ki_heap *heap)
{
    for (uint32_t page = 0; page < set->page_capacity; page++) {
        ki_heap_give(heap, set->pages[page], BITSET_PAGE_BYTES, BITSET_PAGE_ALIGN);
    }
    ki_heap_give(heap, set->pages, set->page_capacity * sizeof *set->pages, _Alignof(max_align_t));
    *set = (ki_bitset){0};
}

kith_result ki_bitset_reserve(ki_bitset *set, ki_heap *heap, uint32_t number)
{
    uint32_t page = number / KI_BITSET_PAGE_BITS;
    if (page >= set->page_capacity) {
        uint32_t old = set->page_capacity;
        KI_TRY(
            ki_heap_grow(heap, &set->pages, &set->page_capacity, page + 1, sizeof *set->pages, 1));
        memset(set->pages + old, 0, (set->page_capacity - old) * sizeof *set->pages);
    }
    if (set->pages[page] == NULL) {
        set->pages[page] = ki_heap_take_zeroed(heap, BITSET_PAGE_BYTES, BITSET_PAGE_ALIGN);
        if (set->pages[page] == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
}

static uint64_t *bitset_word(const ki_bitset *set, uint32_t number)
{
    uint32_t page = number / KI_BITSET_PAGE_BITS;
    if (page >= set->page_capacity || set->pages[page] == NULL) {
        return NULL;
    }
    return &set->pages[page][number / 64 % KI_BITSET_PAGE_WORDS];
}

void ki_bitset_insert(ki_bitset *set, uint32_t number)
{
    uint64_t *word = bitset_word(set, number);
    KI_ASSERT(word != NULL);
    *word |= (uint64_t)1 << number % 64;
}

void ki_bitset_remove(ki_bitset *set, uint32_t number)
{
    uint64_t *word = bitset_word(set, number);
    if (word != NULL) {
        *word &= ~((uint64_t)1 << number % 64);
    }
}

bool ki_bitset_has(const ki_bitset *set, uint32_t number)
{
    const uint64_t *word = bitset_word(set, number);
    return word != NULL && (*word >> number % 64 & 1) != 0;
}

size_t ki_bitset_reserved(const ki_bitset *set)
{
    size_t bytes = set->page_capacity * sizeof *set->pages;
    for (uint32_t page = 0; page < set->page_capacity; page++) {
        bytes += set->pages[page] != NULL ? BITSET_PAGE_BYTES : 0;
    }
    return bytes;
}
