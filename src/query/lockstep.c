#include "query/lockstep.h"

#define LOCKSTEP_HANDLES 32u /* compared at once */

/* A run of the driving storage. */
typedef struct lockstep_run {
    const kith_entity *handles; /* NULL: the slots from `slot` on */
    uint32_t slot;              /* the first one's */
    uint32_t count;
} lockstep_run;

/* How many entities of the run are also the entities from `first` on in a storage of `rows` rows. */
static uint32_t lockstep_entities(const ki_column *entities, uint32_t first, uint32_t rows,
                                  const lockstep_run *run)
{
    uint64_t end = ki_column_block_end(entities, first);
    end = end < rows ? end : rows;
    uint32_t count = ki_min_u32(run->count, (uint32_t)end - first);
    const kith_entity *theirs = ki_column_at(entities, first);
    uint32_t same = 0;
    if (run->handles == NULL) {
        while (same < count && theirs[same].index1 - 1 == run->slot + same) {
            same++;
        }
        return same;
    }
    if (memcmp(theirs, run->handles, count * sizeof *theirs) == 0) {
        return count;
    }
    while (count - same >= LOCKSTEP_HANDLES &&
           memcmp(theirs + same, run->handles + same, LOCKSTEP_HANDLES * sizeof *theirs) == 0) {
        same += LOCKSTEP_HANDLES;
    }
    while (same < count && theirs[same].index1 == run->handles[same].index1) {
        same++;
    }
    return same;
}

static uint32_t lockstep_in_table(const ki_store *store, const ki_component *component,
                                  const lockstep_run *run, const ki_column **values,
                                  uint32_t *first)
{
    const ki_record *record = ki_record_at(&store->entities, run->slot);
    const ki_table *table = store->tables[record->table];
    const ki_column *column = ki_table_column(table, component->id);
    if (column == NULL) {
        return 0;
    }
    *values = column;
    *first = record->row;
    return lockstep_entities(&table->rows.entities, *first, table->rows.count, run);
}

static uint32_t lockstep_in_sparse(const ki_sparse *set, const lockstep_run *run,
                                   const ki_column **values, uint32_t *first)
{
    uint32_t row1 = ki_sparse_row1(set, run->slot);
    if (row1 == 0) {
        return 0;
    }
    *values = &set->values;
    *first = row1 - 1;
    return lockstep_entities(&set->rows.entities, *first, set->rows.count, run);
}

static uint32_t lockstep_in_slots(const ki_slots *slots, const lockstep_run *run,
                                  const ki_column **values, uint32_t *first)
{
    uint32_t consecutive = run->handles == NULL ? run->count : 1;
    while (consecutive < run->count &&
           run->handles[consecutive].index1 - 1 == run->slot + consecutive) {
        consecutive++;
    }
    *values = &slots->values;
    *first = run->slot;
    return ki_slots_run_end(slots, run->slot, run->slot + consecutive) - run->slot;
}

uint32_t ki_lockstep_count(const ki_driver *driver, const ki_component *component, uint32_t row,
                           uint32_t count, const ki_column **values, uint32_t *first)
{
    lockstep_run run = {ki_driver_entities(driver, row), row, count};
    KI_ASSERT(run.handles == NULL || row % KI_BLOCK_ROWS_MAX + count <= KI_BLOCK_ROWS_MAX);
    run.slot = run.handles == NULL ? row : run.handles[0].index1 - 1;
    switch (component->layout) {
    case KITH_TABLE: return lockstep_in_table(driver->query->store, component, &run, values, first);
    case KITH_SPARSE: return lockstep_in_sparse(&component->in.sparse, &run, values, first);
    case KITH_SLOT: break;
    }
    return lockstep_in_slots(&component->in.slots, &run, values, first);
}

uint32_t ki_lockstep_absent(const ki_driver *driver, const ki_component *component, uint32_t row,
                            uint32_t count)
{
    const ki_store *store = driver->query->store;
    const kith_entity *handles = ki_driver_entities(driver, row);
    uint32_t absent = 0;
    while (absent < count) {
        uint32_t index = handles == NULL ? row + absent : handles[absent].index1 - 1;
        if (ki_store_has(store, component, index, ki_record_at(&store->entities, index))) {
            break;
        }
        absent++;
    }
    return absent;
}
