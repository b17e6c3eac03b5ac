#include "index/key.h"

void ki_key_read_order(const kith_index *index, const uint8_t *values, size_t stride,
                       uint32_t count, void *keys)
{
    ki_key_read(index->fields[0].kind, values + index->fields[0].offset, stride, count, keys);
}

void ki_key_read_hash(const kith_index *index, const uint8_t *values, size_t stride, uint32_t count,
                      void *keys)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t hash = ki_key_hash(index->fields, index->field_count, values + i * stride);
        memcpy((uint8_t *)keys + i * sizeof hash, &hash, sizeof hash);
    }
}

bool ki_key_same_values(const kith_index *index, const uint8_t *a, const uint8_t *b)
{
    return ki_key_same(index->fields, index->field_count, a, b);
}

uint32_t ki_key_words(const kith_field *field)
{
    uint32_t bytes = ki_key_is_text(field) ? (uint32_t)field->size : ki_key_bytes(field);
    return bytes / 4 + (bytes % 4 != 0);
}

/* The bytes of a text. Only those before its end count. */
static void key_read_text(const kith_field *field, const uint8_t *text, uint32_t *words)
{
    memset(words, 0, ki_key_words(field) * sizeof *words);
    for (uint32_t i = 0; i < field->size && text[i] != 0; i++) {
        words[i / 4] |= (uint32_t)text[i] << (24 - i % 4 * 8);
    }
}

void ki_key_read_field(const kith_field *field, const uint8_t *value, uint32_t *words)
{
    if (ki_key_is_text(field)) {
        key_read_text(field, value + field->offset, words);
        return;
    }
    uint64_t key = ki_key_of_field(field, value);
    if (ki_key_words(field) == 2) {
        *words++ = (uint32_t)(key >> 32);
    }
    *words = (uint32_t)key;
}

void ki_key_read_words(const kith_index *index, const uint8_t *values, size_t stride,
                       uint32_t count, uint32_t *words)
{
    for (uint32_t i = 0; i < count; i++, values += stride) {
        for (uint32_t field = 0; field < index->field_count; field++) {
            ki_key_read_field(&index->fields[field], values, words);
            words += ki_key_words(&index->fields[field]);
        }
    }
}
