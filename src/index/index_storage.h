/* Storages of an index's component, as refreshes read them: each table that has it, or the sparse set,
 * or the slot array. They have numbers: those of tables, or 0. */
#ifndef KI_INDEX_INDEX_STORAGE_H
#define KI_INDEX_INDEX_STORAGE_H

#include "index/frame.h"

typedef struct ki_index_storage {
    const ki_column *values;
    const ki_rows *rows; /* NULL: a slot array, whose rows are the slots; */
    const ki_slots *slots;
    uint32_t count; /* rows */
} ki_index_storage;

ki_index_storage ki_index_storage_of(const kith_index *index, uint32_t number);

/* The first number of a storage from `number` on; UINT32_MAX: there is none. */
uint32_t ki_index_storage_next(const kith_index *index, uint32_t number);

/* Where the value of a slot is: in which storage, and in which row. NULL: it is gone, as its slot may be
 * after a restore. */
const ki_column *ki_index_locate(const kith_index *index, uint32_t slot, uint32_t *number,
                                 uint32_t *row);

/* When the block of the value of a row was last written. Who has it changes with that. */
static inline uint64_t ki_index_storage_stamp(const ki_index_storage *storage, uint32_t row)
{
    return row < storage->values->capacity ? ki_column_stamp(storage->values, row) : 0;
}

/* Whether something in the block of a row that is there was written after the last look, by more than
 * what the log tells. */
static inline bool ki_index_storage_is_written(const kith_index *index,
                                               const ki_index_storage *storage, uint32_t row)
{
    uint64_t looked = index->reader.looked;
    const ki_column *values = storage->values;
    if (storage->slots != NULL) {
        const ki_column *bits = &storage->slots->bits;
        return ki_column_is_written(bits, row / 64, looked) ||
               (row < values->capacity && ki_column_is_written(values, row, looked));
    }
    return ki_column_is_written(values, row, looked) ||
           ki_column_is_written(&storage->rows->entities, row, looked);
}

#endif
