/* One number of many answers, to compare them. */
#ifndef KITH_TEST_MIX_H
#define KITH_TEST_MIX_H

#include <string.h>

#include "components.h"

static inline uint64_t mix(uint64_t a, uint64_t b)
{
    return (a ^ b) * UINT64_C(0x9E3779B97F4A7C15) + (a >> 29);
}

static inline uint64_t mix_entity(uint64_t a, kith_entity entity)
{
    return mix(a, (uint64_t)entity.index1 << 32 | entity.generation);
}

static inline uint64_t mix_text(uint64_t a, const char *text)
{
    for (; text != NULL && *text != '\0'; text++) {
        a = mix(a, (unsigned char)*text);
    }
    return a;
}

static inline uint64_t mix_position(uint64_t a, const Position *position)
{
    uint64_t bits = 0;
    if (position != NULL) {
        memcpy(&bits, position, sizeof(bits));
    }
    return mix(a, position != NULL ? bits : 12345);
}

#endif
