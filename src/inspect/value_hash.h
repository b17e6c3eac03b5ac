/* Hashes of single values, by their types. */
#ifndef KI_INSPECT_VALUE_HASH_H
#define KI_INSPECT_VALUE_HASH_H

#include "base/hash.h"
#include "world/world.h"

/* How to hash values of a type: by its hook, or by its fields, without padding and KITH_OPAQUE. */
typedef struct ki_hasher {
    const kith_world *world;
    const kith_type *type;
    const ki_hooks *hooks; /* NULL unless they hash */
    bool plain;            /* every byte of a value is hashed as it is */
} ki_hasher;

ki_hasher ki_hasher_of(const kith_world *world, const kith_type *type, const ki_hooks *hooks);

uint64_t ki_hash_value(uint64_t hash, const ki_hasher *by, const void *value);

/* Values with these fields, without gaps between them. On machines with the highest byte first, numbers
 * are hashed with the lowest byte first. */
uint64_t ki_hash_fields(uint64_t hash, const kith_field *fields, uint32_t count, const void *values,
                        size_t bytes);

uint64_t ki_hash_entity(uint64_t hash, kith_entity entity);

/* A type as it is declared. */
uint64_t ki_hash_type(uint64_t hash, const kith_type *type);

#endif
