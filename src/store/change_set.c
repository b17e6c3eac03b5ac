#include "store/change_set.h"

#include "store/storages.h"
#include "store/table_logs.h"

void ki_change_set_init(ki_change_set *set, ki_store *store, ki_heap *heap)
{
    set->store = store;
    set->heap = heap;
    set->once = false;
    set->flows = set->own; /* which are written as they are needed */
    set->flow_count = 0;
    set->flow_capacity = KI_CHANGE_SET_OWN;
    set->numbers = (ki_map){0};
}

void ki_change_set_free(ki_change_set *set)
{
    if (set->flows != set->own) {
        ki_heap_free(set->heap, set->flows, set->flow_capacity * sizeof *set->flows,
                     _Alignof(max_align_t));
    }
    ki_map_free(set->heap, &set->numbers);
}

/* Makes the map, which finds flows that are not in `own`, know one more. */
static kith_result changes_number(ki_change_set *set, uint32_t number)
{
    const ki_flow *flow = &set->flows[number];
    const void *what = flow->table != NULL ? (const void *)flow->table : flow->component;
    KI_TRY(ki_map_reserve(set->heap, &set->numbers));
    ki_map_insert(&set->numbers, (uintptr_t)what, (void *)((uintptr_t)number + 1));
    return KITH_OK;
}

/* Makes room for one more. */
static kith_result changes_grow(ki_change_set *set)
{
    ki_flow *flows = set->flows == set->own ? NULL : set->flows;
    uint32_t capacity = flows == NULL ? 0 : set->flow_capacity;
    KI_TRY(ki_heap_grow(set->heap, &flows, &capacity, set->flow_count + 1, sizeof *flows,
                        2 * KI_CHANGE_SET_OWN));
    if (set->flows == set->own) {
        memcpy(flows, set->own, sizeof set->own);
    }
    set->flows = flows;
    set->flow_capacity = capacity;
    return KITH_OK;
}

static ki_flow *changes_flow(ki_change_set *set, ki_table *table, ki_component *component)
{
    uint32_t few = ki_min_u32(set->flow_count, KI_CHANGE_SET_OWN);
    for (uint32_t i = 0; i < few; i++) {
        if (set->flows[i].table == table && set->flows[i].component == component) {
            return &set->flows[i];
        }
    }
    const void *what = table != NULL ? (const void *)table : component;
    uintptr_t known = (uintptr_t)ki_map_find(&set->numbers, (uintptr_t)what);
    if (known != 0) {
        return &set->flows[known - 1];
    }
    if (set->flow_count == set->flow_capacity && changes_grow(set) != KITH_OK) {
        return NULL;
    }
    uint32_t number = set->flow_count;
    set->flows[number] = (ki_flow){.table = table, .component = component};
    if (number >= KI_CHANGE_SET_OWN && changes_number(set, number) != KITH_OK) {
        return NULL;
    }
    set->flow_count++;
    return &set->flows[number];
}

ki_flow *ki_change_set_table(ki_change_set *set, ki_table *table)
{
    return changes_flow(set, table, NULL);
}

ki_flow *ki_change_set_component(ki_change_set *set, ki_component *component)
{
    return changes_flow(set, NULL, component);
}

/* Counts `count` entities in the logs of the components that `table` has and `other` has not. */
static kith_result changes_log(ki_change_set *set, const ki_table *table, const ki_table *other,
                               uint32_t count, bool lost)
{
    for (uint32_t i = 0; (i = ki_table_logs_next(set->store, table, other, i)) != KI_NO_COLUMN;
         i++) {
        ki_flow *flow = ki_change_set_component(set, ki_store_component(set->store, table->ids[i]));
        if (flow == NULL) {
            return KITH_ERR_MEMORY;
        }
        flow->leaving += lost ? count : 0;
        flow->entering += lost ? 0 : count;
    }
    return KITH_OK;
}

kith_result ki_change_set_move(ki_change_set *set, ki_table *from, ki_table *to, uint32_t count)
{
    ki_flow *flow = from == NULL ? NULL : ki_change_set_table(set, from);
    if (flow != NULL) {
        flow->leaving += count;
    } else if (from != NULL) {
        return KITH_ERR_MEMORY;
    }
    flow = to == NULL ? NULL : ki_change_set_table(set, to);
    if (flow != NULL) {
        flow->entering += count;
    } else if (to != NULL) {
        return KITH_ERR_MEMORY;
    }
    if (!ki_tables_are_logged(from, to)) {
        return KITH_OK;
    }
    KI_TRY(changes_log(set, from, to, count, true));
    return changes_log(set, to, from, count, false);
}

kith_result ki_change_set_lose(ki_change_set *set, ki_component *component, const uint32_t *indexes,
                               uint32_t count, bool consecutive)
{
    ki_column_context *columns = &set->store->columns;
    uint32_t leaving = 0;
    bool all = consecutive && ki_storage_count_in(component, indexes[0], count) == count;
    bool marked = all ? ki_storage_mark_leaving_span(columns, component, indexes[0], count)
                      : ki_storage_mark_leaving_each(columns, component, indexes, count, &leaving);
    ki_flow *flow = marked ? ki_change_set_component(set, component) : NULL;
    if (flow == NULL) {
        return KITH_ERR_MEMORY;
    }
    flow->leaving += all ? count : leaving;
    return KITH_OK;
}

