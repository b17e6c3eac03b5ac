#include "query/scan.h"

#include "query/admission.h"
#include "query/lockstep.h"
#include "query/table_admission.h"

/* Keeps runs within blocks, which have changed or not as a whole. */
static void scan_ask_blocks(ki_scan *scan)
{
    const kith_query *query = scan->driver.query;
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (query->terms[i].changed && ki_driver_is_aligned(&scan->driver, i)) {
            uint32_t shift = ki_block_shift(query->terms[i].component->type->size);
            scan->block_shift = (uint8_t)ki_min_u32(scan->block_shift, shift);
            scan->ask_blocks = true;
        }
    }
}

void ki_scan_restart(ki_scan *scan)
{
    scan->plan = NULL;
    scan->driver.table = NULL;
    scan->next_match = scan->driver.query->first_match;
    scan->run_end = scan->driver.query->first_end;
    scan->last_end = UINT32_MAX;
    scan->match_end = UINT32_MAX;
    scan->next_run = 1;
    scan->match = NULL;
    scan->row = 0;
    scan->count = 0;
    scan->end_row = 0;
}

void ki_scan_start(ki_scan *scan, const kith_query *query, ki_candidates *candidates)
{
    ki_driver_pick(&scan->driver, query);
    ki_scan_restart(scan);
    scan->filter = (ki_filter){.row = KI_NO_ROW};
    scan->candidates = candidates;
    scan->levels = NULL;
    scan->block_shift = 32;
    scan->ask_blocks = false;
    if (query->looks) {
        scan_ask_blocks(scan);
    }
    if (scan->driver.kind == KI_DRIVE_TABLES) {
        return;
    }
    scan->end_row = scan->driver.kind == KI_DRIVE_SPARSE
                        ? ki_driver_component(&scan->driver)->in.sparse.rows.count
                        : query->store->entities.slots;
    ki_filter *filter = &scan->filter;
    filter->ask_rows = query->conditions != NULL;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (i == scan->driver.term) {
            filter->ask_rows |= term->changed && term->component->value_diff != NULL;
        } else if (term->role != KITH_MAY) {
            bool table = term->component->layout == KITH_TABLE;
            filter->ask_tables |= table;
            filter->ask_rows |= !table || term->changed;
        }
    }
}

void ki_scan_start_one(ki_scan *scan, const kith_query *query, kith_entity entity)
{
    *scan = (ki_scan){.driver = {.query = query, .kind = KI_DRIVE_ONE, .one = entity},
                      .filter = {.row = KI_NO_ROW}};
    scan->end_row = ki_query_has(query, entity) ? 1 : 0;
}

bool ki_scan_next_run(ki_scan *scan)
{
    const ki_ranks *matches = &scan->driver.query->matches;
    if (scan->next_run >= matches->run_count) {
        return false;
    }
    const ki_rank_run *run = matches->runs + scan->next_run;
    if (run->first >= scan->match_end) {
        return false;
    }
    uint32_t count = ki_min_u32(run->count, scan->match_end - run->first);
    scan->next_match = run->items;
    scan->run_end = run->items + (size_t)count * matches->item_size;
    scan->last_end = run->first + count == scan->match_end ? scan->scan_end : UINT32_MAX;
    scan->next_run++;
    return true;
}

/* Readies the filter for the table of the driver. */
static void scan_enter_table(ki_scan *scan)
{
    scan->filter.ask_rows = ki_query_asks_rows(scan->driver.query, scan->driver.table, false);
    scan->filter.row = KI_NO_ROW;
}

