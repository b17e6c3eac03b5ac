/* A world's memory: the host's allocator, a limit, and a count of what is held. */
#ifndef KI_BASE_HEAP_H
#define KI_BASE_HEAP_H

#include <kith/base.h>

/* Passes an error on. */
#define KI_TRY(call)                                                                               \
    do {                                                                                           \
        kith_result ki_try_result = (call);                                                        \
        if (ki_try_result != KITH_OK) {                                                            \
            return ki_try_result;                                                                  \
        }                                                                                          \
    } while (0)

typedef struct ki_heap {
    kith_allocator allocator;
    size_t limit; /* bytes; 0: none */
    size_t used;
    size_t peak;
    size_t allocations;
    char *told; /* where the last message about a failure is kept; NULL: nowhere, or not now */
} ki_heap;

/* False if just one of the allocator's functions is there. */
bool ki_heap_init(ki_heap *heap, const kith_allocator *allocator, size_t limit);

/* More than any allocator has, and room for a head before it. */
#define KI_HEAP_MOST (SIZE_MAX - 4096)

/* The bytes of `count` items; KI_HEAP_MOST where a size_t is too small to tell. */
static inline size_t ki_heap_bytes(uint64_t count, size_t item_size)
{
    return item_size != 0 && count > KI_HEAP_MOST / item_size ? KI_HEAP_MOST
                                                              : (size_t)count * item_size;
}

/* Passes on a failure that comes without a message: what was told last is about another one. */
static inline kith_result ki_untold(const ki_heap *heap, kith_result result)
{
    if (heap->told != NULL) {
        heap->told[0] = '\0';
    }
    return result;
}

/* NULL if the limit or the allocator says so. `size` may be 0, which takes one byte. */
void *ki_heap_take(ki_heap *heap, size_t size, size_t align);

/* The same, filled with zero bytes. */
void *ki_heap_take_zeroed(ki_heap *heap, size_t size, size_t align);

/* Takes back with the same size and alignment; NULL is fine. */
void ki_heap_give(ki_heap *heap, void *memory, size_t size, size_t align);

/* Makes room for `needed` items in an array that grows by doubling. `*items` and `*capacity` change
 * together or not at all: the new array is there before the old one goes. `minimum` is the first
 * capacity. */
kith_result ki_heap_grow(ki_heap *heap, void *items_pointer, uint32_t *capacity, uint32_t needed,
                         size_t item_size, uint32_t minimum);

/* What code beside a world takes of its heap. It counts like the world's own memory, but may be given
 * back after the world has ended. */
typedef struct ki_guest {
    kith_allocator allocator; /* the heap's */
    ki_heap *heap;            /* NULL: the world has ended */
    size_t pieces;            /* held by that code */
} ki_guest;

/* NULL if memory ran out. The heap stays where it is until ki_guest_end. */
ki_guest *ki_guest_new(ki_heap *heap);

/* Counts for the heap while that is there. Takes nothing after ki_guest_end. */
kith_allocator ki_guest_allocator(ki_guest *guest);

/* The heap ends. The guest itself lives until all that was taken is given back. NULL is fine. */
void ki_guest_end(ki_guest *guest);

/* A copy of a text, to be given back by ki_heap_give_text. NULL if memory ran out. */
char *ki_heap_copy_text(ki_heap *heap, const char *text);
void ki_heap_give_text(ki_heap *heap, char *text);

#endif
