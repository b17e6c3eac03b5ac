#include "index/filter_keys.h"

#include <string.h>

#include "base/hash.h"
#include "store/field_key.h"

/* ---- Fields */

static bool filter_is_text(const kith_field *field)
{
    return field->kind == KITH_CHAR && field->size != 1;
}

bool ki_filter_fields_init(ki_filter_fields *fields, const kith_field *from, uint32_t count,
                           uint32_t *wrong)
{
    *fields = (ki_filter_fields){.count = count};
    for (uint32_t i = 0; i < count; i++) {
        ki_filter_field *field = &fields->list[i];
        *field = (ki_filter_field){.field = from[i],
                                   .bytes = from[i].size == 1,
                                   .bytes_before = fields->byte_count,
                                   .words_before = fields->word_count};
        if (!ki_key_is_hashed(&from[i])) {
            *wrong = i;
            return false;
        }
        fields->byte_count += field->bytes;
        fields->word_count += !field->bytes;
    }
    return true;
}

/* ---- Keys */

/* Mixes all bits of a key. Each step can be undone, so different keys have different hashes. */
static inline uint64_t filter_hash(uint64_t key)
{
    key = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    key = (key ^ key >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return key ^ key >> 32;
}

/* The key of a field of one byte is in the lowest byte. Any byte but 0 is true. */
static inline uint64_t filter_order(kith_kind kind, uint64_t key)
{
    return kind == KITH_BOOL ? key != 0 : key;
}

ki_filter_key ki_filter_key_of(const ki_filter_field *field, const uint8_t *value)
{
    kith_field alone = field->field;
    alone.offset = 0;
    uint64_t order = filter_order(alone.kind, ki_key_of_field(&alone, value));
    return (ki_filter_key){order, filter_hash(order)};
}

ki_filter_key ki_filter_key_of_text(const uint8_t *text, size_t length)
{
    uint64_t order = 0;
    for (uint32_t i = 0; i < 8 && i < length; i++) {
        order |= (uint64_t)text[i] << (56 - 8 * i);
    }
    return (ki_filter_key){order, filter_hash(ki_hash_bytes(KI_HASH_SEED, text, length))};
}

static bool filter_is_nan(kith_kind kind, uint64_t order)
{
    return (kind == KITH_F32 && order == UINT32_MAX) || (kind == KITH_F64 && order == UINT64_MAX);
}

static void filter_read_texts(const kith_field *field, const uint8_t *values, size_t stride,
                              uint32_t count, ki_filter_key *keys)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *text = values + i * stride + field->offset;
        const uint8_t *end = memchr(text, 0, field->size);
        keys[i] = ki_filter_key_of_text(text, end == NULL ? field->size : (size_t)(end - text));
    }
}

uint32_t ki_filter_read(const kith_field *field, const uint8_t *values, size_t stride,
                        uint32_t count, ki_filter_key *keys)
{
    if (filter_is_text(field)) {
        filter_read_texts(field, values, stride, count, keys);
        return count;
    }
    uint64_t long_keys[KI_FILTER_STEP];
    uint32_t short_keys[KI_FILTER_STEP];
    bool is_short = ki_key_bytes(field) == sizeof(uint32_t);
    ki_key_read(field->kind, values + field->offset, stride, count,
                is_short ? (void *)short_keys : (void *)long_keys);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t order = filter_order(field->kind, is_short ? short_keys[i] : long_keys[i]);
        keys[kept] = (ki_filter_key){order, filter_hash(order)};
        kept += !filter_is_nan(field->kind, order);
    }
    return kept;
}
