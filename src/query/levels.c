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

bool ki_levels_are_right(const kith_query *query, const ki_driver *driver)
{
    const ki_levels *levels = query->levels;
    return levels->time > query->store->moved && levels->round == query->store->depths->round &&
           levels->kind == driver->kind && levels->term == driver->term &&
           levels_same_rows(levels, query, driver);
}

/* ---- Gathering them --------------------------------------------------------------------------- */

/* A pass over the rows, of two: the first one counts the runs of each depth, the second one puts
 * them where they belong. */
typedef struct levels_pass {
    ki_levels *levels;
    ki_heap *heap;
    ki_depths *depths;
    bool puts;
    ki_level_run run; /* that is being gathered; of no rows: none is */
    uint32_t depth;   /* of it */
} levels_pass;

/* Begins to count levels up to a depth. False: no memory. */
static KI_NOINLINE bool levels_begin(ki_levels *levels, ki_heap *heap, uint32_t depth)
{
    if (ki_heap_grow(heap, &levels->list, &levels->capacity, depth + 1, sizeof *levels->list, 4) !=
        KITH_OK) {
        return false;
    }
    for (; levels->count <= depth; levels->count++) {
        levels->list[levels->count] = (ki_level){0, 0};
    }
    return true;
}

/* Counts a run. False: no memory. */
static bool pass_count(ki_levels *levels, ki_heap *heap, const ki_level_run *run, uint32_t depth)
{
    if (depth >= levels->count && !levels_begin(levels, heap, depth)) {
        return false;
    }
    levels->list[depth].end++;
    levels->list[depth].rows += run->count;
    levels->run_count++;
    return true;
}

/* Ends the run that is being gathered. False: no memory. */
static bool pass_end_run(levels_pass *pass)
{
    ki_levels *levels = pass->levels;
    if (pass->run.count == 0) {
        return true;
    }
    if (!pass->puts) {
        return pass_count(levels, pass->heap, &pass->run, pass->depth);
    }
    const uint32_t level =
        levels->children_first ? levels->count - 1 - pass->depth : pass->depth;
    levels->runs[levels->list[level].end++] = pass->run;
    return true;
}

/* Goes on with `count` rows from `row` on, of entities with these handles. False: no memory. */
static bool pass_rows(levels_pass *pass, const ki_match *match, const kith_entity *handles,
                      uint32_t row, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t depth = ki_depth_of(pass->depths, handles[i].index1 - 1);
        if (depth != pass->depth || pass->run.row + pass->run.count != row + i ||
            match != pass->run.match) {
            if (!pass_end_run(pass)) {
                return false;
            }
            pass->run = (ki_level_run){match, row + i, 0};
            pass->depth = depth;
        }
        pass->run.count++;
    }
    return true;
}

/* Goes on with all rows of a table or sparse set, block by block. */
static bool pass_all_rows(levels_pass *pass, const ki_match *match, const ki_rows *rows)
{
    for (uint32_t row = 0; row < rows->count;) {
        const uint32_t count = ki_column_run(&rows->entities, row, rows->count - row);
        if (!pass_rows(pass, match, ki_column_at(&rows->entities, row), row, count)) {
            return false;
        }
        row += count;
    }
    return true;
}

static bool pass_match(void *context, const ki_match *match)
{
    return pass_all_rows(context, match, &match->table->rows);
}

static bool pass_slots(levels_pass *pass, const ki_slots *slots, uint32_t end)
{
    for (uint32_t slot = ki_slots_next(slots, 0, end); slot < end;
         slot = ki_slots_next(slots, slot + 1, end)) {
        const kith_entity handle = {slot + 1, 0}; /* only the slot counts */
        if (!pass_rows(pass, NULL, &handle, slot, 1)) {
            return false;
        }
    }
    return true;
}

/* Goes through all rows of the driving storage. False: no memory. */
static bool pass_driver(levels_pass *pass, const kith_query *query, const ki_driver *driver)
{
    bool done = true;
    pass->run = (ki_level_run){NULL, 0, 0};
    pass->depth = UINT32_MAX;
    switch (driver->kind) {
    case KI_DRIVE_TABLES: done = levels_each_match(query, pass_match, pass); break;
    case KI_DRIVE_SPARSE:
        done = pass_all_rows(pass, NULL, &ki_driver_component(driver)->in.sparse.rows);
        break;
    case KI_DRIVE_SLOTS:
        done = pass_slots(pass, &ki_driver_component(driver)->in.slots,
                          query->store->entities.slots);
        break;
    case KI_DRIVE_ONE: break;
    }
    return done && pass_end_run(pass);
}

/* Between the passes: where the runs of each level begin, in the order of the levels. */
static void levels_place(ki_levels *levels)
{
    for (uint32_t i = 0; levels->children_first && i < levels->count / 2; i++) {
        const ki_level level = levels->list[i];
        levels->list[i] = levels->list[levels->count - 1 - i];
        levels->list[levels->count - 1 - i] = level;
    }
    uint32_t next = 0;
    levels->rows = 0;
    for (uint32_t i = 0; i < levels->count; i++) {
        ki_level *level = &levels->list[i];
        next += level->end;
        level->end = next - level->end;
        levels->rows += level->rows;
    }
}

/* After them: drops the levels without rows. */
static void levels_drop_empty(ki_levels *levels)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < levels->count; i++) {
        if (levels->list[i].rows != 0) {
            levels->list[count++] = levels->list[i];
        }
    }
    levels->count = count;
}

static kith_result levels_gather(ki_levels *levels, const kith_query *query,
                                 const ki_driver *driver)
{
    ki_store *store = query->store;
    levels_pass pass = {.levels = levels, .heap = &store->context.heap, .depths = store->depths};
    levels->count = 0;
    levels->run_count = 0;
    if (!pass_driver(&pass, query, driver)) {
        return KITH_ERR_MEMORY;
    }
    KI_TRY(ki_heap_grow(pass.heap, &levels->runs, &levels->run_capacity, levels->run_count,
                        sizeof *levels->runs, 4));
    levels_place(levels);
    pass.puts = true;
    pass_driver(&pass, query, driver); /* which takes no memory */
    levels_drop_empty(levels);
    return KITH_OK;
}

kith_result ki_levels_refresh(const kith_query *query, const ki_driver *driver)
{
    ki_levels *levels = query->levels;
    ki_store *store = query->store;
    KI_TRY(ki_depths_refresh(store));
    if (ki_levels_are_right(query, driver)) {
        return KITH_OK;
    }
    KI_ASSERT(query->open_count <= 1); /* nothing changes while it is open */
    levels->time = 0;
    KI_TRY(levels_gather(levels, query, driver));
    levels->kind = driver->kind;
    levels->term = driver->term;
    levels->match_epoch = query->epoch;
    levels->match_count = query->matches.count;
    levels->round = store->depths->round;
    levels->time = store->columns.write_clock++;
    return KITH_OK;
}