kith_result ki_change_set_lose_all(ki_change_set *set, const uint32_t *indexes, uint32_t count,
                                   bool consecutive)
{
    ki_store *store = set->store;
    uint64_t summary = 0;
    for (uint32_t i = 0; i < count; i++) {
        summary |= ki_summary_at(&store->entities, indexes[i]);
        if (!ki_summary_mark(&store->columns, &store->entities, indexes[i])) {
            return KITH_ERR_MEMORY;
        }
    }
    ki_component *few[KI_STORAGES_FEW];
    uint32_t found = ki_storages_few(store, summary, few);
    for (uint32_t i = 0; found <= KI_STORAGES_FEW && i < found; i++) {
        KI_TRY(ki_change_set_lose(set, few[i], indexes, count, consecutive));
    }
    for (uint32_t i = 0; found > KI_STORAGES_FEW && i < count; i++) {
        ki_component *component = ki_storages_next(store, indexes[i], 0);
        for (; component != NULL;
             component = ki_storages_next(store, indexes[i], component->other + 1)) {
            KI_TRY(ki_change_set_lose(set, component, &indexes[i], 1, false));
        }
    }
    return KITH_OK;
}

/* Gathers the slots of the next living entities, as far as they are in one table, and makes their rows
 * and records ready. Returns how many entities were looked at; 0: no memory. */
static uint32_t changes_end_slice(ki_store *store, const kith_entity *entities, uint32_t count,
                                  uint32_t *indexes, uint32_t *found)
{
    ki_table *table = NULL;
    uint32_t i = 0;
    for (*found = 0; i < count && *found < KI_SLICE; i++) {
        const ki_record *record = ki_record_of(&store->entities, entities[i]);
        if (record == NULL) {
            continue;
        }
        if (table != NULL && record->table != table->id) {
            break;
        }
        table = store->tables[record->table];
        if (!ki_rows_mark(&store->columns, &table->rows, record->row) ||
            !ki_record_mark(&store->columns, &store->entities, entities[i].index1 - 1)) {
            return 0;
        }
        indexes[(*found)++] = entities[i].index1 - 1;
    }
    return i;
}

kith_result ki_change_set_end(ki_change_set *set, const kith_entity *entities, uint32_t count)
{
    ki_store *store = set->store;
    uint32_t indexes[KI_SLICE];
    for (uint32_t step, found; count > 0; entities += step, count -= step) {
        step = changes_end_slice(store, entities, count, indexes, &found);
        if (step == 0) {
            return KITH_ERR_MEMORY;
        }
        if (found != 0) {
            ki_table *table = store->tables[ki_record_at(&store->entities, indexes[0])->table];
            KI_TRY(ki_change_set_move(set, table, NULL, found));
            KI_TRY(ki_change_set_lose_all(set, indexes, found, false));
        }
    }
    return KITH_OK;
}

/* Marks the last rows, as many as leave, from among which those come that fill holes; and in `by_slot`
 * what leads to them. */
static bool changes_mark_ends(ki_column_context *columns, ki_rows *rows, uint64_t leaving,
                              ki_column *by_slot)
{
    uint32_t first = leaving < rows->count ? rows->count - (uint32_t)leaving : 0;
    uint32_t shift = ki_rows_block_shift(rows);
    for (uint64_t row = first; row < rows->count; row = ((row >> shift) + 1) << shift) {
        if (!ki_rows_mark(columns, rows, (uint32_t)row)) {
            return false;
        }
    }
    uint32_t marked = UINT32_MAX; /* the last block of slots that was */
    for (uint32_t row = first; row < rows->count; row++) {
        uint32_t index = ki_rows_entity(rows, row).index1 - 1;
        if (index >> by_slot->shift != marked && !ki_column_mark(columns, by_slot, index)) {
            return false;
        }
        marked = index >> by_slot->shift;
    }
    return true;
}

static kith_result changes_reserve_rows(ki_column_context *columns, ki_rows *rows,
                                        const ki_flow *flow, ki_column *by_slot, bool once)
{
    bool fills = !once || flow->leaving < rows->count; /* rows stay that may fill holes */
    if (flow->entering > KI_COLUMN_ROWS_MAX) {
        return ki_without_message(columns->heap, KITH_ERR_LIMIT);
    }
    if (flow->leaving != 0 && fills && !changes_mark_ends(columns, rows, flow->leaving, by_slot)) {
        return KITH_ERR_MEMORY;
    }
    return flow->entering == 0 ? KITH_OK : ki_rows_reserve(columns, rows, (uint32_t)flow->entering);
}

kith_result ki_change_set_reserve(ki_change_set *set)
{
    ki_store *store = set->store;
    for (uint32_t i = 0; i < set->flow_count; i++) {
        const ki_flow *flow = &set->flows[i];
        ki_component *component = flow->component;
        if (flow->table != NULL) {
            KI_TRY(changes_reserve_rows(&store->columns, &flow->table->rows, flow,
                                        &store->entities.records, set->once));
            continue;
        }
        if (component->layout == KITH_SPARSE) {
            ki_sparse *sparse = &component->in.sparse;
            KI_TRY(changes_reserve_rows(&store->columns, &sparse->rows, flow, &sparse->index,
                                        set->once));
        }
        if (component->change_log != NULL) {
            uint64_t entries = flow->entering + flow->leaving;
            KI_TRY(entries > UINT32_MAX
                       ? ki_without_message(&store->context.heap, KITH_ERR_LIMIT)
                       : ki_change_log_reserve(&store->context.heap, component->change_log,
                                               (uint32_t)entries, flow->leaving != 0));
        }
    }
    return KITH_OK;
}
