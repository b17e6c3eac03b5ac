/* Where the value of one component of one entity is: for the calls that do nothing else, which want
 * it inlined. Others use ki_store_value and its like. */
#ifndef KI_STORE_LOCATE_H
#define KI_STORE_LOCATE_H

#include "store/store.h"

/* The column and row of a value; NULL if the living entity with this record does not have it. The
 * column of a slot tag is that of its values, which has no blocks. */
static inline ki_column *ki_locate(const ki_store *store, const ki_component *component,
                                   uint32_t index, const ki_record *record, uint32_t *row)
{
    if (KI_LIKELY(component->near != 0)) {
        *row = record->row;
        return ki_table_near(store->tables[record->table], component->near);
    }
    if (component->layout == KITH_TABLE) {
        const ki_table *table = store->tables[record->table];
        uint32_t number = ki_table_find(table, component->id);
        *row = record->row;
        return KI_UNLIKELY(number == KI_NO_COLUMN) ? NULL : &table->columns[number];
    }
    if (component->layout == KITH_SPARSE) {
        *row = ki_sparse_row1(&component->in.sparse, index) - 1;
        return *row == UINT32_MAX ? NULL : (ki_column *)(uintptr_t)&component->in.sparse.values;
    }
    *row = index;
    return ki_slots_has(&component->in.slots, index)
               ? (ki_column *)(uintptr_t)&component->in.slots.values
               : NULL;
}

#endif
