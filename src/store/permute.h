/* Rows in another order, in a table or a sparse set: the values of all columns move, and what finds the
 * row of an entity follows. */
#ifndef KI_STORE_PERMUTE_H
#define KI_STORE_PERMUTE_H

#include "store/entities.h"
#include "store/sparse.h"

typedef struct ki_permutation {
    ki_rows *rows;
    ki_sparse *set;  /* the rows are its rows; NULL: a table's */
    uint32_t *order; /* for each row the one that comes there; used up by ki_permute */
} ki_permutation;

/* How many numbers of scratch ki_permute needs for so many rows. */
static inline uint64_t ki_permute_scratch(uint32_t rows)
{
    return (uint64_t)rows + rows / 2;
}

/* Makes ki_permute certain: marks the blocks of rows that move, and of what finds them. False: no memory
 * for that. */
bool ki_permute_mark(ki_column_context *columns, ki_entities *entities,
                     const ki_permutation *permutation);

/* Moves the rows. `value` has room for one value of each column. */
void ki_permute(ki_entities *entities, const ki_permutation *permutation, uint32_t *scratch,
                void *value);

#endif
