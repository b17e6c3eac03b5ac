#include "query/levels.h"

#include "query/depths.h"

ki_levels *ki_levels_new(ki_heap *heap, kith_order order)
{
    ki_levels *levels = ki_heap_alloc_zeroed(heap, sizeof *levels, _Alignof(ki_levels));
    if (levels != NULL) {
        levels->children_first = order == KITH_CHILDREN_FIRST;
    }
    return levels;
}

void ki_levels_free(ki_heap *heap, ki_levels *levels)
{
    if (levels != NULL) {
        ki_heap_free(heap, levels->runs, levels->run_capacity * sizeof *levels->runs,
                     _Alignof(max_align_t));
        ki_heap_free(heap, levels->list, levels->capacity * sizeof *levels->list,
                     _Alignof(max_align_t));
        ki_heap_free(heap, levels, sizeof *levels, _Alignof(ki_levels));
    }
}

uint32_t ki_level_of_run(const ki_levels *levels, uint32_t run)
{
    uint32_t low = 0;
    uint32_t high = levels->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (levels->list[middle].end <= run) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* ---- Whether they are up to date -------------------------------------------------------------- */

/* Calls `visit` for each match, in their order, until it returns false. Returns whether all were
 * visited. */
static bool levels_each_match(const kith_query *query,
                              bool (*visit)(void *context, const ki_match *match), void *context)
{
    const ki_ranks *matches = &query->matches;
    for (uint32_t run = 0; run < matches->run_count; run++) {
        const uint8_t *at = matches->runs[run].items;
        for (uint32_t i = 0; i < matches->runs[run].count; i++, at += matches->item_size) {
            if (!visit(context, (const ki_match *)(const void *)at)) {
                return false;
            }
        }
    }
    return true;
}

typedef struct levels_look {
    uint64_t time;
    uint32_t rows;
} levels_look;

static bool levels_look_at(void *context, const ki_match *match)
{
    levels_look *look = context;
    const ki_rows *rows = &match->table->rows;
    look->rows += rows->count;
    return ki_column_is_same(&rows->entities, look->time);
}

/* Whether the rows of the driving storage are those that were gathered. What is written when rows come
 * and go tells that, unless it was freed with the last row: then there are fewer. */
static bool levels_same_rows(const ki_levels *levels, const kith_query *query,
                             const ki_driver *driver)
{
    levels_look look = {.time = levels->time};
    bool same = true;
    switch (driver->kind) {
    case KI_DRIVE_TABLES:
        same = levels->match_epoch == query->epoch &&
               levels->match_count == query->matches.count &&
               levels_each_match(query, levels_look_at, &look);
        break;
    case KI_DRIVE_SPARSE: {
        const ki_rows *rows = &ki_driver_component(driver)->in.sparse.rows;
        look.rows = rows->count;
        same = ki_column_is_same(&rows->entities, levels->time);
        break;
    }
    case KI_DRIVE_SLOTS: {
        const ki_slots *slots = &ki_driver_component(driver)->in.slots;
        look.rows = slots->count;
        same = ki_column_is_same(&slots->bits, levels->time);
        break;
    }
    case KI_DRIVE_ONE: break;
    }
    return same && look.rows == levels->rows;
}

/* ---- Gathering them --------------------------------------------------------------------------- */

/* A run with its depth. */
typedef struct levels_found {
    ki_level_run run;
    uint32_t depth;
} levels_found;

typedef struct levels_gather {
    ki_heap *heap;
    ki_depths *depths;
    levels_found *list;
    uint32_t count;
    uint32_t capacity;
    uint32_t rows;
    uint32_t depth_count; /* the greatest depth plus one */
} levels_gather;

/* Begins a run. */
static KI_NOINLINE bool gather_begin(levels_gather *gather, const levels_found *run)
{
    if (ki_heap_grow(gather->heap, &gather->list, &gather->capacity, gather->count + 1,
                     sizeof *gather->list, 64) != KITH_OK) {
        return false;
    }
    gather->list[gather->count++] = *run;
    gather->depth_count =
        run->depth < gather->depth_count ? gather->depth_count : run->depth + 1;
    return true;
}

/* Adds `count` rows from `row` on, of entities with these handles. False: no memory. */
static bool gather_rows(levels_gather *gather, const ki_match *match, const kith_entity *handles,
                        uint32_t row, uint32_t count)
{
    gather->rows += count;
    for (uint32_t i = 0; i < count;) {
        const uint32_t depth = ki_depth_of(gather->depths, handles[i].index1 - 1);
        uint32_t end = i + 1;
        while (end < count && ki_depth_of(gather->depths, handles[end].index1 - 1) == depth) {
            end++;
        }
        levels_found *last = gather->count == 0 ? NULL : &gather->list[gather->count - 1];
        if (last != NULL && last->depth == depth && last->run.match == match &&
            last->run.row + last->run.count == row + i) {
            last->run.count += end - i;
        } else if (!gather_begin(gather, &(levels_found){{match, row + i, end - i}, depth})) {
            return false;
        }
        i = end;
    }
    return true;
}

/* Adds all rows of a table or sparse set, block by block. */
static bool gather_all_rows(levels_gather *gather, const ki_match *match, const ki_rows *rows)
{
    for (uint32_t row = 0; row < rows->count;) {
        const uint32_t count = ki_column_run(&rows->entities, row, rows->count - row);
        if (!gather_rows(gather, match, ki_column_at(&rows->entities, row), row, count)) {
            return false;
        }
        row += count;
    }
    return true;
}

static bool gather_match(void *context, const ki_match *match)
{
    return gather_all_rows(context, match, &match->table->rows);
}

static bool gather_slots(levels_gather *gather, const ki_slots *slots, uint32_t end)
{
    for (uint32_t slot = ki_slots_next(slots, 0, end); slot < end;
         slot = ki_slots_next(slots, slot + 1, end)) {
        const kith_entity handle = {slot + 1, 0}; /* only the slot counts */
        if (!gather_rows(gather, NULL, &handle, slot, 1)) {
            return false;
        }
    }
    return true;
}

static bool gather_driver(levels_gather *gather, const kith_query *query, const ki_driver *driver)
{
    switch (driver->kind) {
    case KI_DRIVE_TABLES: return levels_each_match(query, gather_match, gather);
    case KI_DRIVE_SPARSE:
        return gather_all_rows(gather, NULL, &ki_driver_component(driver)->in.sparse.rows);
    case KI_DRIVE_SLOTS:
        return gather_slots(gather, &ki_driver_component(driver)->in.slots,
                            query->store->entities.slots);
    case KI_DRIVE_ONE: break;
    }
    return true;
}

/* The place of a depth in the order. */
static uint32_t levels_rank(const ki_levels *levels, const levels_gather *gather, uint32_t depth)
{
    return levels->children_first ? gather->depth_count - 1 - depth : depth;
}

/* Puts the runs in order, those of the same depth as they came: `counts` has the runs of each depth, in
 * the order of depths. */
static void levels_sort(ki_levels *levels, const levels_gather *gather, ki_level *counts)
{
    for (uint32_t i = 0; i < gather->count; i++) {
        ki_level *level = &counts[levels_rank(levels, gather, gather->list[i].depth)];
        level->end++;
        level->rows += gather->list[i].run.count;
    }
    uint32_t next = 0;
    levels->count = 0;
    for (uint32_t i = 0; i < gather->depth_count; i++) {
        const ki_level level = counts[i];
        counts[i].end = next; /* where its next run goes */
        next += level.end;
        if (level.end != 0) {
            levels->list[levels->count++] = (ki_level){next, level.rows};
        }
    }
    for (uint32_t i = 0; i < gather->count; i++) {
        const levels_found *found = &gather->list[i];
        levels->runs[counts[levels_rank(levels, gather, found->depth)].end++] = found->run;
    }
    levels->run_count = gather->count;
}

/* Makes room for the runs that were found, and sorts them. */
static kith_result levels_take(ki_levels *levels, const levels_gather *gather)
{
    ki_heap *heap = gather->heap;
    const size_t bytes = gather->depth_count * sizeof(ki_level);
    KI_TRY(ki_heap_grow(heap, &levels->runs, &levels->run_capacity, gather->count,
                        sizeof *levels->runs, 4));
    KI_TRY(ki_heap_grow(heap, &levels->list, &levels->capacity, gather->depth_count,
                        sizeof *levels->list, 4));
    ki_level *counts = ki_heap_alloc_zeroed(heap, bytes, _Alignof(ki_level));
    if (counts == NULL) {
        return KITH_ERR_MEMORY;
    }
    levels_sort(levels, gather, counts);
    ki_heap_free(heap, counts, bytes, _Alignof(ki_level));
    return KITH_OK;
}

static kith_result levels_gather_all(ki_levels *levels, const kith_query *query,
                                     const ki_driver *driver)
{
    ki_store *store = query->store;
    levels_gather gather = {.heap = &store->context.heap, .depths = store->depths};
    kith_result result =
        gather_driver(&gather, query, driver) ? levels_take(levels, &gather) : KITH_ERR_MEMORY;
    ki_heap_free(gather.heap, gather.list, gather.capacity * sizeof *gather.list,
                 _Alignof(max_align_t));
    levels->rows = gather.rows;
    return result;
}

kith_result ki_levels_refresh(const kith_query *query, const ki_driver *driver)
{
    ki_levels *levels = query->levels;
    ki_store *store = query->store;
    KI_TRY(ki_depths_refresh(store));
    if (levels->time != 0 && levels->round == store->depths->round &&
        levels->kind == driver->kind && levels->term == driver->term &&
        levels_same_rows(levels, query, driver)) {
        return KITH_OK;
    }
    KI_ASSERT(query->open_count <= 1); /* nothing changes while it is open */
    levels->time = 0;
    KI_TRY(levels_gather_all(levels, query, driver));
    levels->kind = driver->kind;
    levels->term = driver->term;
    levels->match_epoch = query->epoch;
    levels->match_count = query->matches.count;
    levels->round = store->depths->round;
    levels->time = store->columns.write_clock++;
    return KITH_OK;
}
