#include "reflect/sort_keys.h"

#include <string.h>

#include "base/order_keys.h"

bool ki_sort_has_keys(const ki_sort_by *by)
{
    bool text = by->field.kind == KITH_TEXT || (by->field.kind == KITH_CHAR && by->field.size > 1);
    return by->places != NULL || (by->compare == NULL && !text);
}

static uint64_t sort_key_entity(kith_entity entity)
{
    return (uint64_t)entity.index1 << 32 | entity.generation;
}

/* A loop for each kind, so that none asks for each value. */
#define SORT_KEYS(T, key)                                                                          \
    do {                                                                                           \
        for (uint32_t i = 0; i < count; i++) {                                                     \
            T value;                                                                               \
            memcpy(&value, from + (size_t)i * stride, sizeof value);                               \
            keys[i] = (key);                                                                       \
        }                                                                                          \
    } while (0)

/* The keys of values `stride` bytes apart, ascending. */
static void sort_read_keys(kith_kind kind, const uint8_t *from, uint32_t stride, uint32_t count,
                           uint64_t *keys)
{
    switch (kind) {
    case KITH_BOOL:
    case KITH_CHAR:
    case KITH_U8: SORT_KEYS(uint8_t, value); break;
    case KITH_I8: SORT_KEYS(int8_t, ki_order_i32(value)); break;
    case KITH_I16: SORT_KEYS(int16_t, ki_order_i32(value)); break;
    case KITH_U16: SORT_KEYS(uint16_t, value); break;
    case KITH_I32: SORT_KEYS(int32_t, ki_order_i32(value)); break;
    case KITH_U32: SORT_KEYS(uint32_t, value); break;
    case KITH_I64: SORT_KEYS(int64_t, ki_order_i64(value)); break;
    case KITH_U64: SORT_KEYS(uint64_t, value); break;
    case KITH_F32: SORT_KEYS(uint32_t, ki_order_f32(value)); break;
    case KITH_F64: SORT_KEYS(uint64_t, ki_order_f64(value)); break;
    case KITH_ENTITY: SORT_KEYS(kith_entity, sort_key_entity(value)); break;
    case KITH_BYTES:
    case KITH_PADDING:
    case KITH_TEXT:
    case KITH_OPAQUE: break; /* they have no keys */
    }
}

/* The keys of entities. */
static void sort_read_places(const uint32_t *places, const kith_entity *entities, uint32_t count,
                            uint64_t *keys)
{
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = places[entities[i].index1 - 1];
    }
}

void ki_sort_keys(const ki_sort_by *by, const ki_column *values, uint32_t first, uint32_t count,
                  uint64_t *keys)
{
    uint64_t turned = by->descending ? UINT64_MAX : 0;
    for (uint32_t run; count > 0; first += run, count -= run, keys += run) {
        run = ki_column_run(values, first, count);
        const uint8_t *from = ki_column_at(values, first);
        if (by->places != NULL) {
            sort_read_places(by->places, (const kith_entity *)(const void *)from, run, keys);
        } else {
            sort_read_keys(by->field.kind, from + by->field.offset, values->size, run, keys);
        }
        for (uint32_t i = 0; i < run; i++) {
            keys[i] ^= turned;
        }
    }
}

static int sort_compare_texts(const ki_texts *texts, const void *a, const void *b)
{
    kith_text handles[2];
    memcpy(&handles[0], a, sizeof handles[0]);
    memcpy(&handles[1], b, sizeof handles[1]);
    const ki_text *left = ki_texts_at(texts, handles[0].number);
    const ki_text *right = ki_texts_at(texts, handles[1].number);
    if (left == NULL || right == NULL) {
        return (left != NULL) - (right != NULL); /* no text has the number: first of all */
    }
    uint32_t both = left->length < right->length ? left->length : right->length;
    int difference = memcmp(left->bytes, right->bytes, both);
    return difference != 0 ? difference
                           : (left->length > right->length) - (left->length < right->length);
}

static int sort_compare(const ki_sort_by *by, const void *a, const void *b)
{
    if (by->compare != NULL) {
        return by->compare(a, b, by->user);
    }
    const char *left = (const char *)a + by->field.offset;
    const char *right = (const char *)b + by->field.offset;
    return by->field.kind == KITH_TEXT ? sort_compare_texts(by->texts, left, right)
                                       : strncmp(left, right, by->field.size);
}

bool ki_sort_is_before(const ki_sort_by *by, const void *a, const void *b)
{
    int order = sort_compare(by, a, b);
    return by->descending ? order > 0 : order < 0;
}

bool ki_sort_value_is_before(const ki_sort_by *by, const void *a, const void *b)
{
    if (!ki_sort_has_keys(by)) {
        return ki_sort_is_before(by, a, b);
    }
    uint64_t keys[2];
    sort_read_keys(by->field.kind, (const uint8_t *)a + by->field.offset, 0, 1, &keys[0]);
    sort_read_keys(by->field.kind, (const uint8_t *)b + by->field.offset, 0, 1, &keys[1]);
    return by->descending ? keys[0] > keys[1] : keys[0] < keys[1];
}
