/* Whole files. */
#ifndef EXAMPLES_FILE_H
#define EXAMPLES_FILE_H

#include <stddef.h>

/* The bytes of a file, to be freed by the caller, and in `*length` how many they are.
 * NULL if it cannot be read, for the reason in errno. */
char *file_read(const char *path, size_t *length);

#endif
