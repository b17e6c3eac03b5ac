/* Kith: floating-point arithmetic that gives the same bits on every machine.
 *
 * Include this before all else in each source that computes with floats, as all sources of Kith do.
 * From there on a multiplication and an addition stay two operations. Otherwise the compiler may make
 * them one, which rounds once, for processors that have such an instruction.
 *
 * Options that change bits are errors: -ffast-math, and arithmetic with more digits than the type has.
 * For 32-bit x86 compile with -msse2 -mfpmath=sse, for s390x with -fexcess-precision=fast. A program
 * that defines KITH_ALLOW_X87 may be compiled for the x87, and gets other bits than all others. */
#ifndef KITH_FLOATS_H
#define KITH_FLOATS_H

#include <float.h>
#include <stdint.h>
#include <string.h>

#if defined(__FAST_MATH__) || defined(_M_FP_FAST) ||                                               \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error "Kith: -ffast-math changes the results of floating-point arithmetic: compile without it"
#endif

/* 16 says that float and double are exact, and that there is a shorter type. */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16 && !defined(KITH_ALLOW_X87)
#error "Kith: floats are computed with more digits here; see <kith/floats.h> for what helps"
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "no-unsafe-math-optimizations")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

/* a * b, which stays a multiplication where the pragmas do not help: clang does not ask the source if it
 * is given -ffp-contract=fast, and gcc since version 12 does not where it computes sums beside
 * differences, as in a rotation. With any other option and compiler it is the same as a * b. */
static inline float kith_mul_f32(float a, float b)
{
    float product = a * b;
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
    product = __builtin_assoc_barrier(product);
#elif defined(__clang__)
    uint32_t bits, all = UINT32_MAX;
    __asm__("" : "+r"(all)); /* the compiler does not know that it stays UINT32_MAX */
    memcpy(&bits, &product, sizeof bits);
    bits &= all;
    memcpy(&product, &bits, sizeof bits);
#endif
    return product;
}

/* The same for double. */
static inline double kith_mul_f64(double a, double b)
{
    double product = a * b;
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
    product = __builtin_assoc_barrier(product);
#elif defined(__clang__)
    uint64_t bits, all = UINT64_MAX;
    __asm__("" : "+r"(all));
    memcpy(&bits, &product, sizeof bits);
    bits &= all;
    memcpy(&product, &bits, sizeof bits);
#endif
    return product;
}

#endif
