/* Keys: what an index of numbers or texts knows of a value. */
#ifndef KI_INDEX_KEY_H
#define KI_INDEX_KEY_H

#include "index/frame.h"
#include "store/field_key.h"

/* `read_keys` for an index of one such value: its order key, of 4 or 8 bytes. */
void ki_key_read_order(const kith_index *index, const uint8_t *values, size_t stride,
                       uint32_t count, void *keys);

/* `read_keys` for any fields that a hash takes: a hash of 8 bytes. 0: one of them is a NaN. */
void ki_key_read_hash(const kith_index *index, const uint8_t *values, size_t stride, uint32_t count,
                      void *keys);

/* Whether two values are the same for a hash index of such fields. */
bool ki_key_same_values(const kith_index *index, const uint8_t *a, const uint8_t *b);

/* Whether a field is a text in an array of char. */
static inline bool ki_key_is_text(const kith_field *field)
{
    return field->kind == KITH_CHAR && field->size != 1;
}

/* Words that are ordered as the values of fields are, the most significant first: how many one field
 * takes, those of one field of a value, and those of all fields of `count` values. */
uint32_t ki_key_words(const kith_field *field);
void ki_key_read_field(const kith_field *field, const uint8_t *value, uint32_t *words);
void ki_key_read_words(const kith_index *index, const uint8_t *values, size_t stride,
                       uint32_t count, uint32_t *words);

/* A key of 4 bytes, or the first 8 bytes of a longer one, as a number. */
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
