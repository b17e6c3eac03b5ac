#include "base/heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/compiler.h"

#if defined(_WIN32)

#include <malloc.h>

static void *libc_allocate(void *context, size_t size, size_t align)
{
    (void)context;
    return _aligned_malloc(size, align);
}

static void libc_release(void *context, void *memory, size_t size, size_t align)
{
    (void)context;
    (void)size;
    (void)align;
    _aligned_free(memory);
}

#else

static void *libc_allocate(void *context, size_t size, size_t align)
{
    (void)context;
    if (align <= _Alignof(max_align_t)) {
        return malloc(size);
    }
    return aligned_alloc(align, ki_round_up(size, align));
}

static void libc_release(void *context, void *memory, size_t size, size_t align)
{
    (void)context;
    (void)size;
    (void)align;
    free(memory);
}

#endif

bool ki_heap_init(ki_heap *heap, const kith_allocator *allocator, size_t limit)
{
    *heap = (ki_heap){.limit = limit};
    if (allocator->allocate == NULL && allocator->release == NULL) {
        heap->allocator = (kith_allocator){libc_allocate, libc_release, NULL};
        return true;
    }
    heap->allocator = *allocator;
    return allocator->allocate != NULL && allocator->release != NULL;
}

void ki_heap_lock(const ki_heap *heap)
{
    if (heap->lock != NULL) {
        ki_lock_acquire(heap->lock);
    }
}

void ki_heap_unlock(const ki_heap *heap)
{
    if (heap->lock != NULL) {
        ki_lock_release(heap->lock);
    }
}

static void *heap_take(ki_heap *heap, size_t size, size_t align)
{
    bool within = heap->limit == 0 || (size <= heap->limit && heap->used <= heap->limit - size);
    void *memory = within ? heap->allocator.allocate(heap->allocator.context, size, align) : NULL;
    if (memory == NULL) {
        ki_without_message(heap, KITH_ERR_MEMORY);
        return NULL;
    }
    KI_ASSERT((uintptr_t)memory % align == 0);
    heap->used += size;
    heap->allocations++;
    if (heap->used > heap->peak) {
        heap->peak = heap->used;
    }
    return memory;
}

void *ki_heap_alloc(ki_heap *heap, size_t size, size_t align)
{
    ki_heap_lock(heap);
    void *memory = heap_take(heap, size == 0 ? 1 : size, align);
    ki_heap_unlock(heap);
    return memory;
}

void *ki_heap_alloc_zeroed(ki_heap *heap, size_t size, size_t align)
{
    void *memory = ki_heap_alloc(heap, size, align);
    if (memory != NULL) {
        memset(memory, 0, size);
    }
    return memory;
}

void ki_heap_free(ki_heap *heap, void *memory, size_t size, size_t align)
{
    if (memory == NULL) {
        return;
    }
    size = size == 0 ? 1 : size;
    ki_heap_lock(heap);
    KI_ASSERT(heap->used >= size && heap->allocations > 0);
    heap->used -= size;
    heap->allocations--;
    heap->allocator.release(heap->allocator.context, memory, size, align);
    ki_heap_unlock(heap);
}

kith_result ki_heap_grow_slow(ki_heap *heap, void *items_pointer, uint32_t *capacity,
                              uint32_t needed, size_t item_size, uint32_t minimum)
{
    uint64_t grown = *capacity == 0 ? minimum : (uint64_t)*capacity * 2;
    grown = grown < needed ? needed : grown;
    grown = grown > UINT32_MAX ? UINT32_MAX : grown;
    void *items = ki_heap_alloc(heap, ki_heap_bytes(grown, item_size), _Alignof(max_align_t));
    if (items == NULL) {
        return KITH_ERR_MEMORY;
    }
    void *old;
    memcpy(&old, items_pointer, sizeof old);
    if (old != NULL) {
        memcpy(items, old, *capacity * item_size);
        ki_heap_free(heap, old, *capacity * item_size, _Alignof(max_align_t));
    }
    memcpy(items_pointer, &items, sizeof items);
    *capacity = (uint32_t)grown;
    return KITH_OK;
}

/* ---- Guests ---------------------------------------------------------------------------------- */

ki_guest *ki_guest_new(ki_heap *heap)
{
    ki_guest *guest = ki_heap_alloc(heap, sizeof *guest, _Alignof(ki_guest));
    if (guest != NULL) {
        *guest = (ki_guest){.allocator = heap->allocator, .heap = heap};
    }
    return guest;
}

static void *guest_allocate(void *context, size_t size, size_t align)
{
    ki_guest *guest = context;
    void *memory = guest->heap == NULL ? NULL : ki_heap_alloc(guest->heap, size, align);
    guest->pieces += memory != NULL;
    return memory;
}

static void guest_release(void *context, void *memory, size_t size, size_t align)
{
    ki_guest *guest = context;
    guest->pieces--;
    if (guest->heap != NULL) {
        ki_heap_free(guest->heap, memory, size, align);
        return;
    }
    const kith_allocator allocator = guest->allocator;
    allocator.release(allocator.context, memory, size, align);
    if (guest->pieces == 0) {
        allocator.release(allocator.context, guest, sizeof *guest, _Alignof(ki_guest));
    }
}

kith_allocator ki_guest_allocator(ki_guest *guest)
{
    return (kith_allocator){guest_allocate, guest_release, guest};
}

void ki_guest_end(ki_guest *guest)
{
    if (guest == NULL) {
        return;
    }
    if (guest->pieces == 0) {
        ki_heap_free(guest->heap, guest, sizeof *guest, _Alignof(ki_guest));
        return;
    }
    guest->heap = NULL;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

char *ki_heap_copy_text(ki_heap *heap, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = ki_heap_alloc(heap, size, 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

void ki_heap_free_text(ki_heap *heap, char *text)
{
    if (text != NULL) {
        ki_heap_free(heap, text, strlen(text) + 1, 1);
    }
}
