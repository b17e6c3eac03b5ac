/* Hashes on machines with the highest byte first, as if it were the lowest. One byte at a time: such
 * machines are rare, and so are hashes. */
#include "base/hash.h"
#include "inspect/inspect.h"

/* Reads values whose fields follow one another without gaps. */
typedef struct swapped_reader {
    const kith_field *fields;
    uint32_t count;
    uint32_t number;            /* of the field it is in */
    uint32_t at;                /* bytes into that */
    const unsigned char *bytes; /* of that field */
} swapped_reader;

/* Bytes of one number in a field. */
static uint32_t swapped_width(const kith_field *field)
{
    return field->kind == KITH_ENTITY ? (uint32_t)sizeof(uint32_t) : kith_kind_size(field->kind);
}

static uint64_t swapped_read(void *from, size_t size)
{
    swapped_reader *reader = from;
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++) {
        const kith_field *field = &reader->fields[reader->number];
        uint32_t last = swapped_width(field) - 1; /* a number's size is a power of two */
        word |= (uint64_t)reader->bytes[reader->at ^ last] << 8 * i;
        if (++reader->at == field->size) {
            reader->at = 0;
            reader->bytes += field->size;
            reader->number = (reader->number + 1) % reader->count;
        }
    }
    return word;
}

uint64_t ki_hash_swapped(uint64_t hash, const kith_field *fields, uint32_t count,
                         const void *values, size_t bytes)
{
    swapped_reader reader = {.fields = fields, .count = count, .bytes = values};
    return ki_hash_from(hash, bytes, swapped_read, &reader);
}
