#include "terminal/terminal_heap.h"

#include <stdlib.h>
#include <string.h>

static void *terminal_libc_allocate(void *context, size_t size, size_t align)
{
    (void)context;
    (void)align; /* never more than malloc's own */
    return malloc(size);
}

static void terminal_libc_release(void *context, void *memory, size_t size, size_t align)
{
    (void)context;
    (void)size;
    (void)align;
    free(memory);
}

bool ki_terminal_allocator(kith_allocator *own, const kith_allocator *given)
{
    if (given == NULL || (given->allocate == NULL && given->release == NULL)) {
        *own = (kith_allocator){terminal_libc_allocate, terminal_libc_release, NULL};
        return true;
    }
    *own = *given;
    return given->allocate != NULL && given->release != NULL;
}

void *ki_terminal_alloc(const kith_allocator *allocator, size_t size)
{
    void *memory = allocator->allocate(allocator->context, size, KI_TERMINAL_ALIGN);
    if (memory != NULL) {
        memset(memory, 0, size);
    }
    return memory;
}

void ki_terminal_free(const kith_allocator *allocator, void *memory, size_t size)
{
    if (memory != NULL) {
        allocator->release(allocator->context, memory, size, KI_TERMINAL_ALIGN);
    }
}

kith_result ki_terminal_grow(const kith_allocator *allocator, void *items_pointer, size_t *capacity,
                             size_t needed, size_t item_size)
{
    if (needed <= *capacity) {
        return KITH_OK;
    }
    size_t grown = *capacity * 2 < 16 ? 16 : *capacity * 2;
    grown = grown < needed ? needed : grown;
    if (grown > SIZE_MAX / 2 / item_size) {
        return KITH_ERR_MEMORY;
    }
    void *items = ki_terminal_alloc(allocator, grown * item_size);
    if (items == NULL) {
        return KITH_ERR_MEMORY;
    }
    void *old;
    memcpy(&old, items_pointer, sizeof old);
    if (old != NULL) {
        memcpy(items, old, *capacity * item_size);
        ki_terminal_free(allocator, old, *capacity * item_size);
    }
    memcpy(items_pointer, &items, sizeof items);
    *capacity = grown;
    return KITH_OK;
}

void ki_terminal_format(char *text, size_t size, const char *format, va_list arguments)
{
    int length = vsnprintf(text, size, format, arguments);
    if (length < 0) {
        text[0] = '\0';
    } else if ((size_t)length >= size) {
        char *end = text + size - 4;
        for (int i = 0; i < 3 && ((unsigned char)*end & 0xC0) == 0x80; i++) {
            end--; /* not in the middle of a character */
        }
        memcpy(end, "...", 4);
    }
}
