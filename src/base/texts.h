/* Interned texts: each text once, under a number that never changes. Texts stay until all go. */
#ifndef KI_BASE_TEXTS_H
#define KI_BASE_TEXTS_H

#include "base/heap.h"

typedef struct ki_text {
    const char *bytes; /* with a zero byte behind them; stays where it is */
    uint32_t length;
    uint64_t hash;
} ki_text;

typedef struct ki_text_chunk ki_text_chunk;

typedef struct ki_texts {
    ki_text *items; /* by number - 1; number 0 is the empty text, which is nowhere */
    uint32_t count;
    uint32_t capacity;
    uint32_t *index;     /* numbers by hash, linear probing; 0 where none is */
    uint32_t index_size; /* a power of two, at least twice `count`; or 0 */
    ki_text_chunk *chunks;
    size_t chunk_bytes; /* of all of them */
} ki_texts;

void ki_texts_free(ki_heap *heap, ki_texts *texts);

/* The number of a text, which may be any bytes; UINT32_MAX if it was never interned. */
uint32_t ki_texts_find(const ki_texts *texts, const char *bytes, uint32_t length);

/* The same, and interns it where it was not. KITH_ERR_MEMORY; KITH_ERR_LIMIT if there is no number
 * left. */
kith_result ki_texts_intern(ki_heap *heap, ki_texts *texts, const char *bytes, uint32_t length,
                            uint32_t *number);

/* NULL for a number that no text has. */
static inline const ki_text *ki_texts_at(const ki_texts *texts, uint32_t number)
{
    static const ki_text empty = {"", 0, 0};
    return number == 0 ? &empty : number <= texts->count ? &texts->items[number - 1] : NULL;
}

/* Bytes held. */
static inline size_t ki_texts_reserved(const ki_texts *texts)
{
    return texts->chunk_bytes + texts->capacity * sizeof *texts->items +
           texts->index_size * sizeof *texts->index;
}

#endif
