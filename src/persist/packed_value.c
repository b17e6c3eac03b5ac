#include "persist/packed_value.h"

#include <stddef.h>
#include <string.h>

#include "base/hash.h"

static bool packed_travels(const kith_field *field)
{
    return field->kind != KITH_PADDING && field->kind != KITH_OPAQUE;
}

uint64_t ki_packed_type_hash(const kith_type *type)
{
    uint64_t hash = ki_hash_u64(ki_hash_text(KI_HASH_SEED, type->name), type->version);
    hash = type->relation == 0 ? hash : ki_hash_u64(hash, type->relation);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (packed_travels(field)) {
            hash = ki_hash_text(hash, field->name == NULL ? "" : field->name);
            hash = ki_hash_u64(hash, (uint64_t)field->size << 32 | (uint32_t)field->kind);
        }
    }
    return hash;
}

/* ---- Elements, as numbers ---------------------------------------------------------------------- */

/* NULL: zero. */
static uint64_t element_load(kith_kind kind, const void *at)
{
    uint64_t wide = 0;
    uint32_t word;
    uint16_t half;
    kith_entity entity;
    if (at == NULL) {
        return 0;
    }
    if (kind == KITH_ENTITY) {
        memcpy(&entity, at, sizeof entity);
        return (uint64_t)entity.generation << 32 | entity.index1;
    }
    switch (kith_kind_size(kind)) {
    case 1: return *(const uint8_t *)at;
    case 2: memcpy(&half, at, sizeof half); return half;
    case 4: memcpy(&word, at, sizeof word); return word;
    default: memcpy(&wide, at, sizeof wide); return wide;
    }
}

static void element_store(kith_kind kind, void *at, uint64_t value)
{
    uint32_t word = (uint32_t)value;
    uint16_t half = (uint16_t)value;
    kith_entity entity = {(uint32_t)value, (uint32_t)(value >> 32)};
    if (kind == KITH_ENTITY) {
        memcpy(at, &entity, sizeof entity);
        return;
    }
    switch (kith_kind_size(kind)) {
    case 1: *(uint8_t *)at = (uint8_t)value; break;
    case 2: memcpy(at, &half, sizeof half); break;
    case 4: memcpy(at, &word, sizeof word); break;
    default: memcpy(at, &value, sizeof value); break;
    }
}

static bool element_is_float(kith_kind kind)
{
    return kind == KITH_F32 || kind == KITH_F64;
}

/* The largest number of so many bytes. */
static uint64_t element_most(uint32_t size)
{
    return UINT64_MAX >> (64 - 8 * size);
}

/* A difference of integers, with its sign in the lowest bit: small where it is near zero. */
static uint64_t element_fold(uint64_t difference, uint32_t size)
{
    uint64_t sign = difference >> (8 * size - 1) & 1;
    return (difference << 1 ^ (0 - sign)) & element_most(size);
}

static uint64_t element_unfold(uint64_t folded, uint32_t size)
{
    return (folded >> 1 ^ (0 - (folded & 1))) & element_most(size);
}

/* Adds an older element to the hash of what was before. */
static void element_note(uint64_t *hash, const ki_packed_texts *texts, kith_kind kind,
                         uint64_t value)
{
    const ki_text *text = kind == KITH_TEXT ? ki_texts_at(texts->known, (uint32_t)value) : NULL;
    *hash = ki_hash_u64(*hash, text == NULL ? value : text->hash);
}

/* ---- Packing ----------------------------------------------------------------------------------- */

