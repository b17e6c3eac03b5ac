/* What the code asks of the compiler beyond C17. For public headers and kits this is in
 * <kith/base.h>. */
#ifndef KI_BASE_COMPILER_H
#define KI_BASE_COMPILER_H

#include <assert.h>
#include <stdbool.h>

/* Only where a row of the bench takes more without: the head of each file that uses these names it. */
#define KI_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define KI_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define KI_NOINLINE __attribute__((noinline)) /* keeps a short caller without a frame */

/* Of a type: what is read as it may have been written as another type of the same kind. */
#define KI_MAY_ALIAS __attribute__((may_alias))

/* How many bits of a word are 0 above the highest that is 1. The word is not 0. */
#define KI_CLZ64(word) ((uint32_t)__builtin_clzll(word))

/* Variables that threads share without a lock. Threads may see changes of several variables in
 * any order; but what a thread wrote before KI_STORE_RELEASE, another sees after KI_LOAD_ACQUIRE of
 * that. KI_FETCH_ADD returns the value before. KI_FETCH_SUB_RELEASE subtracts, with what was read and
 * written before it done, as seen after KI_LOAD_ACQUIRE. */
#define KI_LOAD(place) __atomic_load_n((place), __ATOMIC_RELAXED)
#define KI_STORE(place, value) __atomic_store_n((place), (value), __ATOMIC_RELAXED)
#define KI_LOAD_ACQUIRE(place) __atomic_load_n((place), __ATOMIC_ACQUIRE)
#define KI_STORE_RELEASE(place, value) __atomic_store_n((place), (value), __ATOMIC_RELEASE)
#define KI_FETCH_ADD(place, value) __atomic_fetch_add((place), (value), __ATOMIC_RELAXED)
#define KI_FETCH_SUB_RELEASE(place, value)                                                         \
    __atomic_fetch_sub((place), (value), __ATOMIC_RELEASE)

/* A variable of each thread. */
#define KI_THREAD_LOCAL _Thread_local

/* Whether a number's highest byte comes first in memory. A constant and not for #if, so that the
 * code for both orders is compiled everywhere. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define KI_BIG_ENDIAN true
#else
#define KI_BIG_ENDIAN false
#endif
#define KI_SWAP_BYTES(u64) __builtin_bswap64(u64)

/* Our own invariants, in debug builds. A caller's mistakes are reported by ki_misuse instead. The single
 * file leaves them out, unless KITH_ASSERTIONS is defined. */
#ifdef KI_NO_ASSERTIONS
#define KI_ASSERT(condition) ((void)0)
#else
#define KI_ASSERT(condition) assert(condition)
#endif

#endif
