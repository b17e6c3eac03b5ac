/* Two views of one column side by side: which blocks they do not share. */
#ifndef KI_STORE_VIEW_PAIR_H
#define KI_STORE_VIEW_PAIR_H

#include "store/view.h"

/* A block that only one of two views has, or that is another one in the second. */
typedef struct ki_view_run {
    uint32_t next;    /* the first block after it; 0 to begin */
    uint32_t first;   /* row */
    uint32_t count;   /* rows */
    uint32_t a_count; /* how many of them each view has, */
    uint32_t b_count;
    const uint8_t *a; /* and where they are; NULL: it has none */
    const uint8_t *b;
} ki_view_run;

/* Goes on to the next such block; false if there is none. NULL: a view of nothing. */
bool ki_view_pair_next(const ki_column_view *a, const ki_column_view *b, ki_view_run *run);

#endif
