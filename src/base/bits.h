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

#endif
