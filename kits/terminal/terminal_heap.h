/* The memory of the kit's objects: the host's allocator, or the C library's. */
#ifndef KI_TERMINAL_HEAP_H
#define KI_TERMINAL_HEAP_H

#include <kith/terminal.h>
#include <stdarg.h>

#define KI_TERMINAL_ALIGN _Alignof(max_align_t)

/* Passes an error on. */
#define KI_TRY(call)                                                                               \
    do {                                                                                           \
        kith_result ki_try_result = (call);                                                        \
        if (ki_try_result != KITH_OK) {                                                            \
            return ki_try_result;                                                                  \
        }                                                                                          \
    } while (0)

/* Fills in `*own`. NULL, or no functions: the C library. False if just one of the two is there. */
bool ki_terminal_allocator(kith_allocator *own, const kith_allocator *given);

/* Filled with zero bytes; NULL if there is none. */
void *ki_terminal_alloc(const kith_allocator *allocator, size_t size);

/* NULL is fine. */
void ki_terminal_free(const kith_allocator *allocator, void *memory, size_t size);

/* Makes room for `needed` items in an array that grows by doubling. `*items` and `*capacity` change
 * together or not at all. New items are zero bytes. */
kith_result ki_terminal_grow(const kith_allocator *allocator, void *items_pointer, size_t *capacity,
                             size_t needed, size_t item_size);

/* vsnprintf, but that a text which is too long ends in "...". `size` is 4 or more. */
KITH_FORMAT_(3, 0)
void ki_terminal_format(char *text, size_t size, const char *format, va_list arguments);

#endif
