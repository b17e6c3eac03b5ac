#include "store/field_key.h"

#include <string.h>

#include "base/hash.h"
#include "base/order_keys.h"

bool ki_key_is_number(const kith_field *field)
{
    bool is = field->kind >= KITH_BOOL && field->kind <= KITH_ENTITY;
    return is && field->size == kith_kind_size(field->kind);
}

uint32_t ki_key_bytes(const kith_field *field)
{
    return field->size <= sizeof(uint32_t) ? sizeof(uint32_t) : sizeof(uint64_t);
}

bool ki_key_is_hashed(const kith_field *field)
{
    bool text =
        field->kind == KITH_CHAR || (field->kind == KITH_TEXT && field->size == sizeof(kith_text));
    return text || ki_key_is_number(field);
}

/* A loop for each kind, so that none asks for each value. */
#define KEY_LOOP(T, Key, key)                                                                      \
    do {                                                                                           \
        for (uint32_t i = 0; i < count; i++) {                                                     \
            T value;                                                                               \
            memcpy(&value, from + (size_t)i * stride, sizeof value);                               \
            Key made = (Key)(key); /* where keys lie may be aligned to 4 bytes only */             \
            memcpy((uint8_t *)keys + i * sizeof made, &made, sizeof made);                         \
        }                                                                                          \
    } while (0)

void ki_key_read(kith_kind kind, const uint8_t *from, size_t stride, uint32_t count, void *keys)
{
    switch (kind) {
    case KITH_BOOL:
    case KITH_CHAR:
    case KITH_U8: KEY_LOOP(uint8_t, uint32_t, value); break;
    case KITH_I8: KEY_LOOP(int8_t, uint32_t, ki_order_i32(value)); break;
    case KITH_I16: KEY_LOOP(int16_t, uint32_t, ki_order_i32(value)); break;
    case KITH_U16: KEY_LOOP(uint16_t, uint32_t, value); break;
    case KITH_I32: KEY_LOOP(int32_t, uint32_t, ki_order_i32(value)); break;
    case KITH_TEXT:
    case KITH_U32: KEY_LOOP(uint32_t, uint32_t, value); break;
    case KITH_F32: KEY_LOOP(uint32_t, uint32_t, ki_order_f32(value)); break;
    case KITH_I64: KEY_LOOP(int64_t, uint64_t, ki_order_i64(value)); break;
    case KITH_U64: KEY_LOOP(uint64_t, uint64_t, value); break;
    case KITH_F64: KEY_LOOP(uint64_t, uint64_t, ki_order_f64(value)); break;
    case KITH_ENTITY:
        KEY_LOOP(kith_entity, uint64_t, (uint64_t)value.index1 << 32 | value.generation);
        break;
    case KITH_BYTES:
    case KITH_PADDING:
    case KITH_OPAQUE: break; /* no key has any of them */
    }
}

static size_t key_text_length(const kith_field *field, const uint8_t *at)
{
    const uint8_t *end = memchr(at, 0, field->size);
    return end == NULL ? field->size : (size_t)(end - at);
}

uint64_t ki_key_of_field(const kith_field *field, const uint8_t *value)
{
    if (ki_key_bytes(field) == sizeof(uint32_t)) {
        uint32_t key = 0;
        ki_key_read(field->kind, value + field->offset, 0, 1, &key);
        return key;
    }
    uint64_t key = 0;
    ki_key_read(field->kind, value + field->offset, 0, 1, &key);
    return key;
}

static bool key_is_text(const kith_field *field)
{
    return field->kind == KITH_CHAR && field->size != 1;
}

static bool key_is_nan(const kith_field *field, uint64_t key)
{
    return (field->kind == KITH_F32 && key == UINT32_MAX) ||
           (field->kind == KITH_F64 && key == UINT64_MAX);
}

uint64_t ki_key_hash(const kith_field *fields, uint32_t count, const uint8_t *value)
{
    uint64_t hash = KI_HASH_SEED;
    for (uint32_t i = 0; i < count; i++) {
        const kith_field *field = &fields[i];
        if (key_is_text(field)) {
            const uint8_t *at = value + field->offset;
            size_t length = key_text_length(field, at);
            hash = ki_hash_u64(ki_hash_bytes(hash, at, length), length);
            continue;
        }
        uint64_t key = ki_key_of_field(field, value);
        if (key_is_nan(field, key)) {
            return 0;
        }
        hash = ki_hash_u64(hash, key);
    }
    return hash == 0 ? 1 : hash;
}

bool ki_key_same(const kith_field *fields, uint32_t count, const uint8_t *a, const uint8_t *b)
{
    for (uint32_t i = 0; i < count; i++) {
        const kith_field *field = &fields[i];
        if (!key_is_text(field)) {
            if (ki_key_of_field(field, a) != ki_key_of_field(field, b)) {
                return false;
            }
            continue;
        }
        size_t length = key_text_length(field, a + field->offset);
        if (length != key_text_length(field, b + field->offset) ||
            memcmp(a + field->offset, b + field->offset, length) != 0) {
            return false;
        }
    }
    return true;
}
