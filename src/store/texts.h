/* Interned texts: each text once, under a number that never changes. Texts stay until all go.
 *
 * They are found by their hash, in buckets. Each text that is added also adds a bucket, which takes a
 * part of the texts of another one. So adding a text never waits until a larger table is filled. */
#ifndef KI_STORE_TEXTS_H
#define KI_STORE_TEXTS_H

#include "store/column.h"

typedef struct ki_text {
    const char *bytes; /* with a zero byte after them; stays where it is */
    uint32_t length;
    uint32_t next; /* number of the next text in its bucket; 0: none */
    uint64_t hash;
} ki_text;

typedef struct ki_text_chunk ki_text_chunk;

typedef struct ki_texts {
    ki_column items;   /* ki_text, by number - 1; number 0 is the empty text, which is nowhere */
    ki_column buckets; /* uint32_t: the number of the first text in each; 0: none */
    uint32_t count;    /* of texts, and of buckets */
    ki_text_chunk *chunks;
    size_t chunk_bytes; /* of all of them */
} ki_texts;

/* NULL if memory ran out. In all calls except ki_texts_intern, NULL are no texts. */
ki_texts *ki_texts_new(ki_heap *heap);
void ki_texts_free(ki_column_context *columns, ki_texts *texts);

/* Texts with the same numbers, and the same bytes where they are: `from` is to be there as long. NULL if
 * memory ran out. */
ki_texts *ki_texts_borrow(ki_column_context *columns, const ki_texts *from);

/* The number of a text, which may be any bytes; UINT32_MAX if it was never interned. */
uint32_t ki_texts_find(const ki_texts *texts, const char *bytes, uint32_t length);

/* The same, and interns it where it was not. KITH_ERR_MEMORY; KITH_ERR_LIMIT if there is no number
 * left. */
kith_result ki_texts_intern(ki_column_context *columns, ki_texts *texts, const char *bytes,
                            uint32_t length, uint32_t *number);

/* NULL for a number that no text has. */
static inline const ki_text *ki_texts_at(const ki_texts *texts, uint32_t number)
{
    static const ki_text empty = {.bytes = ""};
    if (number == 0) {
        return &empty;
    }
    return texts != NULL && number <= texts->count ? ki_column_at(&texts->items, number - 1) : NULL;
}

/* Bytes held. */
static inline size_t ki_texts_reserved(const ki_texts *texts)
{
    return texts == NULL ? 0
                         : sizeof *texts + texts->chunk_bytes + ki_column_reserved(&texts->items) +
                               ki_column_reserved(&texts->buckets);
}

#endif
