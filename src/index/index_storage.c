#include "index/index_storage.h"

ki_index_storage ki_index_storage_of(const kith_index *index, uint32_t number)
{
    ki_component *component = index->component;
    const ki_store *store = ki_index_store(index);
    if (component->layout == KITH_SLOT) {
        const ki_slots *slots = &component->in.slots;
        uint64_t end = (uint64_t)slots->bits.capacity * 64; /* pages at the end may be given back */
        return (ki_index_storage){.values = &slots->values,
                                  .slots = slots,
                                  .count = end < store->entities.slots ? (uint32_t)end
                                                                       : store->entities.slots};
    }
    if (component->layout == KITH_SPARSE) {
        const ki_sparse *set = &component->in.sparse;
        return (ki_index_storage){
            .values = &set->values, .rows = &set->rows, .count = set->rows.count};
    }
    const ki_table *table = store->tables[number];
    return (ki_index_storage){.values = ki_table_column(table, component->id),
                              .rows = &table->rows,
                              .count = table->rows.count};
}

uint32_t ki_index_storage_next(const kith_index *index, uint32_t number)
{
    if (index->component->layout != KITH_TABLE) {
        return number == 0 ? 0 : UINT32_MAX;
    }
    return ki_bitset_next(&index->component->in.tables, number);
}

const ki_column *ki_index_locate(const kith_index *index, uint32_t slot, uint32_t *number,
                                 uint32_t *row)
{
    const ki_store *store = ki_index_store(index);
    if (slot >= store->entities.slots) {
        return NULL;
    }
    const ki_record *record = ki_record_at(&store->entities, slot);
    if (record->table >= KI_RETIRED_TABLE) {
        return NULL;
    }
    *number = index->component->layout == KITH_TABLE ? record->table : 0;
    return ki_locate(store, index->component, slot, record, row);
}
