#include "store/texts.h"

#include "base/hash.h"
#include "store/clone_column.h"

/* Texts are one after the other in chunks, so that a short one costs little more than its bytes. */
struct ki_text_chunk {
    ki_text_chunk *next;
    uint32_t size; /* of `bytes` */
    uint32_t used;
    char bytes[];
};

#define TEXTS_NUMBER_MAX (UINT32_MAX / 4)
#define TEXTS_CHUNK_MIN 256u
#define TEXTS_CHUNK_MAX 65536u

ki_texts *ki_texts_new(ki_heap *heap)
{
    ki_texts *texts = ki_heap_alloc_zeroed(heap, sizeof *texts, _Alignof(ki_texts));
    if (texts != NULL) {
        ki_column_init(&texts->items, sizeof(ki_text), _Alignof(ki_text));
        ki_column_init(&texts->buckets, sizeof(uint32_t), _Alignof(uint32_t));
    }
    return texts;
}

void ki_texts_free(ki_column_context *columns, ki_texts *texts)
{
    while (texts != NULL && texts->chunks != NULL) {
        ki_text_chunk *chunk = texts->chunks;
        texts->chunks = chunk->next;
        ki_heap_free(columns->heap, chunk, sizeof *chunk + chunk->size, _Alignof(ki_text_chunk));
    }
    if (texts != NULL) {
        ki_column_free(columns, &texts->items);
        ki_column_free(columns, &texts->buckets);
        ki_heap_free(columns->heap, texts, sizeof *texts, _Alignof(ki_texts));
    }
}

ki_texts *ki_texts_borrow(ki_column_context *columns, const ki_texts *from)
{
    ki_texts *texts = ki_texts_new(columns->heap);
    if (texts != NULL &&
        (ki_column_clone(columns, &from->items, 0, from->count, &texts->items) != KITH_OK ||
         ki_column_clone(columns, &from->buckets, 0, from->count, &texts->buckets) != KITH_OK)) {
        ki_texts_free(columns, texts);
        return NULL;
    }
    if (texts != NULL) {
        texts->count = from->count;
    }
    return texts;
}

static ki_text *texts_item(const ki_texts *texts, uint32_t number)
{
    return KI_COLUMN_AT_SHIFT(ki_text, &texts->items, number - 1, ki_block_shift(sizeof(ki_text)));
}

/* The bucket of a hash, where there are `count` of them: as many of its low bits as tell the
 * buckets apart, or one less where there is no such bucket yet. */
static uint32_t *texts_bucket(const ki_texts *texts, uint32_t count, uint64_t hash)
{
    uint32_t half = 1u << ki_highest_bit(count);
    uint32_t bucket = (uint32_t)hash & (2 * half - 1);
    return KI_COLUMN_AT(uint32_t, &texts->buckets, bucket < count ? bucket : bucket - half);
}

uint32_t ki_texts_find(const ki_texts *texts, const char *bytes, uint32_t length)
{
    if (length == 0) {
        return 0;
    }
    if (texts == NULL || texts->count == 0) {
        return UINT32_MAX;
    }
    uint64_t hash = ki_hash_bytes(KI_HASH_SEED, bytes, length);
    uint32_t number = *texts_bucket(texts, texts->count, hash);
    while (number != 0) {
        const ki_text *text = texts_item(texts, number);
        if (text->hash == hash && text->length == length &&
            memcmp(text->bytes, bytes, length) == 0) {
            return number;
        }
        number = text->next;
    }
    return UINT32_MAX;
}

/* Adds a bucket; there is room. It takes its part of the texts of the bucket that they were in, whose
 * number has one bit less. */
static void texts_add_bucket(ki_texts *texts)
{
    uint32_t added = texts->count;
    *(uint32_t *)ki_column_at(&texts->buckets, added) = 0;
    if (added == 0) {
        return;
    }
    uint32_t *old = ki_column_at(&texts->buckets, added - (1u << ki_highest_bit(added)));
    uint32_t number = *old;
    *old = 0;
    while (number != 0) {
        ki_text *text = texts_item(texts, number);
        uint32_t next = text->next;
        uint32_t *bucket = texts_bucket(texts, added + 1, text->hash);
        text->next = *bucket;
        *bucket = number;
        number = next;
    }
}

/* Makes the first chunk have room for so many bytes. Chunks get larger with the texts there are. */
static kith_result texts_reserve_bytes(ki_heap *heap, ki_texts *texts, uint64_t bytes)
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
        ki_heap_alloc(heap, sizeof *chunk + (size_t)size, _Alignof(ki_text_chunk));
    if (chunk == NULL) {
        return KITH_ERR_MEMORY;
    }
    *chunk = (ki_text_chunk){.next = texts->chunks, .size = (uint32_t)size};
    texts->chunks = chunk;
    texts->chunk_bytes += sizeof *chunk + (size_t)size;
    return KITH_OK;
}

static void texts_add(ki_texts *texts, const char *bytes, uint32_t length)
{
    ki_text_chunk *chunk = texts->chunks;
    char *copy = chunk->bytes + chunk->used;
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    chunk->used += length + 1;
    texts_add_bucket(texts);
    texts->count++;
    uint64_t hash = ki_hash_bytes(KI_HASH_SEED, copy, length);
    uint32_t *bucket = texts_bucket(texts, texts->count, hash);
    *texts_item(texts, texts->count) =
        (ki_text){.bytes = copy, .length = length, .next = *bucket, .hash = hash};
    *bucket = texts->count;
}

kith_result ki_texts_intern(ki_column_context *columns, ki_texts *texts, const char *bytes,
                            uint32_t length, uint32_t *number)
{
    *number = ki_texts_find(texts, bytes, length);
    if (*number != UINT32_MAX) {
        return KITH_OK;
    }
    if (texts->count == TEXTS_NUMBER_MAX) {
        return ki_without_message(columns->heap, KITH_ERR_LIMIT);
    }
    KI_TRY(ki_column_reserve(columns, &texts->items, texts->count + 1));
    KI_TRY(ki_column_reserve(columns, &texts->buckets, texts->count + 1));
    KI_TRY(texts_reserve_bytes(columns->heap, texts, (uint64_t)length + 1));
    texts_add(texts, bytes, length);
    *number = texts->count;
    return KITH_OK;
}
