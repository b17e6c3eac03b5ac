/* Hands out the batches of an open query, one after the other. */
#include "query/query.h"

/* The end of the walk, which closes the query. */
KI_NOINLINE static bool next_finish(kith_iter *it)
{
    kith_cursor *cursor = it->cursor;
    cursor->ended = true;
    if (!cursor->lent) {
        ki_cursor_looked(cursor);
    }
    kith_iter_end(it);
    return false;
}

KI_NOINLINE static bool next_fail(kith_iter *it)
{
    kith_iter_end(it);
    it->result = KITH_ERR_MEMORY;
    return false;
}

/* What kith_next may take by itself: nothing of it can move unless the clock does first. */
static uint64_t next_rest(const kith_cursor *cursor)
{
    uint64_t rest = cursor->looks_up ? 0 : ki_walk_rest(&cursor->walk);
    bool shared = rest != 0 && cursor->query->store->space.shared && ki_bind_is_shared(cursor);
    return shared ? 0 : rest;
}

/* A batch of `count` entities is bound. */
KI_INLINE bool next_give(kith_iter *it, kith_cursor *cursor, uint32_t count)
{
    it->serial = ++cursor->pace.serial;
    it->count = count;
    cursor->batches++;
    cursor->entities += count;
    return true;
}

/* Binds the terms to the rows from `row` on; false if that takes more: a block to be touched. */
KI_INLINE bool next_bind(kith_cursor *cursor, uint32_t term_count, uint32_t row)
{
    uint64_t now = *cursor->pace.clock;
    ki_column *const *columns = cursor->walk.at->columns;
    kith_bind *bind = cursor->binds;
    for (kith_bind *end = bind + term_count; bind < end; bind++, columns++) {
        const ki_column *column = *columns;
        if (column == NULL) {
            bind->base = NULL;
            ki_bind_refuse(bind);
            continue;
        }
        const ki_block *block = &column->blocks[row >> column->shift];
        if (KI_UNLIKELY(block->stamp != now) && bind->kept.at[1] != KITH_NO_NUMBER_) {
            return false;
        }
        uint32_t offset = row & ((1u << column->shift) - 1);
        bind->base = block->data + (size_t)offset * column->size;
        bind->grant = bind->kept;
    }
    return true;
}

KI_NOINLINE static bool next_touched(kith_iter *it, kith_cursor *cursor)
{
    const ki_walk *walk = &cursor->walk;
    return ki_bind_rows(cursor, walk->at->columns, walk->row) ? next_give(it, cursor, walk->count)
                                                              : next_fail(it);
}

/* Hands out the rows of the table from `row` on, as far as they stand in one block. */
KI_INLINE bool next_block(kith_iter *it, kith_cursor *cursor, uint32_t row)
{
    ki_walk *walk = &cursor->walk;
    uint32_t room = (1u << walk->block_shift) - (row & ((1u << walk->block_shift) - 1));
    walk->row = row;
    walk->count = ki_min_u32(walk->end_row - row, room);
    return KI_LIKELY(next_bind(cursor, it->term_count, row)) ? next_give(it, cursor, walk->count)
                                                             : next_touched(it, cursor);
}

KI_NOINLINE static bool next_in_table(kith_iter *it, kith_cursor *cursor)
{
    return next_block(it, cursor, cursor->walk.row + cursor->walk.count);
}

/* The next batch, where a run of matches has ended. */
KI_NOINLINE static bool next_enter_run(kith_iter *it, kith_cursor *cursor)
{
    return ki_walk_next_run(&cursor->walk) ? kith_next_slow(it) : next_finish(it);
}

/* The next batch of a query of which nothing but tables has a say. */
KI_INLINE bool next_rows(kith_iter *it, kith_cursor *cursor)
{
    ki_walk *walk = &cursor->walk;
    if (walk->row + walk->count < walk->end_row) {
        return next_in_table(it, cursor);
    }
    const ki_match *at;
    uint32_t rows;
    do {
        if (walk->next >= walk->end) {
            return next_enter_run(it, cursor);
        }
        at = ki_walk_next_match(walk, it->term_count);
        rows = at->table->rows.count;
    } while (rows == 0);
    walk->at = at;
    walk->table = at->table;
    walk->end_row = walk->next < walk->end ? rows : ki_min_u32(rows, walk->last_end);
    return next_block(it, cursor, 0);
}

/* The walk comes to where kith_next has come to by itself. True if it may go on so: what it has taken is
 * followed by whole runs, which need not be bound anew unless the clock has moved; it sees to that. */
KI_INLINE bool next_resume(kith_iter *it, kith_cursor *cursor)
{
    ki_walk *walk = &cursor->walk;
    uint64_t taken = cursor->given & ~it->rest;
    if (taken != 0) {
        walk->count = it->from + ki_highest_bit(taken) + 1;
    }
    ki_cursor_tally(cursor, it->rest);
    if (it->rest != 0) {
        return false;
    }
    it->rest = cursor->given = ki_walk_step(walk);
    it->from = walk->filtered_row - walk->row;
    return it->rest != 0;
}

/* The next batch of any other. */
KI_NOINLINE static bool next_run(kith_iter *it, kith_cursor *cursor)
{
    ki_walk *walk = &cursor->walk;
    if (cursor->given != 0 && next_resume(it, cursor)) {
        return kith_next(it);
    }
    if (!ki_walk_next(walk)) {
        return next_finish(it);
    }
    bool bound = walk->driver == KI_DRIVE_TABLES && !cursor->looks_up &&
                 next_bind(cursor, it->term_count, walk->row);
    if (!bound && !ki_bind_run(cursor)) {
        return next_fail(it);
    }
    it->first = 0;
    it->rest = 0;
    if (walk->filtered_row != KI_NO_ROW) {
        it->from = walk->filtered_row - walk->row;
        it->rest = cursor->given = next_rest(cursor);
        cursor->pace.time = *cursor->pace.clock;
    }
    return next_give(it, cursor, walk->count);
}

/* Whether this is the iterator that may move on. */
KI_INLINE bool next_is_current(const kith_iter *it, const kith_cursor *cursor)
{
    return !KI_CHECKED || cursor->pace.serial == it->serial;
}

/* Finds out what is not as usual: maybe this thread just did something else meanwhile. Apart, so that
 * the usual case needs no frame. */
static bool next_unusual(kith_iter *it)
{
    KITH_REQUIRE(NULL, it != NULL, false, "kith_next: the iterator is NULL");
    const kith_cursor *cursor = it->cursor;
    KITH_REQUIRE(&cursor->query->store->context, next_is_current(it, cursor), false,
                 "kith_next: the query \"%s\" was closed, or moved on through a copy of this"
                 " iterator",
                 ki_query_name(cursor->query));
    KI_REQUIRE_CURSOR(cursor, "kith_next", false);
    return kith_next_slow(it);
}

bool kith_next_slow(kith_iter *it)
{
    if (KI_CHECKED && KI_UNLIKELY(it == NULL)) {
        return next_unusual(it);
    }
    kith_cursor *cursor = it->cursor;
    if (cursor == NULL) {
        return false;
    }
    if (KI_UNLIKELY(!next_is_current(it, cursor) || !ki_cursor_is_mine(cursor))) {
        return next_unusual(it);
    }
    return KI_LIKELY(cursor->plain) ? next_rows(it, cursor) : next_run(it, cursor);
}
