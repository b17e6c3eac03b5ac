/* Not inline: many places compute hashes, and a call is short compared with a hash. */
#include <kith/floats.h>

#include "base/hash.h"

#include "base/compiler.h"

#include <string.h>

/* The finalizer of MurmurHash3 (Austin Appleby, public domain): every bit depends on every other. */
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

uint64_t ki_hash_u64(uint64_t hash, uint64_t value)
{
    return hash_step(hash, value);
}

uint64_t ki_hash_f64(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return hash_step(hash_step(hash, sizeof bits), bits);
}

/* Both halves of a product in one. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    const wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    const uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    const uint64_t first = (a >> 32) * (b & UINT32_MAX);
    const uint64_t middle = (a & UINT32_MAX) * (b >> 32) + (first & UINT32_MAX) + (low >> 32);
    const uint64_t high = (a >> 32) * (b >> 32) + (first >> 32) + (middle >> 32);
    return (middle << 32 | (low & UINT32_MAX)) ^ high;
#endif
}

enum { LANES = 4, LANES_BYTES = 16 * LANES, LANES_LEAST = 2 * LANES_BYTES };

/* Each step needs the result of the step before. Long texts are therefore read eight words at a
 * time, two into each lane: the round of wyhash (Wang Yi, public domain). Returns the bytes
 * read. */
static inline size_t hash_lanes(uint64_t *hash, size_t size, ki_hash_read read, void *from)
{
    uint64_t lanes[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        lanes[i] = hash_step(*hash, i);
    }
    size_t taken = 0;
    for (; size - taken >= LANES_BYTES; taken += LANES_BYTES) {
        for (size_t i = 0; i < LANES; i++) {
            const uint64_t word = read(from, 8);
            lanes[i] = hash_fold(word ^ KI_HASH_SEED, read(from, 8) ^ lanes[i]);
        }
    }
    for (unsigned i = 0; i < LANES; i++) {
        *hash = hash_step(*hash, lanes[i]);
    }
    return taken;
}

static inline uint64_t hash_all(uint64_t hash, size_t size, ki_hash_read read, void *from)
{
    hash = hash_step(hash, size);
    if (size >= LANES_LEAST) {
        size -= hash_lanes(&hash, size, read, from);
    }
    for (; size >= 8; size -= 8) {
        hash = hash_step(hash, read(from, 8));
    }
    return size > 0 ? hash_step(hash, read(from, size)) : hash;
}

/* Reads bytes from where `*from` points. Fewer than eight are put together one by one: a copy to a word
 * that is read at once would wait for the copy. */
static inline uint64_t hash_read_bytes(void *from, size_t size)
{
    const unsigned char **at = from;
    const unsigned char *bytes = *at;
    uint64_t word = 0;
    *at += size;
    if (size == 8) {
        memcpy(&word, bytes, sizeof word);
        return KI_BIG_ENDIAN ? KI_SWAP_BYTES(word) : word;
    }
    while (size != 0) {
        word = word << 8 | bytes[--size];
    }
    return word;
}

uint64_t ki_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    return hash_all(hash, size, hash_read_bytes, &at);
}

uint64_t ki_hash_from(uint64_t hash, size_t size, ki_hash_read read, void *from)
{
    return hash_all(hash, size, read, from);
}

uint64_t ki_hash_text(uint64_t hash, const char *text)
{
    return ki_hash_bytes(hash, text, strlen(text));
}