/* Moves on to the next run of levels. */
static bool scan_next_level_run(ki_scan *scan)
{
    if (scan->next_level_run >= scan->match_end) {
        return false;
    }
    const uint32_t number = scan->next_level_run++;
    const ki_level_run *run = &scan->levels->runs[number];
    if (number == scan->levels->list[scan->level].end) {
        scan->level++;
        scan->filter.row = KI_NO_ROW; /* what decides about entities may be other than before */
    }
    if (run->match != NULL && run->match->table != scan->driver.table) {
        scan->match = run->match;
        scan->driver.table = run->match->table;
        scan->storage_end = run->match->table->rows.count;
        scan_enter_table(scan);
    }
    scan->row = run->row;
    scan->count = 0;
    scan->end_row = run->row + run->count;
    if (scan->next_level_run == scan->match_end) {
        scan->end_row = ki_min_u32(scan->end_row, scan->scan_end);
    }
    return true;
}

void ki_scan_cut(ki_scan *scan, uint32_t match, uint32_t match_end, uint32_t scan_end)
{
    const ki_ranks *matches = &scan->driver.query->matches;
    scan->match_end = match_end;
    scan->scan_end = scan_end;
    scan->next_match = NULL;
    scan->run_end = NULL;
    scan->next_run = matches->run_count;
    if (match < match_end) {
        scan->next_run = ki_ranks_run(matches, match);
        ki_scan_next_run(scan);
        scan->next_match +=
            (size_t)(match - matches->runs[scan->next_run - 1].first) * matches->item_size;
    }
}

kith_result ki_scan_order(ki_scan *scan)
{
    KI_TRY(ki_levels_refresh(scan->driver.query, &scan->driver));
    scan->levels = scan->driver.query->levels;
    scan->storage_end = scan->end_row;
    scan->end_row = 0;
    scan->next_level_run = 0;
    scan->level = 0;
    scan->match_end = scan->levels->run_count;
    scan->scan_end = UINT32_MAX;
    return KITH_OK;
}

void ki_scan_cut_levels(ki_scan *scan, uint32_t run, uint32_t first, uint32_t run_end,
                        uint32_t scan_end)
{
    scan->next_level_run = run;
    scan->level = ki_level_of_run(scan->levels, run);
    scan->match_end = run_end;
    scan->scan_end = scan_end;
    if (run < run_end && scan_next_level_run(scan)) {
        scan->row = first;
    }
}

/* Moves on to the next table that has rows. */
static bool scan_next_table(ki_scan *scan)
{
    const kith_query *query = scan->driver.query;
    do {
        if (scan->candidates != NULL) {
            scan->driver.table = ki_candidates_next(query, scan->candidates);
        } else if (scan->next_match < scan->run_end || ki_scan_next_run(scan)) {
            scan->match = ki_scan_next_match(scan, query->term_count);
            scan->driver.table = scan->match->table;
        } else {
            scan->driver.table = NULL;
        }
        if (scan->driver.table == NULL) {
            scan->end_row = 0; /* also if it is asked again */
            return false;
        }
    } while (scan->driver.table->rows.count == 0);
    scan->row = 0;
    scan->count = 0;
    scan->end_row = scan->driver.table->rows.count;
    if (scan->candidates == NULL && scan->next_match == scan->run_end) {
        scan->end_row = ki_min_u32(scan->end_row, scan->last_end);
    }
    scan_enter_table(scan);
    return true;
}

/* Moves on to the next rows to scan: a table, or a run of levels. */
static bool scan_advance(ki_scan *scan)
{
    return scan->levels != NULL
               ? scan_next_level_run(scan)
               : scan->driver.kind == KI_DRIVE_TABLES && scan_next_table(scan);
}

/* Where the table or driving storage at hand ends. */
static uint32_t scan_storage_end(const ki_scan *scan)
{
    return scan->levels != NULL ? scan->storage_end : scan->end_row;
}

/* Finds out which of the 64 rows from `row` on match. */
static void scan_filter_word(ki_scan *scan, uint32_t row)
{
    scan->filter.row = row;
    scan->filter.bits = UINT64_MAX;
    if (scan->plan != NULL) {
        ki_plan_filter(scan->plan, &scan->progress, &scan->driver, row, &scan->filter.bits, 1);
        if (scan->filter.bits == 0) {
            return;
        }
    }
    ki_filter_rows(&scan->filter, &scan->driver, row, scan_storage_end(scan), &scan->filter.bits,
                   1);
}

