#include "command/log.h"

#define CHUNK_FIRST 1024u
#define CHUNK_LARGEST 65536u

static size_t chunk_bytes(const ki_chunk *chunk)
{
    return sizeof *chunk + chunk->size;
}

void *ki_log_alloc_slow(ki_heap *heap, ki_log *log, size_t size)
{
    ki_chunk *filling = log->filling;
    ki_chunk *next = filling == NULL ? log->first : filling->next;
    if (next == NULL || next->size < size) {
        size_t room = filling == NULL ? CHUNK_FIRST : (size_t)filling->size * 2;
        room = room > CHUNK_LARGEST ? CHUNK_LARGEST : room;
        room = (room < size + sizeof *next ? size + sizeof *next : room) - sizeof *next;
        ki_chunk *chunk = ki_heap_alloc(heap, sizeof *next + room, _Alignof(max_align_t));
        if (chunk == NULL) {
            return NULL;
        }
        *chunk = (ki_chunk){.next = next, .size = (uint32_t)room};
        next = chunk;
        if (filling == NULL) {
            log->first = chunk;
        } else {
            filling->next = chunk;
        }
    }
    if (filling != NULL) {
        filling->used = (uint32_t)(log->at - (uint8_t *)(filling + 1));
    }
    log->filling = next;
    log->at = (uint8_t *)(next + 1) + size;
    log->end = (uint8_t *)(next + 1) + next->size;
    return next + 1;
}

static void log_free_chunks(ki_heap *heap, ki_chunk *chunk)
{
    while (chunk != NULL) {
        ki_chunk *next = chunk->next;
        ki_heap_free(heap, chunk, chunk_bytes(chunk), _Alignof(max_align_t));
        chunk = next;
    }
}

ki_chunk *ki_log_next_chunk(const ki_log *log, const ki_chunk *chunk, const uint8_t **end)
{
    if (log->filling == NULL || chunk == log->filling) {
        return NULL;
    }
    ki_chunk *next = chunk == NULL ? log->first : chunk->next;
    *end = next == log->filling ? log->at : (uint8_t *)(next + 1) + next->used;
    return next;
}

void ki_log_rewind(ki_heap *heap, ki_log *log)
{
    if (heap->limit != 0) {
        ki_log_free(heap, log); /* what is kept would be missed */
        return;
    }
    if (log->filling != NULL) {
        log_free_chunks(heap, log->filling->next);
        log->filling->next = NULL;
    }
    log->filling = NULL;
    log->at = NULL;
    log->end = NULL;
}

void ki_log_free(ki_heap *heap, ki_log *log)
{
    log_free_chunks(heap, log->first);
    *log = (ki_log){0};
}
