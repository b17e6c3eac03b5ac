/* Floats by their bits, for tests that compare results of all machines. */
#ifndef TEST_GAME_BITS_H
#define TEST_GAME_BITS_H

#include <stdint.h>
#include <string.h>

#include "random.h"

static inline uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline float float_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* A number from -limit to limit. */
static inline float random_within(uint64_t *random, float limit)
{
    return limit * ((float)random_below(random, 1 << 24) - 8388608.0f) / 8388608.0f;
}

/* FNV-1a, over words instead of bytes: one hash of floats in their order. */
#define NO_BITS UINT64_C(0xcbf29ce484222325)

static inline void add_bits(uint64_t *hash, const float *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        *hash = (*hash ^ bits_of(numbers[i])) * UINT64_C(0x100000001b3);
    }
}

#endif
