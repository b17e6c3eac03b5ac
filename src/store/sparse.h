/* A sparse set: values of one component, densely, found through a paged array from slot to row.
 *
 * The method is from Preston Briggs and Linda Torczon, "An Efficient Representation for Sparse
 * Sets" (1993); here the sparse side is paged, and 0 means absent. */
#ifndef KI_STORE_SPARSE_H
#define KI_STORE_SPARSE_H

#include <kith/entity.h>

#include "store/column.h"

#define KI_SPARSE_PAGE_SHIFT 10

typedef struct ki_sparse {
    ki_column rows;     /* paged: for each slot row + 1, or 0 */
    ki_column entities; /* kith_entity, dense */
    ki_column values;   /* dense */
    uint32_t count;
    uint32_t leaving;  /* scratch of calls that take several entities away; 0 outside of them */
    uint32_t arriving; /* the same for those that come */
} ki_sparse;

void ki_sparse_init(ki_sparse *set, uint32_t size, uint32_t align);
void ki_sparse_free(ki_space *space, ki_sparse *set);

/* Makes `count` appends certain as far as the dense side goes. */
kith_result ki_sparse_reserve_rows(ki_space *space, ki_sparse *set, uint32_t count);

/* Makes an append certain as far as the page of the slot goes. */
kith_result ki_sparse_reserve_index(ki_space *space, ki_sparse *set, uint32_t index);

/* Makes ki_sparse_remove certain, for a slot that is in the set. */
bool ki_sparse_touch_removal(ki_space *space, ki_sparse *set, uint32_t index);

/* Gives back blocks and pages that hold nothing. */
void ki_sparse_trim(ki_space *space, ki_sparse *set);

/* Where the row of a slot plus one is, or 0 if it is not in the set; NULL if there is no page. */
static inline uint32_t *ki_sparse_row1_at(const ki_sparse *set, uint32_t index)
{
    return KI_COLUMN_FIND(uint32_t, &set->rows, index, KI_SPARSE_PAGE_SHIFT);
}

/* The row of a slot plus one; 0 if it is not in the set. */
static inline uint32_t ki_sparse_row1(const ki_sparse *set, uint32_t index)
{
    const uint32_t *row1 = ki_sparse_row1_at(set, index);
    return KI_LIKELY(row1 != NULL) ? *row1 : 0;
}

static inline bool ki_sparse_has(const ki_sparse *set, uint32_t index)
{
    return ki_sparse_row1(set, index) != 0;
}

/* Appends the entity, whose slot has its row here; the value in its row, which is returned, is the
 * caller's to write. */
static inline uint32_t ki_sparse_append(ki_sparse *set, uint32_t *row1, kith_entity entity)
{
    uint32_t row = set->count++;
    *KI_COLUMN_AT(kith_entity, &set->entities, row) = entity;
    *row1 = row + 1;
    return row;
}

/* Lets the last entity stand in another row; its value is the caller's to copy. */
static inline void ki_sparse_fill(ki_sparse *set, uint32_t hole, uint32_t last)
{
    kith_entity moved = *KI_COLUMN_AT(const kith_entity, &set->entities, last);
    *KI_COLUMN_AT(kith_entity, &set->entities, hole) = moved;
    *KI_COLUMN_AT(uint32_t, &set->rows, moved.index1 - 1) = hole + 1;
}

/* Takes out the entity whose slot has its row here; the last one moves into that. */
void ki_sparse_remove(ki_sparse *set, uint32_t *row1);

#endif
