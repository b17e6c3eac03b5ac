#include "system/partition.h"

#include "query/table_admission.h"

kith_result ki_cursor_follow(kith_cursor *cursor, const kith_cursor *prepared)
{
    const kith_query *query = cursor->query;
    if (prepared->slot_entities != NULL && cursor->slot_entities == NULL) {
        cursor->slot_entities =
            ki_heap_alloc(&query->store->context.heap, KI_BLOCK_ROWS_MAX * sizeof(kith_entity),
                          _Alignof(kith_entity));
        if (cursor->slot_entities == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    cursor->look = prepared->look;
    cursor->scan = prepared->scan;
    cursor->prepared_kind = prepared->prepared_kind;
    cursor->prepared_term = prepared->prepared_term;
    cursor->block_shift = prepared->block_shift;
    cursor->plain = prepared->plain;
    cursor->keyed = prepared->keyed;
    cursor->lookups = prepared->lookups;
    cursor->indirect = prepared->indirect;
    cursor->steady = prepared->steady;
    for (uint32_t i = 0; i < query->term_count; i++) {
        cursor->binds[i] = prepared->binds[i];
        cursor->columns[i] = prepared->columns[i];
    }
    ki_cursor_unbind(cursor);
    return KITH_OK;
}

/* What a table costs beside its rows, in rows. */
#define PARTITION_TABLE_COST 32u

/* The table of a match. The match is in run `*run` of the list, or begins the next run. */
static const ki_table *partition_table(const ki_ranks *matches, uint32_t number, uint32_t *run)
{
    const ki_rank_run *at = &matches->runs[*run];
    if (number == at->first + at->count) {
        at++;
        ++*run;
    }
    size_t offset = (size_t)(number - at->first) * matches->item_size;
    return ((const ki_match *)(const void *)(at->items + offset))->table;
}

static uint64_t partition_cost(const ki_scan *scan)
{
    if (scan->driver.kind != KI_DRIVE_TABLES) {
        return (uint64_t)scan->end_row + PARTITION_TABLE_COST;
    }
    uint64_t cost = 0;
    const ki_ranks *matches = &scan->driver.query->matches;
    for (uint32_t run = 0, i = 0; i < matches->count; i++) {
        cost += partition_table(matches, i, &run)->rows.count + PARTITION_TABLE_COST;
    }
    return cost;
}

/* The row where a range ends that begins at `first` and may cost so much: a multiple of
 * KI_BLOCK_ROWS_MAX, where blocks of every size begin, or the end of the table. */
static uint32_t partition_cut(uint32_t first, uint64_t cost, uint32_t rows)
{
    uint64_t blocks = (cost + KI_BLOCK_ROWS_MAX - 1) / KI_BLOCK_ROWS_MAX;
    uint64_t end = first + (blocks == 0 ? 1 : blocks) * KI_BLOCK_ROWS_MAX;
    return end < rows ? (uint32_t)end : rows;
}

/* The cost of the next range, if `left` of `all` is left. The last ranges are smaller, so that the
 * threads finish at about the same time. At most there are 40 ranges of the largest size, 8 of the
 * smallest, and 13 between them. */
static uint64_t partition_target(uint64_t all, uint64_t left)
{
    uint64_t target = left / 8;
    target = target > all / 48 ? all / 48 : target;
    target = target < all / 256 ? all / 256 : target;
    return target < KI_BLOCK_ROWS_MAX ? KI_BLOCK_ROWS_MAX : target;
}

/* ---- Levels */

/* A level with fewer rows than two ranges is not cut. With those next to it that are not either, it
 * makes one range, which one thread goes through: to begin a level takes time. */
typedef struct partition_levels {
    const ki_levels *levels;
    ki_range *ranges;
    uint32_t count;
    uint32_t target; /* rows of a range, at least; at most there are 24 of them, and no more others */
} partition_levels;

static void partition_add(partition_levels *parts, uint32_t run, uint32_t first, uint32_t run_end,
                          uint32_t end, uint32_t after)
{
    KI_ASSERT(parts->count < KI_RANGES_MAX);
    parts->ranges[parts->count++] = (ki_range){run, run_end, first, end, after};
}

/* Whether the rows from `row` on of a run come in another block than the row before, which was the last
 * one of `before`. */
static bool partition_is_apart(const ki_level_run *before, const ki_level_run *run)
{
    return run->match != before->match ||
           run->row / KI_BLOCK_ROWS_MAX != (before->row + before->count - 1) / KI_BLOCK_ROWS_MAX;
}

/* Cuts a level, whose runs are those from `run` on. */
static void partition_level(partition_levels *parts, uint32_t run, uint32_t run_end)
{
    const ki_level_run *runs = parts->levels->runs;
    const uint32_t after = parts->count;
    uint32_t begin = run;
    uint32_t first = runs[run].row;
    uint32_t rows = 0; /* since that */
    for (uint32_t i = run; i < run_end; i++) {
        const uint32_t end = runs[i].row + runs[i].count;
        uint32_t row = runs[i].row;
        if (rows >= parts->target && partition_is_apart(&runs[i - 1], &runs[i])) {
            partition_add(parts, begin, first, i, UINT32_MAX, after);
            begin = i;
            first = row;
            rows = 0;
        }
        while (rows + (end - row) > parts->target) {
            const uint64_t least =
                (uint64_t)row + (rows < parts->target ? parts->target - rows : 1);
            const uint64_t cut =
                (least + KI_BLOCK_ROWS_MAX - 1) & ~(uint64_t)(KI_BLOCK_ROWS_MAX - 1);
            if (cut >= end) {
                break;
            }
            row = (uint32_t)cut;
            partition_add(parts, begin, first, i + 1, row, after);
            begin = i;
            first = row;
            rows = 0;
        }
        rows += end - row;
    }
    partition_add(parts, begin, first, run_end, UINT32_MAX, after);
}

static uint32_t partition_by_levels(const ki_levels *levels, ki_range *ranges)
{
    partition_levels parts = {.levels = levels, .ranges = ranges};
    parts.target = levels->rows / 24 < KI_BLOCK_ROWS_MAX ? KI_BLOCK_ROWS_MAX : levels->rows / 24;
    uint32_t run = 0;   /* the first one of the level */
    uint32_t begin = 0; /* the first one that is in no range yet */
    for (uint32_t i = 0; i < levels->count; run = levels->list[i++].end) {
        if (levels->list[i].rows / 2 < parts.target) {
            continue;
        }
        if (begin < run) {
            partition_add(&parts, begin, levels->runs[begin].row, run, UINT32_MAX, parts.count);
        }
        begin = levels->list[i].end;
        partition_level(&parts, run, begin);
    }
    if (begin < run || parts.count == 0) {
        const uint32_t first = begin < run ? levels->runs[begin].row : 0;
        partition_add(&parts, begin, first, run, UINT32_MAX, parts.count);
    }
    return parts.count;
}

kith_result ki_scan_unshare(const ki_scan *scan, ki_component *component)
{
    const kith_query *query = scan->driver.query;
    ki_column_context *columns = &query->store->columns;
    if (component->layout != KITH_TABLE) {
        return ki_column_unshare(columns, component->layout == KITH_SPARSE
                                              ? &component->in.sparse.values
                                              : &component->in.slots.values);
    }
    for (uint32_t i = 0; i < query->matches.count; i++) {
        ki_column *column = ki_table_column(ki_query_match(query, i)->table, component->id);
        KI_TRY(column == NULL ? KITH_OK : ki_column_unshare(columns, column));
    }
    return KITH_OK;
}

uint32_t ki_scan_split(const ki_scan *scan, ki_range *ranges)
{
    if (scan->levels != NULL) {
        return partition_by_levels(scan->levels, ranges);
    }
    uint64_t all = partition_cost(scan);
    uint64_t left = all;
    uint64_t target = partition_target(all, left);
    bool tables = scan->driver.kind == KI_DRIVE_TABLES;
    const ki_ranks *matches = &scan->driver.query->matches;
    uint32_t match_end = tables ? matches->count : 1;
    uint32_t run = 0;
    uint32_t count = 0;
    ki_range range = {.match_end = 0};
    uint64_t cost = 0;
    for (uint32_t match = 0; match < match_end; match++) {
        uint32_t rows = tables ? partition_table(matches, match, &run)->rows.count : scan->end_row;
        for (uint32_t row = 0; row < rows;) {
            uint32_t end = partition_cut(row, cost < target ? target - cost : UINT32_MAX, rows);
            cost += end - row + (row == 0 ? PARTITION_TABLE_COST : 0);
            row = end;
            range.match_end = match + 1;
            range.end = end;
            if (cost >= target && count + 1 < KI_RANGES_MAX) {
                ranges[count++] = range;
                range = (ki_range){.match = row < rows ? match : match + 1,
                                   .first = row < rows ? row : 0};
                left -= cost;
                target = partition_target(all, left);
                cost = 0;
            }
        }
    }
    if (cost != 0 || count == 0) {
        ranges[count++] = range;
    }
    return count;
}

/* Enters the first table of a range. */
static void partition_enter(ki_scan *scan, const ki_range *range)
{
    ki_scan_cut(scan, range->match, range->match_end, range->end);
    if (range->first != 0) {
        scan->match = ki_scan_next_match(scan, scan->driver.query->term_count);
        scan->driver.table = scan->match->table;
        scan->row = range->first;
        scan->end_row = scan->driver.table->rows.count;
        if (scan->next_match == scan->run_end) {
            scan->end_row = ki_min_u32(scan->end_row, scan->last_end);
        }
        scan->filter.ask_rows = ki_query_asks_rows(scan->driver.query, scan->driver.table, false);
    }
}

kith_iter ki_cursor_iter(kith_cursor *cursor, struct kith_task *task, const ki_scan *scan,
                         const ki_range *range)
{
    const kith_query *query = cursor->query;
    if (range != NULL) {
        cursor->scan = *scan;
        if (scan->levels != NULL) {
            ki_scan_cut_levels(&cursor->scan, range->match, range->first, range->match_end,
                               range->end);
        } else if (scan->driver.kind == KI_DRIVE_TABLES) {
            partition_enter(&cursor->scan, range);
        } else {
            cursor->scan.row = range->first;
            cursor->scan.end_row = range->end;
        }
    }
    cursor->token.serial = ++cursor->last_serial;
    cursor->slot_row = KI_NO_ROW;
    cursor->lent = true;
    cursor->key = task;
    cursor->ended = false;
    cursor->entities = 0;
    cursor->offered = 0;
    cursor->kind = KI_BATCH_NONE;
    cursor->ready = KI_BATCH_NONE;
    return (kith_iter){.cursor = cursor,
                       .serial = cursor->token.serial,
                       .binds = cursor->binds,
                       .term_count = query->term_count,
                       .task = task,
                       .context = &query->store->context};
}
