/* Walks the entities that a query matches, storage by storage, in runs. */
#include "query/query.h"

static KI_NOINLINE void walk_set_driver(ki_walk *walk, uint32_t term)
{
    const ki_component *component = walk->query->terms[term].component;
    walk->driving_term = term;
    walk->driver = component->layout == KITH_TABLE    ? KI_DRIVE_TABLES
                   : component->layout == KITH_SPARSE ? KI_DRIVE_SPARSE
                                                      : KI_DRIVE_SLOTS;
}

/* The smallest required storage drives; the first term of those that are equal. All required tables
 * count as one storage, in the place of their first term. */
static void walk_pick_driver(ki_walk *walk)
{
    const kith_query *query = walk->query;
    walk->driver = KI_DRIVE_TABLES;
    walk->driving_term = KI_NO_TERM;
    if (query->tables_only) {
        return;
    }
    if (query->pinned != KI_NO_TERM) {
        walk_set_driver(walk, query->pinned);
        return;
    }
    uint32_t smallest = UINT32_MAX;
    uint32_t first_table = KI_NO_TERM;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->role != KITH_MUST) {
            continue;
        }
        if (term->component->layout == KITH_TABLE) {
            first_table = first_table == KI_NO_TERM ? i : first_table;
            continue;
        }
        uint32_t count = ki_store_count(query->store, term->component);
        if (walk->driving_term == KI_NO_TERM || count < smallest) {
            smallest = count;
            walk_set_driver(walk, i);
        }
    }
    if (first_table == KI_NO_TERM || walk->driving_term == KI_NO_TERM) {
        return;
    }
    uint32_t rows = ki_query_table_rows(query, smallest == UINT32_MAX ? smallest : smallest + 1);
    if (rows < smallest || (rows == smallest && first_table < walk->driving_term)) {
        walk_set_driver(walk, first_table);
    }
}

bool ki_walk_is_alike(const ki_walk *walk, uint32_t term)
{
    const ki_term *asked = &walk->query->terms[term];
    return ki_walk_is_driving(walk, term) ||
           (walk->driver == KI_DRIVE_SLOTS && asked->role == KITH_MUST &&
            asked->component->layout == KITH_SLOT);
}

/* Runs must not straddle blocks that may have changed, or not. */
static KI_NOINLINE void walk_mind_changes(ki_walk *walk)
{
    const kith_query *query = walk->query;
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (query->terms[i].changed && ki_walk_is_alike(walk, i)) {
            uint32_t shift = ki_block_shift(query->terms[i].component->type->size);
            walk->block_shift = (uint8_t)ki_min_u32(walk->block_shift, shift);
            walk->ask_blocks = true;
        }
    }
}

/* Field by field, and so below: the compiler would zero the whole by a string instruction, which takes
 * longer than all the rest. */
void ki_walk_restart(ki_walk *walk)
{
    walk->next = walk->query->first_match;
    walk->end = walk->query->first_end;
    walk->last_end = UINT32_MAX;
    walk->match_end = UINT32_MAX;
    walk->next_run = 1;
    walk->at = NULL;
    walk->table = NULL;
    walk->row = 0;
    walk->count = 0;
    walk->end_row = 0;
}

static void walk_reset(ki_walk *walk, const kith_query *query, ki_search *search)
{
    walk->query = query;
    walk->search = search;
    ki_walk_restart(walk);
    walk->block_shift = 32;
    walk->ask_tables = false;
    walk->ask_rows = false;
    walk->ask_blocks = false;
    walk->filtered_row = KI_NO_ROW;
    walk->filtered = 0;
    walk->judged = NULL;
    walk->admitted = false;
    walk->one = KITH_NONE;
}

void ki_walk_start(ki_walk *walk, const kith_query *query, ki_search *search)
{
    walk_reset(walk, query, search);
    walk_pick_driver(walk);
    if (query->looks) {
        walk_mind_changes(walk);
    }
    if (walk->driver == KI_DRIVE_TABLES) {
        return;
    }
    const ki_component *driving = query->terms[walk->driving_term].component;
    walk->end_row = walk->driver == KI_DRIVE_SPARSE ? driving->in.sparse.rows.count
                                                    : query->store->entities.slots;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (i == walk->driving_term) {
            walk->ask_rows = walk->ask_rows || (term->changed && term->component->exact != NULL);
            continue;
        }
        if (term->role == KITH_MAY) {
            continue;
        }
        walk->ask_tables = walk->ask_tables || term->component->layout == KITH_TABLE;
        walk->ask_rows = walk->ask_rows || term->component->layout != KITH_TABLE || term->changed;
    }
}

void ki_walk_start_one(ki_walk *walk, const kith_query *query, kith_entity entity)
{
    *walk =
        (ki_walk){.query = query, .driver = KI_DRIVE_ONE, .one = entity, .filtered_row = KI_NO_ROW};
    walk->end_row = ki_query_has(query, entity) ? 1 : 0;
}

