/* Keys: what an index of numbers or texts knows of a value. */
#ifndef KI_INDEX_KEY_H
#define KI_INDEX_KEY_H

#include "index/frame.h"

/* Whether a field is one value that has an order key; and the bytes of that. */
bool ki_key_is_number(const kith_field *field);
uint32_t ki_key_bytes(const kith_field *field);

/* The order key of a field that is not an array of char. */
uint64_t ki_key_of_field(const kith_field *field, const uint8_t *value);

/* Whether a hash takes a field: such a value, or text. */
bool ki_key_is_hashed(const kith_field *field);

/* `read_keys` for an index of one such value: its order key, of 4 or 8 bytes. */
void ki_key_read_order(const kith_index *index, const uint8_t *values, size_t stride,
                       uint32_t count, void *keys);

/* `read_keys` for any fields that a hash takes: a hash of 8 bytes. 0: one of them is a NaN. */
void ki_key_read_hash(const kith_index *index, const uint8_t *values, size_t stride, uint32_t count,
                      void *keys);

/* Whether two values are the same for a hash index of such fields. */
bool ki_key_same_values(const kith_index *index, const uint8_t *a, const uint8_t *b);

/* A key of 4 or 8 bytes as a number. */
static inline uint64_t ki_key_number(const kith_index *index, const void *key)
{
    if (index->key_size == sizeof(uint32_t)) {
        uint32_t number;
        memcpy(&number, key, sizeof number);
        return number;
    }
    uint64_t number;
    memcpy(&number, key, sizeof number);
    return number;
}

/* Whether the order key of an index's only field is that of a NaN, which is in no index. */
static inline bool ki_key_is_nan(const kith_index *index, uint64_t number)
{
    return (index->fields[0].kind == KITH_F32 && number == UINT32_MAX) ||
           (index->fields[0].kind == KITH_F64 && number == UINT64_MAX);
}

#endif
