/* Ranks: tables in the order in which queries visit them, each at the head of an item of a few
 * words. In runs of neighbours, so that one more moves few others, however many there are. Zeroed
 * except for the size of the items, there are none. */
#ifndef KI_STORE_RANKS_H
#define KI_STORE_RANKS_H

#include "store/table.h"

#define KI_RANK_RUN 64u /* items in a run, at most */

typedef struct ki_rank_run {
    uint8_t *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t first; /* items in the runs before */
} ki_rank_run;

typedef struct ki_ranks {
    ki_rank_run *runs; /* none is empty */
    uint32_t run_count;
    uint32_t run_capacity;
    uint32_t count;     /* items in all runs */
    uint32_t item_size; /* a multiple of that of a pointer */
} ki_ranks;

/* Adds an item for a table that has none yet; the rest of it is the caller's to write. NULL if
 * memory ran out: all is as it was. Items may move. */
void *ki_ranks_add(ki_heap *heap, ki_ranks *ranks, ki_table *table);

/* The run that item number `number` is in, which is there. */
uint32_t ki_ranks_run(const ki_ranks *ranks, uint32_t number);

/* That item. */
void *ki_ranks_at(const ki_ranks *ranks, uint32_t number);

/* Leaves no item; with ki_ranks_free no memory either. */
void ki_ranks_clear(ki_heap *heap, ki_ranks *ranks);
void ki_ranks_free(ki_heap *heap, ki_ranks *ranks);

#endif