bool ki_query_has(const kith_query *query, kith_entity entity)
{
    const ki_record *record = ki_record_of(&query->store->entities, entity);
    if (record == NULL) {
        return false;
    }
    const ki_table *table = query->store->tables[record->table];
    return ki_query_admits(query, table) &&
           (!query->by_row || ki_query_row_passes(query, table, entity.index1 - 1));
}

const kith_entity *ki_walk_entities(const ki_walk *walk, uint32_t row)
{
    switch (walk->driver) {
    case KI_DRIVE_TABLES: return ki_column_at(&walk->table->rows.entities, row);
    case KI_DRIVE_SPARSE: {
        const ki_component *driving = walk->query->terms[walk->driving_term].component;
        return ki_column_at(&driving->in.sparse.rows.entities, row);
    }
    case KI_DRIVE_SLOTS: return NULL;
    case KI_DRIVE_ONE: break;
    }
    return &walk->one;
}

kith_entity ki_walk_entity(const ki_walk *walk, uint32_t row)
{
    const kith_entity *entities = ki_walk_entities(walk, row);
    return entities != NULL ? *entities : ki_entity_at(&walk->query->store->entities, row);
}

bool ki_walk_next_run(ki_walk *walk)
{
    const ki_ranks *matches = &walk->query->matches;
    if (walk->next_run >= matches->run_count) {
        return false;
    }
    const ki_rank_run *run = matches->runs + walk->next_run;
    if (run->first >= walk->match_end) {
        return false;
    }
    uint32_t count = ki_min_u32(run->count, walk->match_end - run->first);
    walk->next = run->items;
    walk->end = run->items + (size_t)count * matches->item_size;
    walk->last_end = run->first + count == walk->match_end ? walk->walk_end : UINT32_MAX;
    walk->next_run++;
    return true;
}

void ki_walk_cut(ki_walk *walk, uint32_t match, uint32_t match_end, uint32_t walk_end)
{
    const ki_ranks *matches = &walk->query->matches;
    walk->match_end = match_end;
    walk->walk_end = walk_end;
    walk->next = NULL;
    walk->end = NULL;
    walk->next_run = matches->run_count;
    if (match < match_end) {
        walk->next_run = ki_ranks_run(matches, match);
        ki_walk_next_run(walk);
        walk->next +=
            (size_t)(match - matches->runs[walk->next_run - 1].first) * matches->item_size;
    }
}

/* Moves on to the next table that has rows. */
static bool walk_next_table(ki_walk *walk)
{
    const kith_query *query = walk->query;
    do {
        if (walk->search != NULL) {
            walk->table = ki_search_next(query, walk->search);
        } else if (walk->next < walk->end || ki_walk_next_run(walk)) {
            walk->at = ki_walk_next_match(walk, query->term_count);
            walk->table = walk->at->table;
        } else {
            walk->table = NULL;
        }
        if (walk->table == NULL) {
            return false;
        }
    } while (walk->table->rows.count == 0);
    walk->row = 0;
    walk->count = 0;
    walk->end_row = walk->table->rows.count;
    if (walk->search == NULL && walk->next == walk->end) {
        walk->end_row = ki_min_u32(walk->end_row, walk->last_end);
    }
    walk->ask_rows = ki_query_asks_rows(query, walk->table, false);
    walk->filtered_row = KI_NO_ROW;
    return true;
}

/* Which of the 64 rows that `row` is among match, from it on. */
static uint64_t walk_filtered(ki_walk *walk, uint32_t row)
{
    uint32_t group = row & ~63u;
    if (group != walk->filtered_row) {
        walk->filtered_row = group;
        walk->filtered = ki_walk_filter(walk, group);
    }
    return walk->filtered >> row % 64;
}

/* The first row from `row` on, below `limit`, that matches, or with `not` does not; `limit` if there is
 * none. */
static uint32_t walk_search(ki_walk *walk, uint32_t row, uint32_t limit, bool not )
{
    while (row < limit) {
        uint64_t bits = walk_filtered(walk, row);
        bits = not ? ~bits & UINT64_MAX >> row % 64 : bits;
        if (bits != 0) {
            return ki_min_u32(row + ki_lowest_bit(bits), limit);
        }
        uint64_t next = ((uint64_t)row | 63) + 1;
        row = next < limit ? (uint32_t)next : limit;
    }
    return limit;
}

static const ki_slots *walk_slots(const ki_walk *walk)
{
    return &walk->query->terms[walk->driving_term].component->in.slots;
}

/* The first row from `row` on that could start a run; `end_row` if there is none. */
static uint32_t walk_skip(const ki_walk *walk, uint32_t row)
{
    if (walk->driver != KI_DRIVE_SLOTS) {
        return row;
    }
    return ki_slots_next(walk_slots(walk), row, walk->end_row);
}

/* Where the run that starts in `row` ends at the latest, by the blocks and by the driving storage
 * alone. */
