/* Out of line: hashes are taken in many places, and each takes long beside a call. */
#include "base/hash.h"

#include "base/compiler.h"

#include <string.h>

/* The finalizer of MurmurHash3 (Austin Appleby, public domain): every bit depends on every other.
 * */
static inline uint64_t hash_mix(uint64_t value)
{
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccdu;
    value ^= value >> 33;
    value *= 0xc4ceb9fe1a85ec53u;
    return value ^ (value >> 33);
}

static inline uint64_t hash_step(uint64_t hash, uint64_t value)
{
    return hash_mix(hash ^ value) * 0x9fb21c651e98df25u + 0x2545f4914f6cdd1du;
}

KI_NOINLINE uint64_t ki_hash_u64(uint64_t hash, uint64_t value)
{
    return hash_step(hash, value);
}

KI_NOINLINE uint64_t ki_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    hash = hash_step(hash, size);
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = hash_step(hash, word);
    }
    if (size > 0) {
        uint64_t word = 0;
        memcpy(&word, at, size);
        hash = hash_step(hash, word);
    }
    return hash;
}

KI_NOINLINE uint64_t ki_hash_text(uint64_t hash, const char *text)
{
    return ki_hash_bytes(hash, text, strlen(text));
}
