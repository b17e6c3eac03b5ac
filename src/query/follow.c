/* Entities that were made together often lie in the same order in every storage. Where they do, a
 * run of one storage is a run of another: one comparison of handles then answers for all its rows.
 * */
#include "query/query.h"

/* So many handles are compared at once. */
#define FOLLOW_STEP 32u

/* A run of the driving storage. */
typedef struct follow_run {
    const kith_entity *handles; /* NULL: the slots from `slot` on */
    uint32_t slot;              /* the first one's */
    uint32_t count;
} follow_run;

/* How many entities of the run stand from `first` on as well, in a storage of `rows` rows. */
static uint32_t follow_entities(const ki_column *entities, uint32_t first, uint32_t rows,
                                const follow_run *run)
{
    uint64_t end = ki_column_block_end(entities, first);
    end = end < rows ? end : rows;
    uint32_t count = ki_min_u32(run->count, (uint32_t)end - first);
    const kith_entity *others = ki_column_at(entities, first);
    uint32_t same = 0;
    if (run->handles == NULL) {
        while (same < count && others[same].index1 - 1 == run->slot + same) {
            same++;
        }
        return same;
    }
    if (memcmp(others, run->handles, count * sizeof *others) == 0) {
        return count;
    }
    while (count - same >= FOLLOW_STEP &&
           memcmp(others + same, run->handles + same, FOLLOW_STEP * sizeof *others) == 0) {
        same += FOLLOW_STEP;
    }
    while (same < count && others[same].index1 == run->handles[same].index1) {
        same++;
    }
    return same;
}

static uint32_t follow_in_table(const ki_store *store, const ki_component *component,
                                const follow_run *run, const ki_column **values, uint32_t *first)
{
    const ki_record *record = ki_record_at(&store->entities, run->slot);
    const ki_table *table = store->tables[record->table];
    const ki_column *column = ki_table_column(table, component->id);
    if (column == NULL) {
        return 0;
    }
    *values = column;
    *first = record->row;
    return follow_entities(&table->rows.entities, *first, table->rows.count, run);
}

static uint32_t follow_in_sparse(const ki_sparse *set, const follow_run *run,
                                 const ki_column **values, uint32_t *first)
{
    uint32_t row1 = ki_sparse_row1(set, run->slot);
    if (row1 == 0) {
        return 0;
    }
    *values = &set->values;
    *first = row1 - 1;
    return follow_entities(&set->rows.entities, *first, set->rows.count, run);
}

static uint32_t follow_in_slots(const ki_slots *slots, const follow_run *run,
                                const ki_column **values, uint32_t *first)
{
    uint32_t in_turn = run->handles == NULL ? run->count : 1;
    while (in_turn < run->count && run->handles[in_turn].index1 - 1 == run->slot + in_turn) {
        in_turn++;
    }
    *values = &slots->values;
    *first = run->slot;
    return ki_slots_run_end(slots, run->slot, run->slot + in_turn) - run->slot;
}

uint32_t ki_walk_follow(const ki_walk *walk, const ki_component *component, uint32_t row,
                        uint32_t count, const ki_column **values, uint32_t *first)
{
    follow_run run = {ki_walk_entities(walk, row), row, count};
    KI_ASSERT(run.handles == NULL || row % KI_BLOCK_ROWS_MAX + count <= KI_BLOCK_ROWS_MAX);
    run.slot = run.handles == NULL ? row : run.handles[0].index1 - 1;
    switch (component->layout) {
    case KITH_TABLE: return follow_in_table(walk->query->store, component, &run, values, first);
    case KITH_SPARSE: return follow_in_sparse(&component->in.sparse, &run, values, first);
    case KITH_SLOT: break;
    }
    return follow_in_slots(&component->in.slots, &run, values, first);
}