/* The place of a text in the list; it is added if it is not there. */
static uint32_t packer_text(ki_value_packer *to, uint32_t number)
{
    ki_packed_texts *texts = &to->texts;
    if (ki_texts_at(texts->known, number) == NULL) {
        number = 0; /* a wild number is no text */
    }
    uintptr_t place1 = (uintptr_t)ki_map_find(&texts->places, number);
    if (place1 != 0 || to->to->result != KITH_OK) {
        return (uint32_t)(place1 - (place1 != 0));
    }
    ki_heap *heap = to->to->heap;
    kith_result result = ki_map_reserve(heap, &texts->places);
    if (result == KITH_OK) {
        result = ki_heap_grow(heap, &texts->numbers, &texts->capacity, texts->count + 1,
                              sizeof *texts->numbers, 16);
    }
    if (result != KITH_OK) {
        to->to->result = result;
        return 0;
    }
    texts->numbers[texts->count++] = number;
    ki_map_insert(&texts->places, number, (void *)(uintptr_t)texts->count);
    return texts->count - 1;
}

static void packer_element(ki_value_packer *to, kith_kind kind, uint64_t before, uint64_t after)
{
    uint32_t size = kith_kind_size(kind);
    element_note(&to->before, &to->texts, kind, before);
    if (kind == KITH_ENTITY) {
        ki_pack_number(to->to, (uint32_t)after);
        ki_pack_number(to->to, after >> 32);
    } else if (kind == KITH_TEXT) {
        ki_pack_number(to->to, packer_text(to, (uint32_t)after));
    } else if (size == 1 || element_is_float(kind)) {
        ki_pack_fixed(to->to, after, size);
    } else {
        ki_pack_number(to->to, element_fold((after - before) & element_most(size), size));
    }
}

/* Two values of a field, side by side. */
typedef struct field_pair {
    kith_kind kind;
    uint32_t size;         /* of an element */
    uint32_t count;        /* of elements */
    const uint8_t *before; /* NULL: zeros */
    const uint8_t *after;
} field_pair;

static field_pair packer_pair(const kith_field *field, const void *before, const void *after)
{
    uint32_t size = kith_kind_size(field->kind);
    return (field_pair){.kind = field->kind,
                        .size = size,
                        .count = field->size / size,
                        .before = before == NULL ? NULL : (const uint8_t *)before + field->offset,
                        .after = (const uint8_t *)after + field->offset};
}

static uint64_t pair_before(const field_pair *pair, uint32_t i)
{
    return element_load(pair->kind,
                        pair->before == NULL ? NULL : pair->before + (size_t)i * pair->size);
}

static uint64_t pair_after(const field_pair *pair, uint32_t i)
{
    return element_load(pair->kind, pair->after + (size_t)i * pair->size);
}

static bool pair_element_differs(const field_pair *pair, uint32_t i)
{
    return pair_before(pair, i) != pair_after(pair, i);
}

static bool pair_differs(const field_pair *pair)
{
    if (pair->before != NULL) {
        return memcmp(pair->before, pair->after, (size_t)pair->count * pair->size) != 0;
    }
    bool differs = false;
    for (uint32_t i = 0; i < pair->count && !differs; i++) {
        differs = pair_element_differs(pair, i);
    }
    return differs;
}

static void packer_array(ki_value_packer *to, const field_pair *pair)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < pair->count; i++) {
        if (!pair_element_differs(pair, i)) {
            continue;
        }
        uint32_t end = i + 1;
        while (end < pair->count && pair_element_differs(pair, end)) {
            end++;
        }
        ki_pack_next(to->to, &next, i);
        ki_pack_number(to->to, end - i);
        for (; i < end; i++) {
            packer_element(to, pair->kind, pair_before(pair, i), pair_after(pair, i));
        }
        next = end;
    }
    ki_pack_number(to->to, 0);
}

bool ki_packed_values_differ(const kith_type *type, const void *before, const void *after)
{
    bool differ = false;
    for (uint32_t i = 0; i < type->field_count && !differ && before != after; i++) {
        const field_pair pair = packer_pair(&type->fields[i], before, after);
        differ = packed_travels(&type->fields[i]) && pair_differs(&pair);
    }
    return differ;
}

/* A bit for each field that travels: whether it differs. */
static void packer_mask(ki_value_packer *to, const kith_type *type, const void *before,
                        const void *after)
{
    uint8_t bits = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (!packed_travels(&type->fields[i])) {
            continue;
        }
        const field_pair pair = packer_pair(&type->fields[i], before, after);
        bits |= (uint8_t)(pair_differs(&pair) << count % 8);
        if (++count % 8 == 0) {
            ki_pack_byte(to->to, bits);
            bits = 0;
        }
    }
    if (count % 8 != 0) {
        ki_pack_byte(to->to, bits);
    }
}

