/* A log: bytes that are appended, in chunks that stay where they are. Zeroed, it is empty. */
#ifndef KI_COMMAND_LOG_H
#define KI_COMMAND_LOG_H

#include "base/compiler.h"
#include "base/heap.h"

typedef struct ki_chunk {
    _Alignas(8) struct ki_chunk *next;
    uint32_t size; /* bytes of room after this header */
    uint32_t used; /* of them; up to date in all but the one that is being filled */
} ki_chunk;
_Static_assert(sizeof(ki_chunk) == 16, "entries are aligned to 8, after pointers of 4 bytes too");
_Static_assert(_Alignof(max_align_t) >= 8, "chunks are aligned like that");

typedef struct ki_log {
    uint8_t *at; /* the next place, and the end of the room there */
    uint8_t *end;
    ki_chunk *first;
    ki_chunk *filling;
} ki_log;

/* Room for `size` bytes at the end; NULL if memory ran out. */
void *ki_log_alloc_slow(ki_heap *heap, ki_log *log, size_t size);

static inline void *ki_log_alloc(ki_heap *heap, ki_log *log, size_t size)
{
    if ((size_t)(log->end - log->at) >= size) {
        void *taken = log->at;
        log->at += size;
        return taken;
    }
    return ki_log_alloc_slow(heap, log, size);
}

/* Empties the log. Chunks that were in use are kept for the next time. */
void ki_log_rewind(ki_heap *heap, ki_log *log);
void ki_log_free(ki_heap *heap, ki_log *log);

/* Goes on to the next chunk of a log; NULL after the last. `*end` is that of what it holds. */
ki_chunk *ki_log_next_chunk(const ki_log *log, const ki_chunk *chunk, const uint8_t **end);

#endif
