#include "base/texts.h"

#include <string.h>

#include "base/compiler.h"
#include "base/hash.h"

/* Texts stand one behind the other in chunks, so that a short one costs little more than its bytes. */
struct ki_text_chunk {
    ki_text_chunk *next;
    uint32_t size; /* of `bytes` */
    uint32_t used;
    char bytes[];
};

#define TEXTS_NUMBER_MAX (UINT32_MAX / 4)
#define TEXTS_CHUNK_MIN 256u
#define TEXTS_CHUNK_MAX 65536u

KI_RARE void ki_texts_free(ki_heap *heap, ki_texts *texts)
{
    while (texts->chunks != NULL) {
        ki_text_chunk *chunk = texts->chunks;
        texts->chunks = chunk->next;
        ki_heap_give(heap, chunk, sizeof *chunk + chunk->size, _Alignof(ki_text_chunk));
    }
    ki_heap_give(heap, texts->items, texts->capacity * sizeof *texts->items, _Alignof(max_align_t));
    ki_heap_give(heap, texts->index, texts->index_size * sizeof *texts->index, _Alignof(uint32_t));
    *texts = (ki_texts){0};
}

/* Where a text stands in the index, or would. */
KI_RARE static uint32_t texts_place(const ki_texts *texts, uint64_t hash, const char *bytes,
                                    uint32_t length)
{
    uint32_t mask = texts->index_size - 1;
    uint32_t place = (uint32_t)hash & mask;
    for (; texts->index[place] != 0; place = (place + 1) & mask) {
        const ki_text *text = &texts->items[texts->index[place] - 1];
        if (text->hash == hash && text->length == length &&
            memcmp(text->bytes, bytes, length) == 0) {
            break;
        }
    }
    return place;
}

uint32_t ki_texts_find(const ki_texts *texts, const char *bytes, uint32_t length)
{
    if (length == 0) {
        return 0;
    }
    if (texts->count == 0) {
        return UINT32_MAX;
    }
    uint64_t hash = ki_hash_bytes(KI_HASH_SEED, bytes, length);
    uint32_t number = texts->index[texts_place(texts, hash, bytes, length)];
    return number == 0 ? UINT32_MAX : number;
}

/* Makes room in the index for one text more. */
KI_RARE static kith_result texts_reserve_index(ki_heap *heap, ki_texts *texts)
{
    if ((texts->count + 1) * 2 <= texts->index_size) {
        return KITH_OK;
    }
    ki_texts larger = *texts;
    larger.index_size = texts->index_size == 0 ? 16 : texts->index_size * 2;
    larger.index =
        ki_heap_take_zeroed(heap, larger.index_size * sizeof *larger.index, _Alignof(uint32_t));
    if (larger.index == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t number = 1; number <= texts->count; number++) {
        const ki_text *text = &texts->items[number - 1];
        larger.index[texts_place(&larger, text->hash, text->bytes, text->length)] = number;
    }
    ki_heap_give(heap, texts->index, texts->index_size * sizeof *texts->index, _Alignof(uint32_t));
    *texts = larger;
    return KITH_OK;
}

/* Makes the first chunk have room for so many bytes. Chunks get larger with the texts there are. */
KI_RARE static kith_result texts_reserve_bytes(ki_heap *heap, ki_texts *texts, uint64_t bytes)
{
    const ki_text_chunk *first = texts->chunks;
    if (first != NULL && bytes <= first->size - first->used) {
        return KITH_OK;
    }
    uint64_t size = first == NULL ? TEXTS_CHUNK_MIN : (uint64_t)first->size * 2;
    size = size > TEXTS_CHUNK_MAX ? TEXTS_CHUNK_MAX : size;
    size = bytes > size ? bytes : size;
    if (size > UINT32_MAX || size > SIZE_MAX - sizeof *first) {
        return KITH_ERR_MEMORY;
    }
    ki_text_chunk *chunk =
        ki_heap_take(heap, sizeof *chunk + (size_t)size, _Alignof(ki_text_chunk));
    if (chunk == NULL) {
        return KITH_ERR_MEMORY;
    }
    *chunk = (ki_text_chunk){.next = texts->chunks, .size = (uint32_t)size};
    texts->chunks = chunk;
    texts->chunk_bytes += sizeof *chunk + (size_t)size;
    return KITH_OK;
}

KI_RARE static void texts_add(ki_texts *texts, const char *bytes, uint32_t length)
{
    ki_text_chunk *chunk = texts->chunks;
    char *copy = chunk->bytes + chunk->used;
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    chunk->used += length + 1;
    uint64_t hash = ki_hash_bytes(KI_HASH_SEED, copy, length);
    uint32_t place = texts_place(texts, hash, copy, length);
    texts->items[texts->count] = (ki_text){copy, length, hash};
    texts->index[place] = ++texts->count;
}

KI_RARE kith_result ki_texts_intern(ki_heap *heap, ki_texts *texts, const char *bytes,
                                    uint32_t length, uint32_t *number)
{
    *number = ki_texts_find(texts, bytes, length);
    if (*number != UINT32_MAX) {
        return KITH_OK;
    }
    if (texts->count == TEXTS_NUMBER_MAX) {
        return ki_untold(heap, KITH_ERR_LIMIT);
    }
    KI_TRY(ki_heap_grow(heap, &texts->items, &texts->capacity, texts->count + 1,
                        sizeof *texts->items, 8));
    KI_TRY(texts_reserve_index(heap, texts));
    KI_TRY(texts_reserve_bytes(heap, texts, (uint64_t)length + 1));
    texts_add(texts, bytes, length);
    *number = texts->count;
    return KITH_OK;
}
