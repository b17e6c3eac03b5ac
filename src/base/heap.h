/* A world's memory: the host's allocator, a limit, and a count of the bytes in use. */
#ifndef KI_BASE_HEAP_H
#define KI_BASE_HEAP_H

#include <kith/base.h>

#include "base/threads.h"

/* Returns from the function that uses it if `call` fails: the only macro that does so. */
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
    char *message; /* where the last error message is kept; NULL: nowhere, or not now */
    ki_lock *lock; /* of all this, while several threads use it; NULL: one does */
} ki_heap;

void ki_heap_lock(const ki_heap *heap);
void ki_heap_unlock(const ki_heap *heap);

/* False if the allocator has only one of its two functions. */
bool ki_heap_init(ki_heap *heap, const kith_allocator *allocator, size_t limit);

/* More bytes than any allocator has, with room to add a header. */
#define KI_HEAP_MOST (SIZE_MAX - 4096)

/* The bytes of `count` items; KI_HEAP_MOST if they do not fit in a size_t. */
static inline size_t ki_heap_bytes(uint64_t count, size_t item_size)
{
    return item_size != 0 && count > KI_HEAP_MOST / item_size ? KI_HEAP_MOST
                                                              : (size_t)count * item_size;
}

/* Returns a failure that has no message of its own, and clears the message of the last failure. One
 * thread uses the heap. */
static inline kith_result ki_without_message(const ki_heap *heap, kith_result result)
{
    if (heap->message != NULL) {
        heap->message[0] = '\0';
    }
    return result;
}

/* NULL if the limit is reached or the allocator fails. `size` may be 0, which takes one byte. */
void *ki_heap_alloc(ki_heap *heap, size_t size, size_t align);

/* The same, filled with zero bytes. */
void *ki_heap_alloc_zeroed(ki_heap *heap, size_t size, size_t align);

/* Frees memory, with the size and alignment that it was taken with. NULL is fine. */
void ki_heap_free(ki_heap *heap, void *memory, size_t size, size_t align);

/* Makes room for `needed` items in an array that grows by doubling. `*items` and `*capacity` change
 * together or not at all: the new array is made before the old one is freed. `minimum` is the first
 * capacity. */
kith_result ki_heap_grow_slow(ki_heap *heap, void *items_pointer, uint32_t *capacity,
                              uint32_t needed, size_t item_size, uint32_t minimum);
static inline kith_result ki_heap_grow(ki_heap *heap, void *items_pointer, uint32_t *capacity,
                                       uint32_t needed, size_t item_size, uint32_t minimum)
{
    return needed <= *capacity ? KITH_OK
                               : ki_heap_grow_slow(heap, items_pointer, capacity, needed, item_size,
                                                   minimum);
}

/* Memory that other code takes from a world's heap. It counts as the world's, but may be freed after
 * the world. */
typedef struct ki_guest {
    kith_allocator allocator; /* the heap's */
    ki_heap *heap;            /* NULL: the world was freed */
    size_t pieces;            /* not freed yet */
} ki_guest;

/* NULL if memory ran out. The heap stays where it is until ki_guest_end. */
ki_guest *ki_guest_new(ki_heap *heap);

/* Counts in the heap until ki_guest_end. After that it allocates nothing. */
kith_allocator ki_guest_allocator(ki_guest *guest);

/* The heap ends. The guest is freed with the last piece of memory taken through it. NULL is fine. */
void ki_guest_end(ki_guest *guest);

/* A copy of a text. Free it with ki_heap_free_text. NULL if memory ran out. */
char *ki_heap_copy_text(ki_heap *heap, const char *text);
void ki_heap_free_text(ki_heap *heap, char *text);

#endif