void ki_pack_value(ki_value_packer *to, const kith_type *type, const void *before,
                   const void *after)
{
    packer_mask(to, type, before, after);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const field_pair pair = packer_pair(&type->fields[i], before, after);
        if (!packed_travels(&type->fields[i]) || !pair_differs(&pair)) {
            continue;
        }
        if (pair.count == 1) {
            packer_element(to, pair.kind, pair_before(&pair, 0), pair_after(&pair, 0));
        } else {
            packer_array(to, &pair);
        }
    }
}

/* ---- Unpacking --------------------------------------------------------------------------------- */

static uint64_t unpacker_byte(ki_value_unpacker *from, kith_kind kind)
{
    uint32_t at = from->from->at;
    uint8_t byte = ki_unpack_byte(from->from);
    if (kind == KITH_BOOL && byte > 1) {
        ki_unpack_wrong(from->from, at, "a bool, 0 or 1");
    }
    return byte;
}

static uint64_t unpacker_text(ki_value_unpacker *from)
{
    const ki_packed_texts *texts = &from->texts;
    uint32_t at = from->from->at;
    uint64_t place = ki_unpack_number(from->from, UINT32_MAX, "the number of a text");
    if (place >= texts->count) {
        ki_unpack_wrong(from->from, at, "the number of a text");
        return 0;
    }
    return texts->numbers[place];
}

static void unpacker_element(ki_value_unpacker *from, kith_kind kind, uint8_t *at)
{
    uint32_t size = kith_kind_size(kind);
    uint64_t before = element_load(kind, at);
    uint64_t after;
    element_note(&from->before, &from->texts, kind, before);
    if (kind == KITH_ENTITY) {
        after = ki_unpack_number(from->from, UINT32_MAX, "the slot of an entity");
        after |= ki_unpack_number(from->from, UINT32_MAX, "the generation of an entity") << 32;
    } else if (kind == KITH_TEXT) {
        after = unpacker_text(from);
    } else if (size == 1) {
        after = unpacker_byte(from, kind);
    } else if (element_is_float(kind)) {
        after = ki_unpack_fixed(from->from, size);
    } else {
        uint64_t folded =
            ki_unpack_number(from->from, element_most(size), "an integer of the field's size");
        after = (before + element_unfold(folded, size)) & element_most(size);
    }
    element_store(kind, at, after);
}

static void unpacker_array(ki_value_unpacker *from, kith_kind kind, uint8_t *field, uint32_t count)
{
    uint32_t size = kith_kind_size(kind);
    uint32_t next = 0;
    while (ki_unpack_next(from->from, &next, count, "an element of the array")) {
        uint32_t i = next - 1;
        uint64_t length = ki_unpack_number(from->from, count - i, "a number of elements");
        for (uint32_t end = i + (uint32_t)length; i < end && from->from->expected == NULL; i++) {
            unpacker_element(from, kind, field + (size_t)i * size);
        }
        next = length == 0 ? next : i;
    }
}

void ki_unpack_value(ki_value_unpacker *from, const kith_type *type, void *value)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        count += packed_travels(&type->fields[i]);
    }
    const uint8_t *mask = ki_unpack_bytes(from->from, (count + 7) / 8);
    uint32_t bit = 0;
    for (uint32_t i = 0; mask != NULL && i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (!packed_travels(field)) {
            continue;
        }
        if ((mask[bit / 8] >> bit % 8 & 1) != 0) {
            uint8_t *at = (uint8_t *)value + field->offset;
            uint32_t elements = field->size / kith_kind_size(field->kind);
            if (elements == 1) {
                unpacker_element(from, field->kind, at);
            } else {
                unpacker_array(from, field->kind, at, elements);
            }
        }
        bit++;
    }
}
