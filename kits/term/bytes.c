#include <stdio.h>
#include <string.h>

#include "term/heap.h"
#include "term/render.h"

void ki_bytes_add(ki_bytes *bytes, const char *data, size_t size)
{
    if (bytes->failed || size == 0) {
        return;
    }
    if (size > bytes->capacity - bytes->length &&
        ki_term_grow(&bytes->allocator, &bytes->data, &bytes->capacity, bytes->length + size, 1) !=
            KITH_OK) {
        bytes->failed = true;
        return;
    }
    memcpy(bytes->data + bytes->length, data, size);
    bytes->length += size;
}

void ki_bytes_add_text(ki_bytes *bytes, const char *text)
{
    ki_bytes_add(bytes, text, strlen(text));
}

void ki_bytes_add_control(ki_bytes *bytes, int number, char end)
{
    char text[16];
    int length = number == 1 ? snprintf(text, sizeof text, "\033[%c", end)
                             : snprintf(text, sizeof text, "\033[%d%c", number, end);
    ki_bytes_add(bytes, text, (size_t)length);
}

void ki_bytes_free(ki_bytes *bytes)
{
    ki_term_give(&bytes->allocator, bytes->data, bytes->capacity);
    bytes->data = NULL;
    bytes->length = bytes->capacity = 0;
}