static uint32_t walk_limit(const ki_walk *walk, uint32_t row)
{
    /* Where handles are compared, a run lies within one block of them. */
    uint32_t shift = walk->ask_rows || walk->ask_tables
                         ? ki_min_u32(walk->block_shift, KI_SMALL_SHIFT)
                         : walk->block_shift;
    uint64_t block_end = (((uint64_t)row >> shift) + 1) << shift;
    uint32_t limit = block_end < walk->end_row ? (uint32_t)block_end : walk->end_row;
    if (walk->driver == KI_DRIVE_SLOTS) {
        limit = ki_slots_run_end(walk_slots(walk), row, limit);
    }
    return limit;
}

/* Whether all of a run match, as far as that can be told at once. */
static KI_NOINLINE bool walk_run_matches(const ki_walk *walk, uint32_t row, uint32_t count)
{
    const kith_query *query = walk->query;
    const ki_column *values;
    uint32_t first;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        bool known = term->role == KITH_MAY || (ki_walk_is_driving(walk, i) &&
                                                !(term->changed && term->component->exact != NULL));
        if (!known &&
            (term->role != KITH_MUST || term->changed ||
             ki_walk_follow(walk, term->component, row, count, &values, &first) < count)) {
            return false;
        }
    }
    return true;
}

/* When the block of a slot was last written; 0 if there is none, and no slot beside it has the
 * component: another one drives. */
static uint64_t walk_slots_stamp(const ki_slots *slots, uint32_t index)
{
    bool there = slots->values.size == 0 ? ki_column_has_page(&slots->bits, index / 64)
                                         : ki_column_has_page(&slots->values, index);
    return there ? ki_slots_stamp(slots, index) : 0;
}

/* Whether the blocks that `row` stands in may all have changed, of the driving terms that must
 * have. */
static KI_NOINLINE bool walk_block_changed(const ki_walk *walk, uint32_t row)
{
    const kith_query *query = walk->query;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (!term->changed || !ki_walk_is_alike(walk, i)) {
            continue;
        }
        const ki_component *component = term->component;
        uint64_t stamp = walk->driver == KI_DRIVE_TABLES
                             ? ki_column_stamp(ki_table_column(walk->table, component->id), row)
                         : walk->driver == KI_DRIVE_SPARSE
                             ? ki_column_stamp(&component->in.sparse.values, row)
                             : walk_slots_stamp(&component->in.slots, row);
        if (stamp <= query->looked) {
            return false;
        }
    }
    return true;
}

bool ki_walk_next(ki_walk *walk)
{
    for (;;) {
        uint32_t row = walk_skip(walk, walk->row + walk->count);
        while (row >= walk->end_row) {
            if (walk->driver != KI_DRIVE_TABLES || !walk_next_table(walk)) {
                return false;
            }
            row = 0;
        }
        uint32_t limit = walk_limit(walk, row);
        walk->row = row;
        walk->count = limit - row;
        if (walk->ask_blocks && !walk_block_changed(walk, row)) {
            continue;
        }
        bool asked = walk->ask_rows || walk->ask_tables;
        if (!asked && walk->driver == KI_DRIVE_SLOTS) {
            walk->filtered_row = limit & ~63u;
            walk->filtered = ki_slots_word(walk_slots(walk), limit / 64);
        }
        if (!asked ||
            ((row & ~63u) != walk->filtered_row && walk_run_matches(walk, row, limit - row))) {
            return true;
        }
        walk->row = walk_search(walk, row, limit, false);
        walk->count = walk_search(walk, walk->row, limit, true) - walk->row;
        if (walk->count != 0) {
            return true;
        }
    }
}

/* Without the run that reaches the highest bit. */
static uint64_t walk_drop_last_run(uint64_t bits)
{
    uint32_t last = bits == UINT64_MAX ? 64 : KI_CLZ64(~bits);
    return last == 0 ? bits : bits << 1 << (last - 1) >> 1 >> (last - 1);
}

uint64_t ki_walk_step(ki_walk *walk)
{
    uint32_t group = walk->filtered_row + 64;
    if (walk->filtered >> 63 != 0 || group >= walk->end_row ||
        group >> walk->block_shift != walk->row >> walk->block_shift) {
        return 0;
    }
    walk->count = group - walk->row;
    walk->filtered_row = group;
    walk->filtered = ki_walk_filter(walk, group);
    return walk_drop_last_run(walk->filtered);
}

uint64_t ki_walk_rest(const ki_walk *walk)
{
    uint32_t row = walk->row + walk->count;
    if ((row & ~63u) != walk->filtered_row ||
        row >> walk->block_shift != walk->row >> walk->block_shift) {
        return 0;
    }
    uint64_t rest = walk_drop_last_run(walk->filtered) & UINT64_MAX << row % 64;
    uint32_t rows = (((row >> walk->block_shift) + 1) << walk->block_shift) - walk->filtered_row;
    return rows < 64 ? rest & ((UINT64_C(1) << rows) - 1) : rest;
}
