#include "persist/packed_bytes.h"

#include <stddef.h>
#include <string.h>

void ki_pack_free(ki_pack *to)
{
    ki_heap_free(to->heap, to->bytes, to->capacity, _Alignof(max_align_t));
    *to = (ki_pack){.heap = to->heap};
}

/* Room for so many bytes more; NULL: there is none. */
static uint8_t *pack_room(ki_pack *to, size_t size)
{
    if (to->result != KITH_OK) {
        return NULL;
    }
    if (size > UINT32_MAX - to->size) {
        to->result = KITH_ERR_LIMIT;
        return NULL;
    }
    uint32_t needed = to->size + (uint32_t)size;
    to->result = ki_heap_grow(to->heap, &to->bytes, &to->capacity, needed, 1, 256);
    if (to->result != KITH_OK) {
        return NULL;
    }
    uint8_t *room = to->bytes + to->size;
    to->size = needed;
    return room;
}

void ki_pack_bytes(ki_pack *to, const void *bytes, size_t size)
{
    uint8_t *room = size == 0 ? NULL : pack_room(to, size);
    if (room != NULL) {
        memcpy(room, bytes, size);
    }
}

void ki_pack_byte(ki_pack *to, uint8_t byte)
{
    ki_pack_bytes(to, &byte, 1);
}

void ki_pack_fixed(ki_pack *to, uint64_t value, uint32_t bytes)
{
    uint8_t packed[8];
    for (uint32_t i = 0; i < bytes; i++) {
        packed[i] = (uint8_t)(value >> 8 * i);
    }
    ki_pack_bytes(to, packed, bytes);
}

void ki_pack_number(ki_pack *to, uint64_t value)
{
    uint8_t packed[10];
    uint32_t count = 0;
    for (; value >= 0x80; value >>= 7) {
        packed[count++] = (uint8_t)(value | 0x80);
    }
    packed[count++] = (uint8_t)value;
    ki_pack_bytes(to, packed, count);
}

void ki_unpack_wrong(ki_unpack *from, uint32_t at, const char *expected)
{
    if (from->expected == NULL) {
        from->expected = expected;
        from->wrong_at = at;
        from->at = from->size;
    }
}

const uint8_t *ki_unpack_bytes(ki_unpack *from, uint32_t size)
{
    if (size > ki_unpack_rest(from)) {
        ki_unpack_wrong(from, from->size, "more bytes");
        return NULL;
    }
    const uint8_t *bytes = from->bytes + from->at;
    from->at += size;
    return bytes;
}

uint8_t ki_unpack_byte(ki_unpack *from)
{
    const uint8_t *byte = ki_unpack_bytes(from, 1);
    return byte == NULL ? 0 : *byte;
}

uint64_t ki_unpack_fixed(ki_unpack *from, uint32_t bytes)
{
    const uint8_t *packed = ki_unpack_bytes(from, bytes);
    uint64_t value = 0;
    for (uint32_t i = 0; packed != NULL && i < bytes; i++) {
        value |= (uint64_t)packed[i] << 8 * i;
    }
    return value;
}

uint64_t ki_unpack_number(ki_unpack *from, uint64_t most, const char *expected)
{
    uint32_t at = from->at;
    uint64_t value = 0;
    uint8_t byte = 0x80;
    for (uint32_t shift = 0; (byte & 0x80) != 0; shift += 7) {
        byte = ki_unpack_byte(from);
        if (shift == 63 && byte > 1) {
            ki_unpack_wrong(from, at, expected);
            return 0;
        }
        value |= (uint64_t)(byte & 0x7f) << shift;
    }
    if (value > most) {
        ki_unpack_wrong(from, at, expected);
    }
    return from->expected == NULL ? value : 0;
}

bool ki_unpack_next(ki_unpack *from, uint32_t *next, uint32_t end, const char *expected)
{
    uint64_t gap = ki_unpack_number(from, end - *next, expected);
    *next += (uint32_t)gap;
    return gap != 0;
}

void ki_pack_next(ki_pack *to, uint32_t *next, uint32_t number)
{
    ki_pack_number(to, (uint64_t)number + 1 - *next);
    *next = number + 1;
}
