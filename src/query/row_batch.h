/* A batch of rows: the entities of up to 1,024 matching rows of the driving storage, wherever their
 * values are. */
#ifndef KI_QUERY_ROW_BATCH_H
#define KI_QUERY_ROW_BATCH_H

#include "query/cursor.h"
#include "query/pair_walk.h"

#define KI_ROW_BATCH_STEP 8u /* rows are listed so many at a time */

struct ki_row_batch {
    uint32_t word;                  /* of the scan's chunk: the mask to go on with, */
    uint64_t masks[KI_CHUNK_WORDS]; /* and which rows match */
    uint32_t count;                 /* entities of the batch */
    uint32_t rows[KI_CHUNK_ROWS + KI_ROW_BATCH_STEP]; /* the batch: rows of the driving storage */
    uint32_t slots[KI_CHUNK_ROWS]; /* of their entities; not where all values are found by row */
    kith_entity entities[KI_CHUNK_ROWS]; /* found on demand */
    bool has_entities;

    /* Where rows have several entities. */
    ki_pair_walk walk; /* through the rows of one entity, */
    bool walking;      /* while it may go on */
    uint32_t row;      /* of that entity */
    uint32_t first;    /* the row of the lowest bit of `left`: */
    uint64_t left;     /* the entities to go on with, of a mask */
    kith_entity *others; /* KI_CHUNK_ROWS for each number but 0 */

    void *pointers[]; /* KI_CHUNK_ROWS for each term: the addresses of its values, found on demand;
                         NULL: absent */
};

/* Makes room for batches of a cursor, once; several threads may do so, each for cursors of its own.
 * False: no memory. */
bool ki_row_batch_reserve(kith_cursor *cursor);
void ki_row_batch_free(kith_cursor *cursor);

/* Moves on to the next batch, and marks what is written of it. It has `*count` entities; 0 at the end.
 * False: no memory to copy shared values that are written. */
bool ki_row_batch_next(kith_cursor *cursor, uint32_t *count);

/* Marks the values of a term of the batch at hand once more. */
void ki_row_batch_mark(kith_cursor *cursor, uint32_t term);

/* The addresses of a term's values, which the term accesses; one for each of the batch's `count`
 * entities. */
void *const *ki_row_batch_pointers(kith_cursor *cursor, uint32_t term, uint32_t count);

/* The handles of the batch's `count` entities. */
const kith_entity *ki_row_batch_entities(kith_cursor *cursor, uint32_t count);

#endif
