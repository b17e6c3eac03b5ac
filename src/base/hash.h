/* Hashing: for tables and for the state of a world. The same on every machine of one byte order. */
#ifndef KI_BASE_HASH_H
#define KI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define KI_HASH_SEED 0x9e3779b97f4a7c15u

/* The finalizer of MurmurHash3 (Austin Appleby, public domain): every bit depends on every other.
 * */
static inline uint64_t ki_hash_mix(uint64_t value)
{
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccdu;
    value ^= value >> 33;
    value *= 0xc4ceb9fe1a85ec53u;
    return value ^ (value >> 33);
}

/* Takes `value` into `hash`; the order of calls matters. */
static inline uint64_t ki_hash_u64(uint64_t hash, uint64_t value)
{
    return ki_hash_mix(hash ^ value) * 0x9fb21c651e98df25u + 0x2545f4914f6cdd1du;
}

static inline uint64_t ki_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    hash = ki_hash_u64(hash, size);
    while (size >= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = ki_hash_u64(hash, word);
        at += 8;
        size -= 8;
    }
    if (size > 0) {
        uint64_t word = 0;
        memcpy(&word, at, size);
        hash = ki_hash_u64(hash, word);
    }
    return hash;
}

static inline uint64_t ki_hash_text(uint64_t hash, const char *text)
{
    return ki_hash_bytes(hash, text, strlen(text));
}

#endif
