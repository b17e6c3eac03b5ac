/* Types of components from a file: what docs/query-text.md calls FILE.types. */
#ifndef EXAMPLES_CONSOLE_TYPES_H
#define EXAMPLES_CONSOLE_TYPES_H

#include <kith/kith.h>

/* Makes the types of a file known to the world. A mistake is told on stderr, as compilers do, and ends
 * the program with status 1. */
void load_types(kith_world *world, const char *path);

/* Prints the words that such a file has before the name of a type: "slot relation cascade ". */
void print_type_words(kith_layout layout, const kith_type *type);

#endif
