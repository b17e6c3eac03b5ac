#include "base/bitset.h"

#include <string.h>

#include "base/compiler.h"

#define BITSET_PAGE_BYTES (KI_BITSET_PAGE_WORDS * sizeof(uint64_t))
#define BITSET_PAGE_ALIGN 8

void ki_bitset_free(ki_bitset *set, ki_heap *heap)
{
    for (uint32_t i = 0; i < set->page_count; i++) {
        if (set->pages[i] != set->own) {
            ki_heap_free(heap, set->pages[i], BITSET_PAGE_BYTES, BITSET_PAGE_ALIGN);
        }
    }
    if (set->pages != &set->only) {
        ki_heap_free(heap, set->pages, set->page_count * sizeof *set->pages, _Alignof(max_align_t));
    }
    *set = (ki_bitset){0};
}

/* Makes room for the pointer to a page. */
static kith_result bitset_stretch(ki_bitset *set, ki_heap *heap, uint32_t page)
{
    uint32_t first = ki_min_u32(set->first_page, page);
    uint32_t end = ki_bitset_page_end(set);
    uint32_t count = page < end ? end - first : page + 1 - first;
    count = page < end || count > set->page_count * 2 ? count : set->page_count * 2;
    uint64_t **pages = ki_heap_alloc_zeroed(heap, count * sizeof *pages, _Alignof(max_align_t));
    if (pages == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(pages + (set->first_page - first), set->pages, set->page_count * sizeof *pages);
    if (set->pages != &set->only) {
        ki_heap_free(heap, set->pages, set->page_count * sizeof *pages, _Alignof(max_align_t));
    }
    set->pages = pages;
    set->first_page = first;
    set->page_count = count;
    return KITH_OK;
}

kith_result ki_bitset_reserve_page(ki_bitset *set, ki_heap *heap, uint32_t number)
{
    uint32_t page = number / KI_BITSET_PAGE_BITS;
    if (set->page_count == 0) {
        set->only = set->own;
        set->pages = &set->only;
        set->first_page = page;
        set->page_count = 1;
        return KITH_OK;
    }
    if (page - set->first_page >= set->page_count) {
        KI_TRY(bitset_stretch(set, heap, page));
    }
    uint64_t *words = ki_heap_alloc_zeroed(heap, BITSET_PAGE_BYTES, BITSET_PAGE_ALIGN);
    set->pages[page - set->first_page] = words;
    return words == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

uint32_t ki_bitset_next(const ki_bitset *set, uint32_t from)
{
    uint32_t first = set->first_page * KI_BITSET_PAGE_BITS;
    uint32_t end = ki_bitset_page_end(set) * KI_BITSET_PAGE_BITS;
    for (uint32_t number = from < first ? first : from; number < end;) {
        const uint64_t *word = ki_bitset_word(set, number);
        if (word == NULL) {
            number = (number / KI_BITSET_PAGE_BITS + 1) * KI_BITSET_PAGE_BITS;
            continue;
        }
        uint64_t bits = *word >> number % 64;
        if (bits != 0) {
            return number + ki_lowest_bit(bits);
        }
        number = (number / 64 + 1) * 64;
    }
    return UINT32_MAX;
}

size_t ki_bitset_reserved(const ki_bitset *set)
{
    size_t bytes = set->pages == &set->only ? 0 : set->page_count * sizeof *set->pages;
    for (uint32_t i = 0; i < set->page_count; i++) {
        bytes += set->pages[i] == NULL || set->pages[i] == set->own ? 0 : BITSET_PAGE_BYTES;
    }
    return bytes;
}
