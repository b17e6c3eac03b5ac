#define _POSIX_C_SOURCE 200809L /* posix_memalign */

#include "memory.h"

#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <malloc.h>
#endif

#include "test.h"

/* Bytes after each piece that nobody may write: AddressSanitizer guards pieces by itself, and sees reads
 * too. */
#if defined(__SANITIZE_ADDRESS__)
enum { GUARD = 0 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { GUARD = 0 };
#else
enum { GUARD = 16 };
#endif
#else
enum { GUARD = 16 };
#endif

#if defined(_WIN32)

void *test_aligned_new(size_t align, size_t size)
{
    return _aligned_malloc(size, align);
}

void test_aligned_free(void *memory)
{
    _aligned_free(memory);
}

#else

void *test_aligned_new(size_t align, size_t size)
{
    void *memory = NULL;
    size_t least = align < sizeof(void *) ? sizeof(void *) : align;
    return posix_memalign(&memory, least, size) == 0 ? memory : NULL;
}

void test_aligned_free(void *memory)
{
    free(memory);
}

#endif

static size_t place_of(const test_memory *memory, const void *start)
{
    uint64_t hash = (uint64_t)(uintptr_t)start * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(hash >> 32) & (memory->table_size - 1);
}

/* The piece that starts here, or the free place for it. */
static test_piece *find(const test_memory *memory, const void *start)
{
    test_piece *reusable = NULL;
    for (size_t i = place_of(memory, start);; i = (i + 1) & (memory->table_size - 1)) {
        test_piece *piece = &memory->table[i];
        if (piece->start == NULL) {
            return reusable != NULL ? reusable : piece;
        }
        if (piece->size == 0) {
            reusable = reusable != NULL ? reusable : piece;
        } else if (piece->start == start) {
            return piece;
        }
    }
}

static void remember(test_memory *memory, void *start, size_t size, size_t align)
{
    if (memory->table_used * 2 >= memory->table_size) {
        test_piece *old = memory->table;
        size_t old_size = memory->table_size;
        memory->table_size = memory->pieces * 4 < 64 ? 64 : old_size;
        while (memory->table_size < memory->pieces * 4) {
            memory->table_size *= 2;
        }
        memory->table = calloc(memory->table_size, sizeof(*memory->table));
        CHECK_PTR_NOT_NULL(memory->table);
        memory->table_used = 0;
        for (size_t i = 0; i < old_size; i++) {
            if (old[i].size != 0) {
                *find(memory, old[i].start) = old[i];
                memory->table_used++;
            }
        }
        free(old);
    }
    test_piece *piece = find(memory, start);
    memory->table_used += piece->start == NULL;
    *piece = (test_piece){start, size, align};
    memory->pieces++;
    memory->bytes += size;
}

static void *allocate(void *context, size_t size, size_t align)
{
    test_memory *memory = context;
    CHECK(size > 0);
    CHECK(align > 0 && align <= 4096 && (align & (align - 1)) == 0);
    memory->allocations++;
    memory->asked_again |= memory->failed;
    if (memory->fail_at != 0 && (memory->fail_on ? memory->allocations >= memory->fail_at
                                                 : memory->allocations == memory->fail_at)) {
        memory->failed = true;
        return NULL;
    }
    void *start = test_aligned_new(align, size + GUARD);
    CHECK_PTR_NOT_NULL(start);
    memset(start, 0xCC, size);
    memset((char *)start + size, 0xEE, GUARD);
    remember(memory, start, size, align);
    return start;
}

static void release(void *context, void *start, size_t size, size_t align)
{
    test_memory *memory = context;
    CHECK_PTR_NOT_NULL(start);
    test_piece *piece = find(memory, start);
    if (piece->start != start || piece->size == 0) {
        test_fail(__FILE__, __LINE__, "%p is released, but was not handed out or is no longer held",
                  start);
    }
    if (piece->size != size || piece->align != align) {
        test_fail(__FILE__, __LINE__,
                  "released as %zu bytes aligned to %zu; handed out as %zu bytes aligned to %zu",
                  size, align, piece->size, piece->align);
    }
    for (const unsigned char *guard = (unsigned char *)start + size, *end = guard + GUARD;
         guard < end; guard++) {
        if (*guard != 0xEE) {
            test_fail(__FILE__, __LINE__, "a piece of %zu bytes was written beyond its end", size);
        }
    }
    memset(start, 0xDD, size);
    piece->size = 0;
    memory->pieces--;
    memory->bytes -= size;
    test_aligned_free(start);
}

test_memory *test_memory_new(void)
{
    test_memory *memory = calloc(1, sizeof(*memory));
    CHECK_PTR_NOT_NULL(memory);
    memory->table_size = 64;
    memory->table = calloc(memory->table_size, sizeof(*memory->table));
    CHECK_PTR_NOT_NULL(memory->table);
    return memory;
}

void test_memory_free(test_memory *memory)
{
    if (memory->pieces != 0) {
        test_fail(__FILE__, __LINE__, "%zu pieces of memory are left, %zu bytes", memory->pieces,
                  memory->bytes);
    }
    CHECK_UINT(memory->bytes, 0);
    free(memory->table);
    free(memory);
}

kith_allocator test_memory_allocator(test_memory *memory)
{
    return (kith_allocator){allocate, release, memory};
}

void test_memory_fail(test_memory *memory, size_t nth, bool on)
{
    memory->fail_at = memory->allocations + nth;
    memory->fail_on = on;
    memory->failed = false;
    memory->asked_again = false;
}

bool test_memory_fail_nothing(test_memory *memory)
{
    memory->fail_at = 0;
    return memory->failed;
}
