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

enum { LANES = 4, LANES_LEAST = 64 };

/* A step waits for the one before; so what is long goes four words at a time, each into a lane of its
 * own: the round of xxHash64 (Yann Collet, in its public description). Returns how much it took. */
static size_t hash_lanes(uint64_t *hash, const unsigned char *bytes, size_t size)
{
    uint64_t lanes[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        lanes[i] = hash_step(*hash, i);
    }
    size_t at = 0;
    for (; size - at >= sizeof lanes; at += sizeof lanes) {
        for (size_t i = 0; i < LANES; i++) {
            uint64_t word;
            memcpy(&word, bytes + at + 8 * i, 8);
            uint64_t sum = lanes[i] + word * 0xc2b2ae3d27d4eb4fu;
            lanes[i] = (sum << 31 | sum >> 33) * 0x9e3779b185ebca87u;
        }
    }
    for (unsigned i = 0; i < LANES; i++) {
        *hash = hash_step(*hash, lanes[i]);
    }
    return at;
}

KI_NOINLINE uint64_t ki_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    hash = hash_step(hash, size);
    if (size >= LANES_LEAST) {
        size_t taken = hash_lanes(&hash, at, size);
        at += taken;
        size -= taken;
    }
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
