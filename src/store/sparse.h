/* A sparse set: values of one component, densely, found through a paged array from slot to row.
 *
 * The method is from Preston Briggs and Linda Torczon, "An Efficient Representation for Sparse
 * Sets" (1993); here the sparse side is paged, and 0 means absent. */
#ifndef KI_STORE_SPARSE_H
#define KI_STORE_SPARSE_H

#include "store/rows.h"

#define KI_SPARSE_PAGE_SHIFT KITH_SPARSE_SHIFT_

typedef struct ki_sparse {
    ki_column index; /* paged: for each slot row + 1, or 0 */
    ki_rows rows;    /* with one column: */
    ki_column values;
} ki_sparse;

/* The set stays where it is from then on. */
void ki_sparse_init(ki_sparse *set, uint32_t size, uint32_t align, const struct ki_hooks *hooks);
void ki_sparse_free(ki_column_context *columns, ki_sparse *set);

/* Gives back blocks and pages that hold nothing. */
void ki_sparse_trim(ki_column_context *columns, ki_sparse *set);

/* Where the row of a slot plus one is, or 0 if it is not in the set; NULL if there is no page. */
static inline uint32_t *ki_sparse_row1_at(const ki_sparse *set, uint32_t index)
{
    return KI_COLUMN_FIND(uint32_t, &set->index, index, KI_SPARSE_PAGE_SHIFT);
}

/* The row of a slot plus one; 0 if it is not in the set. */
static inline uint32_t ki_sparse_row1(const ki_sparse *set, uint32_t index)
{
    const uint32_t *row1 = ki_sparse_row1_at(set, index);
    return row1 != NULL ? *row1 : 0;
}

static inline bool ki_sparse_has(const ki_sparse *set, uint32_t index)
{
    return ki_sparse_row1(set, index) != 0;
}

/* Makes an insert certain as far as the page of the slot goes. */
static inline kith_result ki_sparse_reserve_index(ki_column_context *columns, ki_sparse *set,
                                                  uint32_t index)
{
    return ki_column_reserve_row(columns, &set->index, index);
}

/* Whether an insert is certain as things are, if values are simple. */
static inline bool ki_sparse_is_ready(const ki_column_context *columns, const ki_sparse *set,
                                      uint32_t index)
{
    return ki_rows_has_room(columns, &set->rows) &&
           ki_column_is_ready(columns, &set->index, index, KI_SPARSE_PAGE_SHIFT);
}

/* Inserts an entity that is not in the set. Its value is the caller's to write, in the row returned. */
static inline uint32_t ki_sparse_insert(ki_sparse *set, kith_entity entity)
{
    uint32_t row = ki_rows_append(&set->rows, entity);
    *KI_COLUMN_AT(uint32_t, &set->index, entity.index1 - 1) = row + 1;
    return row;
}

/* Makes the row of a slot that is in the set ready to be taken out. */
static inline bool ki_sparse_mark_leaving(ki_column_context *columns, ki_sparse *set,
                                          uint32_t index)
{
    return ki_rows_mark(columns, &set->rows, ki_sparse_row1(set, index) - 1) &&
           ki_column_mark(columns, &set->index, index);
}

/* The same for those of the slots that are in the set, which are added to `*found`. */
bool ki_sparse_mark_leaving_each(ki_column_context *columns, ki_sparse *set,
                                 const uint32_t *indexes, uint32_t count, uint32_t *found);

/* The same for slots that follow one another, all in the set. */
bool ki_sparse_mark_leaving_span(ki_column_context *columns, ki_sparse *set, uint32_t first,
                                 uint32_t count);

/* Makes the values of slots that are in the set and follow one another ready to be overwritten. */
bool ki_sparse_mark_values_span(ki_column_context *columns, ki_sparse *set, uint32_t first,
                                uint32_t count);

/* Whether the removal of a slot that is in the set is certain as things are, if rows are uniform. */
static inline bool ki_sparse_is_ready_removal(const ki_column_context *columns,
                                              const ki_sparse *set, uint32_t index)
{
    uint32_t row = *KI_COLUMN_AT(const uint32_t, &set->index, index) - 1;
    uint32_t last = set->rows.count - 1;
    uint32_t filler = ki_rows_entity(&set->rows, last).index1 - 1;
    return ki_rows_is_marked(columns, &set->rows, row) &&
           ki_rows_is_marked(columns, &set->rows, last) &&
           ki_column_is_marked_by(columns, &set->index, index, KI_SPARSE_PAGE_SHIFT) &&
           ki_column_is_marked_by(columns, &set->index, filler, KI_SPARSE_PAGE_SHIFT);
}

/* Makes the removal of a slot that is in the set certain. */
bool ki_sparse_mark_removal(ki_column_context *columns, ki_sparse *set, uint32_t index);

/* ki_sparse_remove for values of any size and with hooks. */
void ki_sparse_remove_slow(ki_sparse *set, uint32_t *row1);

/* Takes out a slot that is in the set, and where its row plus one is; the last one moves to its row. */
static inline void ki_sparse_remove(ki_sparse *set, uint32_t *row1)
{
    if (!set->rows.simple) {
        ki_sparse_remove_slow(set, row1);
        return;
    }
    uint32_t row = *row1 - 1;
    uint32_t last = --set->rows.count;
    *row1 = 0;
    if (row == last) {
        return;
    }
    kith_entity filler = ki_rows_entity(&set->rows, last);
    *KI_COLUMN_AT(kith_entity, &set->rows.entities, row) = filler;
    *KI_COLUMN_AT(uint32_t, &set->index, filler.index1 - 1) = row + 1;
    if (set->values.size != 0) {
        ki_copy_small(ki_column_at_small(&set->values, row), ki_column_at_small(&set->values, last),
                      set->values.size);
    }
}

/* Makes that certain and does it. KITH_ERR_ABSENT if the slot is not in the set, KITH_ERR_MEMORY. */
kith_result ki_sparse_take(ki_column_context *columns, ki_sparse *set, uint32_t index);

#endif