/* Which rows match, from `row` on up to the next multiple of 64. */
static uint64_t scan_filtered(ki_scan *scan, uint32_t row)
{
    uint32_t group = row & ~63u;
    if (group != scan->filter.row) {
        scan_filter_word(scan, group);
    }
    return scan->filter.bits >> row % 64;
}

/* The first row from `row` on, below `limit`, that matches, or that does not if `matching` is false;
 * `limit` if there is none. */
static uint32_t scan_find(ki_scan *scan, uint32_t row, uint32_t limit, bool matching)
{
    while (row < limit) {
        uint64_t bits = scan_filtered(scan, row);
        bits = matching ? bits : ~bits & UINT64_MAX >> row % 64;
        if (bits != 0) {
            return ki_min_u32(row + ki_lowest_bit(bits), limit);
        }
        uint64_t next = ((uint64_t)row | 63) + 1;
        row = next < limit ? (uint32_t)next : limit;
    }
    return limit;
}

static const ki_slots *scan_slots(const ki_scan *scan)
{
    return &ki_driver_component(&scan->driver)->in.slots;
}

/* The first row from `row` on that could start a run; `end_row` if there is none. */
static uint32_t scan_skip(ki_scan *scan, uint32_t row)
{
    if (scan->plan != NULL && row < scan->end_row) {
        row = ki_plan_next(scan->plan, &scan->progress, &scan->driver, row, scan->end_row);
    }
    if (scan->driver.kind != KI_DRIVE_SLOTS) {
        return row;
    }
    return ki_slots_next(scan_slots(scan), row, scan->end_row);
}

/* Where the run that starts in `row` ends at the latest: at a block's end, at the end of the driving
 * storage, or at a slot without the component. */
static uint32_t scan_limit(const ki_scan *scan, uint32_t row)
{
    /* A run whose handles are compared lies within one block of them. */
    uint32_t shift = scan->filter.ask_rows || scan->filter.ask_tables
                         ? ki_min_u32(scan->block_shift, KI_SMALL_SHIFT)
                         : scan->block_shift;
    uint64_t block_end = (((uint64_t)row >> shift) + 1) << shift;
    uint32_t limit = block_end < scan->end_row ? (uint32_t)block_end : scan->end_row;
    if (scan->driver.kind == KI_DRIVE_SLOTS) {
        limit = ki_slots_run_end(scan_slots(scan), row, limit);
    }
    return limit;
}

/* Whether all rows of a run are found to match by comparing handles. If not, some may match still. */
static bool scan_run_matches(const ki_scan *scan, uint32_t row, uint32_t count)
{
    const kith_query *query = scan->driver.query;
    const ki_column *values;
    uint32_t first;
    if (query->conditions != NULL) {
        return false;
    }
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        bool known =
            term->role == KITH_MAY || (ki_driver_holds(&scan->driver, i) &&
                                       !(term->changed && term->component->value_diff != NULL));
        if (!known && (term->role != KITH_MUST || term->changed ||
                       ki_lockstep_count(&scan->driver, term->component, row, count, &values,
                                         &first) < count)) {
            return false;
        }
    }
    return true;
}

/* When the block of a slot was last written; 0 if there is no block, because another component
 * drives and no slot near this one has the component. */
static uint64_t scan_slots_stamp(const ki_slots *slots, uint32_t index)
{
    bool there = slots->values.size == 0 ? ki_column_has_page(&slots->bits, index / 64)
                                         : ki_column_has_page(&slots->values, index);
    return there ? ki_slots_stamp(slots, index) : 0;
}

