/* Entities that were made together often lie in the same order in every storage. Where they do, a
 * run of one storage is a run of another: one comparison of handles then answers for all its rows.
 * */
#include "query/query.h"

static bool follow_entities(const ki_column *entities, uint32_t first, uint32_t rows,
                            const kith_entity *run, uint32_t count)
{
    return rows - first >= count && first + count <= ki_column_block_end(entities, first) &&
           memcmp(ki_column_at(entities, first), run, count * sizeof *run) == 0;
}

static bool follow_in_table(const ki_store *store, const ki_component *component,
                            const kith_entity *run, uint32_t count, const ki_column **values,
                            uint32_t *first)
{
    const ki_record *record = ki_record_at(&store->entities, run[0].index1 - 1);
    const ki_table *table = store->tables[record->table];
    uint32_t column = ki_table_find(table, component->id);
    if (column == KI_NO_COLUMN) {
        return false;
    }
    *values = &table->columns[column];
    *first = record->row;
    return follow_entities(&table->entities, *first, table->row_count, run, count);
}

static bool follow_in_sparse(const ki_sparse *set, const kith_entity *run, uint32_t count,
                             const ki_column **values, uint32_t *first)
{
    uint32_t row1 = ki_sparse_row1(set, run[0].index1 - 1);
    if (row1 == 0) {
        return false;
    }
    *values = &set->values;
    *first = row1 - 1;
    return follow_entities(&set->entities, *first, set->count, run, count);
}

static bool follow_in_slots(const ki_slots *slots, uint32_t index, uint32_t count,
                            const ki_column **values, uint32_t *first)
{
    *values = &slots->values;
    *first = index;
    return ki_slots_run_end(slots, index, index + count) == index + count;
}

static bool follow_slots_in_turn(const kith_entity *run, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (run[i].index1 != run[0].index1 + i) {
            return false;
        }
    }
    return true;
}

bool ki_walk_follows(const ki_walk *walk, const ki_component *component, uint32_t row,
                     uint32_t count, const ki_column **values, uint32_t *first)
{
    const kith_entity *run = ki_walk_entities(walk, row);
    switch (component->layout) {
    case KITH_TABLE:
        return run != NULL &&
               follow_in_table(walk->query->store, component, run, count, values, first);
    case KITH_SPARSE:
        return run != NULL && follow_in_sparse(&component->in.sparse, run, count, values, first);
    case KITH_SLOT: break;
    }
    if (run != NULL && !follow_slots_in_turn(run, count)) {
        return false;
    }
    return follow_in_slots(&component->in.slots, run == NULL ? row : run[0].index1 - 1, count,
                           values, first);
}
