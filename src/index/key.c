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
        ((uint64_t *)keys)[i] =
            ki_key_hash(index->fields, index->field_count, values + (size_t)i * stride);
    }
}

bool ki_key_same_values(const kith_index *index, const uint8_t *a, const uint8_t *b)
{
    return ki_key_same(index->fields, index->field_count, a, b);
}
