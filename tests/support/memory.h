/* An allocator for tests: counts, remembers each piece, and fails when told to.
 *
 * New memory is full of 0xCC and released memory of 0xDD, so that reading what was never written, or
 * is gone, shows. Each piece stands alone, so that AddressSanitizer knows its bounds; without it, bytes
 * after each piece tell whether it was written beyond its end. */
#ifndef KITH_TEST_MEMORY_H
#define KITH_TEST_MEMORY_H

#include <kith/base.h>

typedef struct test_piece {
    void *start; /* NULL: never used; of zero size: was released */
    size_t size;
    size_t align;
} test_piece;

typedef struct test_memory {
    size_t pieces;      /* held now */
    size_t bytes;       /* held now */
    size_t allocations; /* asked for so far, those that failed included */
    size_t fail_at;     /* the value of `allocations` at which one fails; 0: none */
    bool fail_on;       /* and all behind it */
    bool failed;        /* whether one did since it was told to */
    bool asked_again;   /* whether another was asked for after that */
    test_piece *table;  /* open addressing by address */
    size_t table_size;  /* a power of two */
    size_t table_used;  /* including places of released pieces */
} test_memory;

/* Memory of just that size, so that tools know its end. aligned_alloc may not give it. */
void *test_aligned_new(size_t align, size_t size);
void test_aligned_free(void *memory);

test_memory *test_memory_new(void);

/* Fails if a piece is left. */
void test_memory_free(test_memory *memory);

kith_allocator test_memory_allocator(test_memory *memory);

/* Lets the nth allocation from now fail, with `on` all behind it too. */
void test_memory_fail(test_memory *memory, size_t nth, bool on);

/* Ends that, and returns whether one failed. */
bool test_memory_fail_nothing(test_memory *memory);

#endif
