#include <string.h>

#include "terminal/bytes.h"
#include "terminal/terminal_heap.h"

bool ki_bytes_reserve(ki_bytes *bytes, size_t size)
{
    bytes->failed =
        bytes->failed || ki_terminal_grow(&bytes->allocator, &bytes->data, &bytes->capacity,
                                          bytes->length + size, 1) != KITH_OK;
    return !bytes->failed;
}

void ki_bytes_add_text(ki_bytes *bytes, const char *text)
{
    ki_bytes_add(bytes, text, strlen(text));
}

int ki_digits_write(char *out, uint32_t number)
{
    if (number >= 1000) {
        int before = ki_digits_write(out, number / 10);
        out[before] = (char)('0' + number % 10);
        return before + 1;
    }
    int count = 0; /* almost always it is short: a colour's part, or a place */
    if (number >= 100) {
        out[count++] = (char)('0' + number / 100);
    }
    if (number >= 10) {
        out[count++] = (char)('0' + number / 10 % 10);
    }
    out[count++] = (char)('0' + number % 10);
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

void ki_bytes_add_pair(ki_bytes *bytes, int first, int second, char end)
{
    char text[32] = "\033[";
    int length = 2 + ki_digits_write(text + 2, (uint32_t)first);
    text[length++] = ';';
    length += ki_digits_write(text + length, (uint32_t)second);
    text[length++] = end;
    ki_bytes_add(bytes, text, (size_t)length);
}

void ki_bytes_add_place(ki_bytes *bytes, int x, int y)
{
    ki_bytes_add_pair(bytes, y + 1, x + 1, 'H');
}

void ki_bytes_free(ki_bytes *bytes)
{
    ki_terminal_free(&bytes->allocator, bytes->data, bytes->capacity);
    bytes->data = NULL;
    bytes->length = bytes->capacity = 0;
}
