/* Hashes for tables and for the state of a world. They are the same on every machine. */
#ifndef KI_BASE_HASH_H
#define KI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define KI_HASH_SEED 0x9e3779b97f4a7c15u

/* 32 bits that tell hashes apart. The high bits of a product depend on all bits of the hash, which may
 * be a number that the program made. */
static inline uint32_t ki_hash_tag(uint64_t hash)
{
    return (uint32_t)(hash * 0x9e3779b97f4a7c15u >> 32);
}

/* Where a search for a hash with a tag begins in a table of `capacity` places, a power of two. */
static inline uint32_t ki_hash_tag_place(uint32_t tag, uint32_t capacity)
{
    return (uint32_t)((uint64_t)tag * capacity >> 32);
}

static inline uint32_t ki_hash_place(uint64_t hash, uint32_t capacity)
{
    return ki_hash_tag_place(ki_hash_tag(hash), capacity);
}

/* Adds a value to `hash`. The order of calls matters. */
uint64_t ki_hash_u64(uint64_t hash, uint64_t value);
uint64_t ki_hash_f64(uint64_t hash, double value); /* by its bits */
uint64_t ki_hash_bytes(uint64_t hash, const void *bytes, size_t size);
uint64_t ki_hash_text(uint64_t hash, const char *text);

/* Returns the next `size` bytes, 1 to 8, as a number with the first byte lowest. */
typedef uint64_t (*ki_hash_read)(void *from, size_t size);

/* ki_hash_bytes for bytes that `read` gives, one after the other. */
uint64_t ki_hash_from(uint64_t hash, size_t size, ki_hash_read read, void *from);

#endif
