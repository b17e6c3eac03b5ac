/* Arithmetic on bits and powers of two. */
#ifndef KI_BASE_BITS_H
#define KI_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/base.h>

#include "base/compiler.h"

/* The number of the lowest bit that is set; `word` is not 0. */
static inline uint32_t ki_lowest_bit(uint64_t word)
{
    return KITH_CTZ64_(word);
}

/* The number of the highest bit that is set; `word` is not 0. */
static inline uint32_t ki_highest_bit(uint64_t word)
{
    return 63 - KI_CLZ64(word);
}

static inline uint32_t ki_bit_count(uint64_t word)
{
    return KITH_POPCOUNT64_(word);
}

static inline bool ki_is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* `align` is a power of two. */
static inline size_t ki_round_up(size_t value, size_t align)
{
    return (value + align - 1) & ~(align - 1);
}

static inline uint32_t ki_min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Sets `count` bits of some words, from number `first` on. */
static inline void ki_bits_set(uint64_t *words, uint32_t first, uint32_t count)
{
    for (uint32_t bit = first, end = first + count; bit < end; bit = (bit | 63) + 1) {
        uint32_t bits = ki_min_u32(64 - bit % 64, end - bit);
        words[bit / 64] |= UINT64_MAX >> (64 - bits) << bit % 64;
    }
}

/* Clears `count` bits of some words, from number `first` on. */
static inline void ki_bits_clear(uint64_t *words, uint32_t first, uint32_t count)
{
    for (uint32_t bit = first, end = first + count; bit < end; bit = (bit | 63) + 1) {
        uint32_t bits = ki_min_u32(64 - bit % 64, end - bit);
        words[bit / 64] &= ~(UINT64_MAX >> (64 - bits) << bit % 64);
    }
}

#endif
