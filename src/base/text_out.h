/* Text that is put together piece by piece, for people. */
#ifndef KI_BASE_TEXT_OUT_H
#define KI_BASE_TEXT_OUT_H

#include "base/context.h"

/* Where it goes. `length` counts on after `size` is used up: see snprintf. */
typedef struct ki_text_out {
    char *text;
    size_t size;
    size_t length;
} ki_text_out;

/* Adds a piece of less than 256 bytes; of a longer one the end is "...". */
void ki_text_add(ki_text_out *out, const char *format, ...) KITH_FORMAT_(2, 3);

#endif
