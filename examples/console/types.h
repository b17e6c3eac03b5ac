/* Types of components from a file: what docs/query-text.md calls FILE.types. */
#ifndef EXAMPLES_CONSOLE_TYPES_H
#define EXAMPLES_CONSOLE_TYPES_H

#include <kith/kith.h>

/* Makes the types of a file known to the world. A mistake is told on stderr, as compilers do, and ends
 * the program with status 1. */
void load_types(kith_world *world, const char *path);

#endif
