#include "inspect/value_hash.h"

#include <string.h>

#include "inspect/inspect.h"

/* Hashes texts by their bytes: their numbers depend on the order in which they were interned. */
static uint64_t hash_texts(uint64_t hash, const ki_texts *texts, const char *bytes, uint32_t size)
{
    for (uint32_t at = 0; at < size; at += (uint32_t)sizeof(kith_text)) {
        kith_text text;
        memcpy(&text, bytes + at, sizeof text);
        const ki_text *known = ki_texts_at(texts, text.number);
        hash = ki_hash_u64(hash, known == NULL ? text.number : known->hash);
    }
    return hash;
}

uint64_t ki_hash_fields(uint64_t hash, const kith_field *fields, uint32_t count, const void *values,
                        size_t bytes)
{
    return KI_BIG_ENDIAN ? ki_hash_swapped(hash, fields, count, values, bytes)
                         : ki_hash_bytes(hash, values, bytes);
}

static bool is_plain(const kith_field *field)
{
    return field->kind != KITH_TEXT && field->kind != KITH_PADDING && field->kind != KITH_OPAQUE;
}

ki_hasher ki_hasher_of(const kith_world *world, const kith_type *type, const ki_hooks *hooks)
{
    ki_hasher by = {.world = world, .type = type};
    by.hooks = hooks != NULL && hooks->calls.hash != NULL ? hooks : NULL;
    uint32_t end = 0; /* of the fields so far that have no gap between them */
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        end += is_plain(field) && field->offset == end ? field->size : 0;
    }
    by.plain = by.hooks == NULL && end == type->size;
    return by;
}

uint64_t ki_hash_value(uint64_t hash, const ki_hasher *by, const void *value)
{
    if (by->plain) {
        return ki_hash_fields(hash, by->type->fields, by->type->field_count, value, by->type->size);
    }
    if (by->hooks != NULL) {
        return ki_hash_u64(hash, ki_hooks_hash(by->hooks, value));
    }
    for (uint32_t i = 0; i < by->type->field_count; i++) {
        const kith_field *field = &by->type->fields[i];
        const char *bytes = (const char *)value + field->offset;
        if (field->kind == KITH_TEXT) {
            hash = hash_texts(hash, by->world->texts, bytes, field->size);
        } else if (is_plain(field)) {
            hash = ki_hash_fields(hash, field, 1, bytes, field->size);
        }
    }
    return hash;
}

uint64_t ki_hash_entity(uint64_t hash, kith_entity entity)
{
    return ki_hash_u64(hash, (uint64_t)entity.index1 << 32 | entity.generation);
}

/* The alignment that a type has where numbers of 8 bytes are aligned to 8; on 32-bit x86 it is 4. */
static uint32_t hash_align(const kith_type *type)
{
    bool wide = type->size % 8 == 0 && type->align == 4;
    for (uint32_t i = 0; wide && i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if ((field->kind == KITH_F64 || field->kind == KITH_I64 || field->kind == KITH_U64) &&
            field->offset % 8 == 0) {
            return 8;
        }
    }
    return type->align;
}

uint64_t ki_hash_type(uint64_t hash, const kith_type *type)
{
    hash = ki_hash_text(hash, type->name);
    hash = ki_hash_u64(hash, (uint64_t)type->version << 32 | type->size);
    hash = ki_hash_u64(hash, (uint64_t)hash_align(type) << 32 | type->field_count);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        hash = ki_hash_text(hash, field->name == NULL ? "" : field->name);
        hash = ki_hash_u64(hash, (uint64_t)field->offset << 32 | field->size);
        hash = ki_hash_u64(hash, (uint64_t)field->kind);
    }
    return hash;
}
