/* kith_next: hands out the batches of an open query, one after another.
 *
 * The notes KI_NOINLINE and inline hold for bench small-tables, which costs 28% more without them. */
#include "query/binding.h"
#include "query/open_writes.h"
#include "query/pair_walk.h"
#include "query/row_batch.h"
#include "query/via_batch.h"

/* Ends the scan, and closes the query. */
static bool batch_finish(kith_iter *it)
{
    kith_cursor *cursor = it->cursor;
    cursor->ended = true;
    if (!cursor->lent) {
        ki_cursor_looked(cursor);
    }
    kith_iter_close(it);
    return false;
}

static bool batch_fail(kith_iter *it)
{
    it->cursor->failed = true;
    kith_iter_close(it);
    it->result = KITH_ERR_MEMORY;
    return false;
}

/* Rows that kith_next may hand out inline while the write clock is unchanged. */
static uint64_t batch_pending(const kith_cursor *cursor)
{
    uint64_t pending = cursor->indirect ? 0 : ki_scan_pending(&cursor->scan);
    bool shared = pending != 0 && cursor->query->store->columns.shared && ki_bind_is_shared(cursor);
    return shared ? 0 : pending;
}

/* Hands out a batch of `count` entities, which is bound. */
static bool batch_give(kith_iter *it, kith_cursor *cursor, uint32_t count)
{
    it->serial = ++cursor->token.serial;
    it->count = count;
    cursor->entities += count;
    return true;
}

/* Binds the terms to the rows from `row` on, and marks what is written; false if a block must be copied
 * first. */
static inline bool batch_bind(kith_cursor *cursor, uint32_t term_count, uint32_t row)
{
    uint64_t clock = *cursor->token.clock;
    ki_column *const *columns = cursor->scan.match->columns;
    kith_bind *bind = cursor->binds;
    for (uint32_t left = term_count; left != 0; left--, bind++, columns++) {
        const ki_column *column = *columns;
        if (column == NULL) {
            bind->base = NULL;
            ki_bind_clear(bind);
            continue;
        }
        ki_block *block = &column->blocks[row >> column->shift];
        if (block->stamp != clock && bind->stored_key.number[KITH_AT_KEY_ + 1] != KITH_NO_NUMBER_ &&
            !ki_block_mark(&cursor->query->store->columns, block)) {
            return false;
        }
        uint32_t offset = row & ((1u << column->shift) - 1);
        bind->base = block->data + (size_t)offset * column->size;
        bind->key = bind->stored_key;
    }
    return true;
}

/* Hands out the rows of the scan, after copying what is shared and written. */
static KI_NOINLINE bool batch_mark_and_give(kith_iter *it, kith_cursor *cursor)
{
    const ki_scan *scan = &cursor->scan;
    return ki_bind_rows(cursor, scan->match->columns, scan->row)
               ? batch_give(it, cursor, scan->count)
               : batch_fail(it);
}

/* Hands out the rows of the table from `row` on, up to the end of their block. */
static inline bool batch_of_block(kith_iter *it, kith_cursor *cursor, uint32_t row)
{
    ki_scan *scan = &cursor->scan;
    uint32_t room = (1u << scan->block_shift) - (row & ((1u << scan->block_shift) - 1));
    scan->row = row;
    scan->count = ki_min_u32(scan->end_row - row, room);
    return batch_bind(cursor, it->term_count, row) ? batch_give(it, cursor, scan->count)
                                                   : batch_mark_and_give(it, cursor);
}

/* Hands out the next block of the same table. */
static KI_NOINLINE bool batch_next_block(kith_iter *it, kith_cursor *cursor)
{
    return batch_of_block(it, cursor, cursor->scan.row + cursor->scan.count);
}

static KI_NOINLINE bool batch_next_run(kith_iter *it, kith_cursor *cursor);

