/* Bytes that travel: numbers of any size, with the lowest byte first on every machine. What is read may
 * be any bytes at all. */
#ifndef KI_PERSIST_PACKED_BYTES_H
#define KI_PERSIST_PACKED_BYTES_H

#include <kith/text.h>

#include "base/heap.h"

/* Bytes that grow. All zero except for the heap: no bytes yet. */
typedef struct ki_pack {
    ki_heap *heap;
    uint8_t *bytes;
    uint32_t size;
    uint32_t capacity;
    kith_result result; /* of all that was added: KITH_ERR_MEMORY, KITH_ERR_LIMIT */
} ki_pack;

void ki_pack_free(ki_pack *to);

/* After a failure they do nothing. */
void ki_pack_bytes(ki_pack *to, const void *bytes, size_t size);
void ki_pack_byte(ki_pack *to, uint8_t byte);
void ki_pack_fixed(ki_pack *to, uint64_t value, uint32_t bytes);

/* Seven bits a byte, the lowest first; the highest bit of a byte tells that more come. */
void ki_pack_number(ki_pack *to, uint64_t value);

/* Bytes to read. */
typedef struct ki_unpack {
    const uint8_t *bytes;
    uint32_t size;
    uint32_t at;
    uint32_t wrong_at;    /* where something was wrong first, */
    const char *expected; /* and what was expected there; NULL: all is well */
} ki_unpack;

/* Notes what was expected, at the byte that is next, or at `at`. From then on reading gives zeros. */
void ki_unpack_wrong(ki_unpack *from, uint32_t at, const char *expected);

static inline uint32_t ki_unpack_rest(const ki_unpack *from)
{
    return from->size - from->at;
}

const uint8_t *ki_unpack_bytes(ki_unpack *from, uint32_t size); /* NULL: there are not so many */
uint8_t ki_unpack_byte(ki_unpack *from);
uint64_t ki_unpack_fixed(ki_unpack *from, uint32_t bytes);

/* A number that is at most `most`. */
uint64_t ki_unpack_number(ki_unpack *from, uint64_t most, const char *expected);

/* The next number of a list that grows: it is written as the distance from the one before, and zero ends
 * the list. `*next` is 0 to begin, and then the number after the one that was read. False: the list
 * ends. */
bool ki_unpack_next(ki_unpack *from, uint32_t *next, uint32_t end, const char *expected);
void ki_pack_next(ki_pack *to, uint32_t *next, uint32_t number);

#endif
