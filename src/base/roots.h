/* Of doubles: the next one, and square roots. Without the library of mathematics, which programs would
 * have to link; and with the same bits everywhere. */
#ifndef KI_BASE_ROOTS_H
#define KI_BASE_ROOTS_H

#include <kith/floats.h>

#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

/* The least double that is greater; NaN and infinity stay what they are. */
static inline double ki_next_up(double number)
{
    uint64_t bits;
    number += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &number, sizeof bits);
    const uint64_t rest = bits & (UINT64_MAX >> 1);
    const uint64_t infinity = UINT64_C(0x7ff) << 52;
    if (rest > infinity || bits == infinity) {
        return number;
    }
    bits += (bits >> 63) != 0 ? UINT64_MAX : 1;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* The greatest that is less. */
static inline double ki_next_down(double number)
{
    return -ki_next_up(-number);
}

/* A root of a positive number, roughly: its exponent is divided. */
static inline double ki_guess_root(double number, unsigned degree)
{
    const uint64_t one = UINT64_C(1023) << 52;
    uint64_t bits;
    KI_ASSERT(degree != 0);
    memcpy(&bits, &number, sizeof bits);
    bits = bits / degree + (one - one / degree);
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* The square root of a number that is not negative: the nearest double, or of what is almost half-way
 * between two, one of them. */
double ki_square_root(double number);

#endif
