/* Text that is put together piece by piece. */
#ifndef KI_BASE_TEXT_OUT_H
#define KI_BASE_TEXT_OUT_H

#include "base/context.h"

/* Where text goes. What has no room is dropped, but its length is counted, as snprintf does. */
typedef struct ki_text_out {
    char *text; /* ends with a zero byte */
    size_t size;
    size_t length;
} ki_text_out;

/* Starts with an empty text; one that is NULL has no room. */
ki_text_out ki_text_start(char *text, size_t size);

/* Writes the room that is left into `*size`, and returns where it starts; NULL: there is none. Callers
 * that write there add to `length`. */
char *ki_text_rest(const ki_text_out *out, size_t *size);

void ki_text_add_bytes(ki_text_out *out, const char *bytes, size_t count);

void ki_text_add_string(ki_text_out *out, const char *string);

/* Adds a piece of less than 256 bytes; of a longer one the end is "...". */
void ki_text_add(ki_text_out *out, const char *format, ...) KITH_FORMAT_(2, 3);

#endif
