/* The indexes that were made here, so that queries find them. */
#ifndef EXAMPLES_CONSOLE_INDEX_LIST_H
#define EXAMPLES_CONSOLE_INDEX_LIST_H

#include <kith/kith.h>

enum { INDEX_LIST_MOST = 64 };

/* All zero is an empty one. The indexes are freed with their world. */
typedef struct index_list {
    struct {
        kith_index *index;
        char name[200]; /* "hash Team.number" */
    } items[INDEX_LIST_MOST];
    uint32_t count;
} index_list;

/* Makes one of a text: "hash Team.number", "ordered Health.current, Health.max". False: it cannot be,
 * and stderr tells why. */
bool index_list_add(index_list *list, kith_world *world, const char *text, int width);

/* Prints what they are and hold, a line each. */
void index_list_print(const index_list *list);

#endif
