/* Keys of fields: numbers and hashes that are equal where values are. */
#ifndef KI_STORE_FIELD_KEY_H
#define KI_STORE_FIELD_KEY_H

#include <kith/type.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a field is one value that has an order key; and the bytes of that. */
bool ki_key_is_number(const kith_field *field);
uint32_t ki_key_bytes(const kith_field *field);

/* The order keys of fields of a kind, `stride` bytes apart: uint32_t, or uint64_t for kinds of 8
 * bytes. */
void ki_key_read(kith_kind kind, const uint8_t *from, size_t stride, uint32_t count, void *keys);

/* The order key of a field that is not an array of char. */
uint64_t ki_key_of_field(const kith_field *field, const uint8_t *value);

/* Whether a hash takes a field: such a value, or text. */
bool ki_key_is_hashed(const kith_field *field);

/* The hash of some fields of a value; 0: one is a NaN. */
uint64_t ki_key_hash(const kith_field *fields, uint32_t count, const uint8_t *value);

/* Whether two values are the same in these fields. */
bool ki_key_same(const kith_field *fields, uint32_t count, const uint8_t *a, const uint8_t *b);

#endif
