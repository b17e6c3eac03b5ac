/* The fields of a filter, and what it keeps of a value: its order, and its bits in a word. */
#ifndef KI_INDEX_FILTER_KEYS_H
#define KI_INDEX_FILTER_KEYS_H

#include <kith/index.h>

#define KI_FILTER_BYTE_WORDS 4u /* of a field of one byte: a bit for each */

typedef struct ki_filter_field {
    kith_field field;
    bool bytes;            /* it is one byte */
    uint32_t bytes_before; /* fields of one byte before this one, */
    uint32_t words_before; /* and others */
} ki_filter_field;

typedef struct ki_filter_fields {
    ki_filter_field list[KITH_INDEX_FIELDS];
    uint32_t count;
    uint32_t byte_count; /* of one byte, */
    uint32_t word_count; /* and others */
} ki_filter_fields;

/* A value of a field. */
typedef struct ki_filter_key {
    uint64_t order; /* the order key; of a text its first eight bytes */
    uint64_t hash;
} ki_filter_key;

/* What a filter of these fields is made of. False: it cannot take field number `*wrong`. */
bool ki_filter_fields_init(ki_filter_fields *fields, const kith_field *from, uint32_t count,
                           uint32_t *wrong);

/* The key of a value of a field that is not a text; and of a text. */
ki_filter_key ki_filter_key_of(const ki_filter_field *field, const uint8_t *value);
ki_filter_key ki_filter_key_of_text(const uint8_t *text, size_t length);

#define KI_FILTER_STEP 128u /* keys that are read at once */

/* Reads up to KI_FILTER_STEP keys of a field, of values that are `stride` bytes apart; returns how many
 * they are. NaNs have none: no condition that a filter serves holds for them. */
uint32_t ki_filter_read(const kith_field *field, const uint8_t *values, size_t stride,
                        uint32_t count, ki_filter_key *keys);

/* The bits that a value has in its word. */
static inline uint64_t ki_filter_mask(const ki_filter_field *field, ki_filter_key key)
{
    if (field->bytes) {
        return UINT64_C(1) << key.order % 64;
    }
    const uint64_t one = 1;
    const uint64_t hash = key.hash;
    return one << hash % 64 | one << (hash >> 6) % 64 | one << (hash >> 12) % 64 |
           one << (hash >> 18) % 64 | one << (hash >> 24) % 64;
}

/* Which word that is: its number for a byte, or a share of all words. */
static inline uint32_t ki_filter_place(const ki_filter_field *field, ki_filter_key key)
{
    return field->bytes ? (uint32_t)(key.order % 256 / 64) : (uint32_t)(key.hash >> 32);
}

#endif
