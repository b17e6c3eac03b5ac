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

int ki_digits_write(char *out, uint32_t number)
{
    char reversed[10];
    int count = 0;
    do {
        reversed[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    for (int i = 0; i < count; i++) {
        out[i] = reversed[count - 1 - i];
    }
    return count;
}

void ki_bytes_add_control(ki_bytes *bytes, int number, char end)
{
    char text[16] = "\033[";
    int length = 2;
    if (number != 1) {
        length += ki_digits_write(text + length, (uint32_t)number);
    }
    text[length++] = end;
    ki_bytes_add(bytes, text, (size_t)length);
}

void ki_bytes_add_place(ki_bytes *bytes, int x, int y)
{
    char text[32] = "\033[";
    int length = 2 + ki_digits_write(text + 2, (uint32_t)y + 1);
    text[length++] = ';';
    length += ki_digits_write(text + length, (uint32_t)x + 1);
    text[length++] = 'H';
    ki_bytes_add(bytes, text, (size_t)length);
}

void ki_bytes_free(ki_bytes *bytes)
{
    ki_term_give(&bytes->allocator, bytes->data, bytes->capacity);
    bytes->data = NULL;
    bytes->length = bytes->capacity = 0;
}
