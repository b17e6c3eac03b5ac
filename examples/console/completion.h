/* What a query or a command could go on with. */
#ifndef EXAMPLES_CONSOLE_COMPLETION_H
#define EXAMPLES_CONSOLE_COMPLETION_H

#include <kith/kith.h>

typedef struct completion {
    size_t start;   /* the byte at which the word begins that ends at the cursor */
    char **choices; /* words that could be there instead, in order */
    uint32_t count;
    uint32_t capacity;
    size_t common; /* so many bytes all of them begin with */
} completion;

/* Finds the choices: components, their fields after a point, and the words of the grammar and of
 * commands that can be at this place. If none begins as the word does, capitals and small letters are
 * the same. */
completion completion_find(const kith_world *world, const char *text, size_t cursor);

void completion_free(completion *c);

#endif