/* The next batch of a query that only tables decide about. */
static inline bool batch_of_tables(kith_iter *it, kith_cursor *cursor)
{
    ki_scan *scan = &cursor->scan;
    if (scan->row + scan->count < scan->end_row) {
        return batch_next_block(it, cursor);
    }
    const ki_match *match;
    uint32_t rows;
    do {
        if (scan->next_match >= scan->run_end) {
            return batch_next_run(it, cursor);
        }
        match = ki_scan_next_match(scan, it->term_count);
        rows = match->table->rows.count;
    } while (rows == 0);
    scan->match = match;
    scan->driver.table = match->table;
    scan->end_row = scan->next_match < scan->run_end ? rows : ki_min_u32(rows, scan->last_end);
    return batch_of_block(it, cursor, 0);
}

/* Goes on with the next run of tables, or ends. */
static KI_NOINLINE bool batch_next_run(kith_iter *it, kith_cursor *cursor)
{
    return ki_scan_next_run(&cursor->scan) ? batch_of_tables(it, cursor) : batch_finish(it);
}

/* Brings the scan to where the iterator has come inline. True if it may go on inline: the next 64 rows
 * have runs in the same blocks, so the terms stay bound as they are. */
static bool batch_resume(kith_iter *it, kith_cursor *cursor)
{
    ki_scan *scan = &cursor->scan;
    uint64_t taken = cursor->offered & ~it->pending;
    if (taken != 0) {
        scan->count = it->from + ki_highest_bit(taken) + 1;
    }
    ki_cursor_tally(cursor, it->pending);
    if (it->pending != 0) {
        return false;
    }
    it->pending = cursor->offered = ki_scan_step(scan);
    it->from = scan->filter.row - scan->row;
    return it->pending != 0;
}

/* Moves the scan on: to what arrays left of a run of matching rows, or to the next run. False at the
 * end. */
static bool batch_move_on(kith_cursor *cursor)
{
    ki_scan *scan = &cursor->scan;
    uint32_t next = scan->row + scan->count;
    if (next < cursor->run_end) {
        scan->row = next;
        scan->count = cursor->run_end - next;
        return true;
    }
    if (!ki_scan_next(scan)) {
        return false;
    }
    if (cursor->lookups) {
        cursor->run_end = scan->row + scan->count;
        for (uint32_t i = 0; i < cursor->query->term_count; i++) {
            cursor->runs[i].end = 0;
        }
    }
    return true;
}

/* The next batch of any other query. */
static bool batch_of_run(kith_iter *it, kith_cursor *cursor)
{
    ki_scan *scan = &cursor->scan;
    if (cursor->offered != 0 && batch_resume(it, cursor)) {
        return kith_next_pending(it) || batch_of_run(it, cursor);
    }
    if (!batch_move_on(cursor)) {
        return batch_finish(it);
    }
    bool bound = scan->driver.kind == KI_DRIVE_TABLES && !cursor->indirect &&
                 batch_bind(cursor, it->term_count, scan->row);
    if (!bound && !ki_bind_run(cursor)) {
        return batch_fail(it);
    }
    it->first = 0;
    it->pending = 0;
    if (scan->filter.row != KI_NO_ROW) {
        it->from = scan->filter.row - scan->row;
        it->pending = cursor->offered = batch_pending(cursor);
        cursor->token.time = *cursor->token.clock;
    }
    return batch_give(it, cursor, scan->count);
}

/* The next batch of rows. */
static bool batch_of_rows(kith_iter *it, kith_cursor *cursor)
{
    uint32_t count;
    if (!ki_row_batch_next(cursor, &count)) {
        return batch_fail(it);
    }
    if (cursor->query->reads_vias) {
        ki_via_bind(cursor);
    }
    return count == 0 ? batch_finish(it) : batch_give(it, cursor, count);
}

/* Whether this iterator is the current one. */
static bool batch_is_current(const kith_iter *it, const kith_cursor *cursor)
{
    return !KI_CHECKED || cursor->token.serial == it->serial;
}

static const char *batch_call(bool rows)
{
    return rows ? "kith_next_rows" : "kith_next";
}

/* Reports what is wrong and returns false; or true, if this thread may, and only used another world
 * meanwhile. */
