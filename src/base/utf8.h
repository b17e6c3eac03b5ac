/* Finds UTF-8 characters in bytes that may be anything. */
#ifndef KI_BASE_UTF8_H
#define KI_BASE_UTF8_H

#include <stddef.h>

/* The length of the character at the start of these `left` bytes, if it is above 0x7f; otherwise 0. */
size_t ki_utf8_length(const unsigned char *bytes, size_t left);

#endif
