/* Bytes and control sequences for a terminal. */
#ifndef KI_TERMINAL_BYTES_H
#define KI_TERMINAL_BYTES_H

#include <kith/terminal.h>
#include <string.h>

/* Bytes to be sent. If memory runs out, `failed` is set, and some bytes are missing. */
typedef struct ki_bytes {
    kith_allocator allocator;
    char *data;
    size_t length;
    size_t capacity;
    bool failed;
} ki_bytes;

/* Makes room for `size` more bytes. */
bool ki_bytes_reserve(ki_bytes *bytes, size_t size);

static inline void ki_bytes_add(ki_bytes *bytes, const char *data, size_t size)
{
    if (size > 0 && (size <= bytes->capacity - bytes->length || ki_bytes_reserve(bytes, size))) {
        memcpy(bytes->data + bytes->length, data, size);
        bytes->length += size;
    }
}

void ki_bytes_add_text(ki_bytes *bytes, const char *text);

/* "\033[" NUMBER `end`; a number of 1 is left out. */
void ki_bytes_add_control(ki_bytes *bytes, int number, char end);

/* "\033[" `first` ";" `second` `end`. */
void ki_bytes_add_pair(ki_bytes *bytes, int first, int second, char end);

/* Moves the cursor to a cell. */
void ki_bytes_add_place(ki_bytes *bytes, int x, int y);

/* Writes decimal digits, without a zero at the end, and returns how many. */
int ki_digits_write(char *out, uint32_t number);

void ki_bytes_free(ki_bytes *bytes);

#endif