/* Whether the blocks of `row` may have changed, for all aligned terms that must have changed. */
static bool scan_block_changed(const ki_scan *scan, uint32_t row)
{
    const kith_query *query = scan->driver.query;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (!term->changed || !ki_driver_is_aligned(&scan->driver, i)) {
            continue;
        }
        const ki_component *component = term->component;
        uint64_t stamp =
            scan->driver.kind == KI_DRIVE_TABLES
                ? ki_column_stamp(ki_table_column(scan->driver.table, component->id), row)
            : scan->driver.kind == KI_DRIVE_SPARSE
                ? ki_column_stamp(&component->in.sparse.values, row)
                : scan_slots_stamp(&component->in.slots, row);
        if (stamp <= query->looked) {
            return false;
        }
    }
    return true;
}

bool ki_scan_next(ki_scan *scan)
{
    for (;;) {
        uint32_t row = scan_skip(scan, scan->row + scan->count);
        while (row >= scan->end_row) {
            if (!scan_advance(scan)) {
                return false;
            }
            row = scan_skip(scan, scan->row);
        }
        uint32_t limit = scan_limit(scan, row);
        scan->row = row;
        scan->count = limit - row;
        if (scan->ask_blocks && !scan_block_changed(scan, row)) {
            continue;
        }
        bool asked = scan->filter.ask_rows || scan->filter.ask_tables;
        if (!asked && scan->driver.kind == KI_DRIVE_SLOTS) {
            scan->filter.row = limit & ~63u;
            scan->filter.bits = ki_slots_word(scan_slots(scan), limit / 64);
        }
        if (!asked ||
            ((row & ~63u) != scan->filter.row && scan_run_matches(scan, row, limit - row))) {
            return true;
        }
        scan->row = scan_find(scan, row, limit, true);
        scan->count = scan_find(scan, scan->row, limit, false) - scan->row;
        if (scan->count != 0) {
            return true;
        }
    }
}

/* Drops the rows in blocks that did not change. False: no block did. */
static bool scan_drop_unchanged(const ki_scan *scan, uint64_t *masks)
{
    uint32_t rows = 1u << ki_min_u32(scan->block_shift, KI_SMALL_SHIFT);
    bool changed = false;
    for (uint32_t i = 0; i < scan->count; i += rows) {
        if (scan_block_changed(scan, scan->row + i)) {
            changed = true;
        } else {
            ki_bits_clear(masks, i, rows);
        }
    }
    return changed;
}

/* Whether the next run of levels is of the same table and level. */
static bool scan_stays(const ki_scan *scan)
{
    const uint32_t next = scan->next_level_run;
    return next < scan->match_end && next != scan->levels->list[scan->level].end &&
           scan->levels->runs[next].match == scan->match;
}

/* Leaves in `masks` the rows of the chunk from row `chunk` on that are in the run at hand, from
 * `row` on, and in those after it, while these stay. The scan moves on to where that ends. Returns
 * the row after the last one. */
static uint32_t scan_mask_level(ki_scan *scan, uint32_t chunk, uint32_t row, uint64_t *masks)
{
    const uint32_t chunk_last = chunk + (KI_CHUNK_ROWS - 1);
    memset(masks, 0, KI_CHUNK_WORDS * sizeof *masks);
    for (;;) {
        const uint32_t end = scan->end_row <= chunk_last ? scan->end_row : chunk_last + 1;
        ki_bits_set(masks, row - chunk, end - row);
        if (end < scan->end_row || !scan_stays(scan) ||
            scan->levels->runs[scan->next_level_run].row > chunk_last) {
            return end;
        }
        scan_next_level_run(scan);
        row = scan->row;
    }
}

/* Drops the rows that do not match from `words` words of the chunk at hand, from number `word` on. Words
 * at the end that the plan leaves no rows in are not asked. */
static void scan_filter_words(ki_scan *scan, uint32_t word, uint32_t words, uint64_t *masks)
{
    const uint32_t row = scan->row + word * 64;
    masks += word;
    if (scan->plan != NULL) {
        ki_plan_filter(scan->plan, &scan->progress, &scan->driver, row, masks, words);
        while (words > 1 && masks[words - 1] == 0) {
            words--;
        }
    }
    ki_filter_rows(&scan->filter, &scan->driver, row, scan_storage_end(scan), masks, words);
}

