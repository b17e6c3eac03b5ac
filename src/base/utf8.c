/* Characters of UTF-8: see The Unicode Standard, table 3-7. */
#include "base/utf8.h"

#include <stdbool.h>

#include "base/compiler.h"

size_t ki_utf8_length(const unsigned char *bytes, size_t left)
{
    const unsigned char *c = bytes;
    size_t length = *c < 0xC2 ? 0 : *c < 0xE0 ? 2 : *c < 0xF0 ? 3 : *c < 0xF5 ? 4 : 0;
    if (length == 0 || length > left) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (*c == 0xE0 && c[1] < 0xA0) || (*c == 0xF0 && c[1] < 0x90);
    bool no_character = (*c == 0xED && c[1] >= 0xA0) || (*c == 0xF4 && c[1] >= 0x90);
    return overlong || no_character ? 0 : length;
}