static KI_NOINLINE bool batch_allows(const kith_iter *it, bool rows)
{
    const char *call = batch_call(rows);
    if (KI_CHECKED && it == NULL) {
        ki_misuse(NULL, "%s: the iterator is NULL", call);
        return false;
    }
    const kith_cursor *cursor = it->cursor;
    if (KI_CHECKED && !batch_is_current(it, cursor)) {
        ki_misuse(&cursor->query->store->context,
                  "%s: %s was closed, or moved on through a copy of this iterator", call,
                  ki_query_label_of(cursor->query).text);
        return false;
    }
    return ki_cursor_allows(cursor, call);
}

static ki_batch_kind batch_kind(bool rows)
{
    return rows ? KI_BATCH_ROWS : KI_BATCH_ARRAYS;
}

/* Asks once more for the next batch. */
static bool batch_again(kith_iter *it, bool rows)
{
    return rows ? kith_next_rows(it) : kith_next_slow(it);
}

/* Begins an iteration, and hands out its first batch; or ends a batch that was looked at. */
static KI_NOINLINE bool batch_begin(kith_iter *it, kith_cursor *cursor, bool rows)
{
    if (cursor->ready != cursor->kind) {
        ki_open_writes_end(cursor);
        return batch_again(it, rows);
    }
    if (KI_CHECKED && cursor->kind != KI_BATCH_NONE) {
        ki_misuse(&cursor->query->store->context,
                  "%s: the iteration of %s was begun with %s; go on with that. The query is"
                  " closed",
                  batch_call(rows), ki_cursor_label_of(cursor).text, batch_call(!rows));
        kith_iter_close(it);
        it->result = KITH_ERR_MISUSE;
        return false;
    }
    if (!rows && ki_query_pairs(cursor->query) != NULL) {
        ki_misuse(&cursor->query->store->context,
                  "kith_next: rows of %s have several entities, as KITH_PAIR says, and are no"
                  " arrays; loop with kith_next_rows. The query is closed",
                  ki_cursor_label_of(cursor).text);
        kith_iter_close(it);
        it->result = KITH_ERR_MISUSE;
        return false;
    }
    it->rows = rows;
    cursor->run_end = 0;
    ki_bind_set_kind(cursor, batch_kind(rows));
    if (rows && !ki_row_batch_reserve(cursor)) {
        return batch_fail(it);
    }
    if (cursor->query->reads_vias) {
        if (!ki_via_room_reserve(cursor)) {
            return batch_fail(it);
        }
        cursor->scan.filter.via_values = cursor->via_values;
    }
    return batch_again(it, rows);
}

/* An iterator that is not open has no batch. That of a plain system never has one. */
static KI_NOINLINE bool batch_of_none(const kith_iter *it, bool rows)
{
    if (KI_CHECKED && it->plain && it->serial == 0) {
        const ki_inside *inside = kith_thread_.inside;
        ki_misuse(it->context,
                  "%s: the iterator of plain system \"%s\" has no query to loop over; open one that"
                  " the system declares in `queries` by kith_system_query, or any other by"
                  " kith_query_iter",
                  batch_call(rows), inside != NULL && inside->plain ? inside->name : "?");
    }
    return false;
}

/* Reports an iterator that may not move on; hands out the next batch of one that may after all. */
static KI_NOINLINE bool batch_of_other(kith_iter *it, bool rows)
{
    if (it != NULL && it->cursor == NULL) {
        return batch_of_none(it, rows);
    }
    return batch_allows(it, rows) && batch_again(it, rows);
}

static inline bool batch_next(kith_iter *it, bool rows)
{
    kith_cursor *cursor = it == NULL ? NULL : it->cursor;
    if (cursor == NULL || !batch_is_current(it, cursor) || !ki_cursor_is_mine(cursor)) {
        return batch_of_other(it, rows);
    }
    if (cursor->ready != batch_kind(rows)) {
        return batch_begin(it, cursor, rows);
    }
    if (rows) {
        return batch_of_rows(it, cursor);
    }
    return cursor->plain ? batch_of_tables(it, cursor) : batch_of_run(it, cursor);
}

bool kith_next_slow(kith_iter *it)
{
    return batch_next(it, false);
}

bool kith_next_rows(kith_iter *it)
{
    return batch_next(it, true);
}
