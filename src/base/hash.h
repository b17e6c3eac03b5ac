/* Hashing: for tables and for the state of a world. The same on every machine of one byte order. */
#ifndef KI_BASE_HASH_H
#define KI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define KI_HASH_SEED 0x9e3779b97f4a7c15u

/* Takes what is given into `hash`; the order of calls matters. */
uint64_t ki_hash_u64(uint64_t hash, uint64_t value);
uint64_t ki_hash_bytes(uint64_t hash, const void *bytes, size_t size);
uint64_t ki_hash_text(uint64_t hash, const char *text);

#endif