/* The same as ki_scan_next_chunk where there are levels. */
static bool scan_next_level_chunk(ki_scan *scan, bool stay, uint64_t *masks)
{
    for (;;) {
        uint32_t row = scan_skip(scan, scan->row + scan->count);
        while (row >= scan->end_row) {
            if ((stay && !scan_stays(scan)) || !scan_next_level_run(scan)) {
                return false;
            }
            row = scan_skip(scan, scan->row);
        }
        const uint32_t chunk = row & ~(KI_CHUNK_ROWS - 1);
        const uint32_t end = scan_mask_level(scan, chunk, row, masks);
        scan->row = chunk;
        scan->count = end - chunk;
        if (scan->ask_blocks && !scan_drop_unchanged(scan, masks)) {
            continue;
        }
        /* Only the words that have rows are asked: a level may have few. */
        const uint32_t word = (row - chunk) / 64;
        scan_filter_words(scan, word, (end - 1 - chunk) / 64 - word + 1, masks);
        return true;
    }
}

bool ki_scan_next_chunk(ki_scan *scan, bool stay, uint64_t *masks)
{
    if (scan->levels != NULL) {
        return scan_next_level_chunk(scan, stay, masks);
    }
    for (;;) {
        uint32_t row = scan_skip(scan, scan->row + scan->count);
        while (row >= scan->end_row) {
            if (stay) {
                scan->row = scan->end_row;
                scan->count = 0;
                return false;
            }
            if (!scan_advance(scan)) {
                return false;
            }
            row = scan_skip(scan, scan->row);
        }
        scan->row = row & ~(KI_CHUNK_ROWS - 1);
        scan->count = ki_min_u32(KI_CHUNK_ROWS, scan->end_row - scan->row);
        const uint32_t word = (row - scan->row) / 64;
        memset(masks, 0xff, KI_CHUNK_WORDS * sizeof *masks);
        for (uint32_t i = 0; i < word; i++) {
            masks[i] = 0;
        }
        if (scan->ask_blocks && !scan_drop_unchanged(scan, masks)) {
            continue;
        }
        scan_filter_words(scan, word, KI_CHUNK_WORDS - word, masks);
        return true;
    }
}

/* The bits without the run that reaches the highest one: it may go on in the next word. */
static uint64_t scan_drop_last_run(uint64_t bits)
{
    uint32_t last = bits == UINT64_MAX ? 64 : KI_CLZ64(~bits);
    return last == 0 ? bits : bits << 1 << (last - 1) >> 1 >> (last - 1);
}

/* The bits of the filter, as far as the rows to scan go. */
static uint64_t scan_bits(const ki_scan *scan)
{
    uint32_t rows = scan->end_row - scan->filter.row;
    return scan->levels != NULL && rows < 64 ? scan->filter.bits & ((UINT64_C(1) << rows) - 1)
                                             : scan->filter.bits;
}

uint64_t ki_scan_step(ki_scan *scan)
{
    uint32_t group = scan->filter.row + 64;
    if (scan->filter.bits >> 63 != 0 || group >= scan->end_row ||
        group >> scan->block_shift != scan->row >> scan->block_shift) {
        return 0;
    }
    scan->count = group - scan->row;
    scan_filter_word(scan, group);
    return scan_drop_last_run(scan_bits(scan));
}

uint64_t ki_scan_pending(const ki_scan *scan)
{
    uint32_t row = scan->row + scan->count;
    if ((row & ~63u) != scan->filter.row ||
        row >> scan->block_shift != scan->row >> scan->block_shift) {
        return 0;
    }
    uint64_t pending = scan_drop_last_run(scan_bits(scan)) & UINT64_MAX << row % 64;
    uint32_t rows = (((row >> scan->block_shift) + 1) << scan->block_shift) - scan->filter.row;
    return rows < 64 ? pending & ((UINT64_C(1) << rows) - 1) : pending;
}
