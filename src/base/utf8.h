/* Characters of UTF-8, among bytes of which nobody knows that they are any. */
#ifndef KI_BASE_UTF8_H
#define KI_BASE_UTF8_H

#include <stddef.h>

/* How many of the `left` bytes here are a character behind 0x7f; 0 if none is. */
size_t ki_utf8_length(const unsigned char *bytes, size_t left);

#endif
