/* The bare prototype: walking over what matches. A batch is a run of one block whose values stand in a
 * row in the storage that is walked. */
#include <stdlib.h>

#include "bare_store.h"

bare_query *bare_query_new(bare_world *world, const bare_term *terms, uint32_t count,
                           const bare_type *without)
{
    bare_query *query = calloc(1, sizeof *query);
    if (query == NULL || count == 0 || count > BARE_TERMS) {
        free(query);
        return NULL;
    }
    query->world = world;
    query->pace.clock = &world->now;
    query->term_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const bare_component *component = bare_known(world, terms[i].type);
        if (component == NULL || (i > 0 && component->layout != query->layout)) {
            bare_misuse("bare_query_new", "a type that is not known, or of another layout");
            free(query);
            return NULL;
        }
        query->layout = component->layout;
        query->terms[i] = terms[i];
        query->types |= UINT32_C(1) << terms[i].type->id;
    }
    bare_component *filter = without == NULL ? NULL : bare_known(world, without);
    query->without = filter == NULL ? NULL : &filter->in.slots;
    query->next = world->queries;
    world->queries = query;
    return query;
}

/* Tables that came since the query was used last. */
static kith_result find_tables(bare_query *query)
{
    const bare_world *world = query->world;
    bare_table **tables = realloc(query->tables, world->table_count * sizeof *tables);
    if (tables == NULL) {
        return KITH_ERR_MEMORY;
    }
    query->tables = tables;
    for (; query->seen < world->table_count; query->seen++) {
        bare_table *table = world->tables[query->seen];
        if ((table->types & query->types) == query->types) {
            query->tables[query->table_count++] = table;
        }
    }
    return KITH_OK;
}

void bare_iter_open(bare_query *query, bare_iter *it)
{
    it->count = 0;
    it->first = 0;
    it->rest = 0;
    it->result = KITH_OK;
    it->query = query;
    it->pace = &query->pace;
    it->serial = ++query->pace.serial;
    memset(it->binds, 0, sizeof it->binds);
    for (uint32_t i = 0; i < query->term_count; i++) {
        const bare_term *term = &query->terms[i];
        it->binds[i] = (bare_bind){NULL, term->type, term->write ? term->type : NULL};
    }
    it->table = 0;
    it->row = 0;
    it->rows = 0;
    it->kept_end = 0;
    if (query->layout == KITH_TABLE) {
        it->table = UINT32_MAX;
        if (query->seen < query->world->table_count) {
            it->result = find_tables(query);
            if (it->result != KITH_OK) {
                it->query = NULL;
                return;
            }
        }
    }
    query->world->open++;
    query->world->may_change = NULL;
}

/* The walk is at its end, or was left. */
static bool close_walk(bare_iter *it)
{
    bare_world *world = it->query->world;
    if (--world->open == 0) {
        world->may_change = world->owner;
    }
    it->pace->serial++;
    it->query = NULL;
    it->count = 0;
    return false;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void bind_table(bare_iter *it, const bare_query *query, bare_table *table, uint32_t row,
                       uint32_t count)
{
    it->entities = bare_array_at(&table->entities, row);
    it->count = count;
    for (uint32_t i = 0; i < query->term_count; i++) {
        bare_array *column = &table->columns[table->column_of[query->terms[i].type->id]];
        it->binds[i].base = bare_array_at(column, row);
        if (query->terms[i].write) {
            bare_stamp(query->world, column, row);
        }
    }
}

/* The next table with rows; NULL: there is none. */
static bare_table *next_table(bare_iter *it, const bare_query *query)
{
    while (++it->table < query->table_count) {
        bare_table *table = query->tables[it->table];
        if (table->count != 0) {
            it->row = 0;
            it->rows = table->count;
            it->kept_end = 0;
            return table;
        }
    }
    return NULL;
}

static inline uint64_t handle_word(kith_entity entity)
{
    uint64_t word;
    memcpy(&word, &entity, sizeof word);
    return word;
}

/* Whether these 64 stand in order of slots, so that their bits do. Handles are compared whole, so that
 * nothing has to be taken apart; a carry out of the slot only reaches what does not count. */
static bool in_order(const kith_entity *entities)
{
    uint64_t difference = 0;
    uint64_t expected = handle_word(entities[0]);
    const uint64_t step = handle_word((kith_entity){1, 0});
    for (uint32_t i = 0; i < 64; i++) {
        difference |= handle_word(entities[i]) ^ expected;
        expected += step;
    }
    return (difference & handle_word((kith_entity){UINT32_MAX, 0})) == 0;
}

static uint64_t kept_of(const bare_slots *without, const kith_entity *entities, uint32_t count)
{
    if (count == 64 && in_order(entities)) {
        uint32_t index = entities[0].index1 - 1;
        uint64_t bits = bare_slots_word(without, index / 64) >> index % 64;
        if (index % 64 != 0) {
            bits |= bare_slots_word(without, index / 64 + 1) << (64 - index % 64);
        }
        return ~bits;
    }
    uint64_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        kept |= (uint64_t)!bare_slots_has(without, entities[i].index1 - 1) << i;
    }
    return kept;
}

/* Finds out which rows of the block of `row` are to be visited. */
static void keep_block(bare_iter *it, const bare_query *query, const bare_table *table)
{
    uint32_t end = it->row + BARE_ROWS < it->rows ? it->row + BARE_ROWS : it->rows;
    const kith_entity *entities = bare_array_at(&table->entities, it->row);
    for (uint32_t row = it->row; row < end; row += 64) {
        uint32_t count = end - row < 64 ? end - row : 64;
        it->kept[row % BARE_ROWS / 64] = kept_of(query->without, entities + (row - it->row), count);
    }
    it->kept_end = end;
}

/* The next run of kept rows in the block, from it->row on; 0: none is left. */
static uint32_t next_run(bare_iter *it)
{
    uint32_t row = it->row;
    uint32_t end = it->kept_end;
    while (row < end) {
        uint64_t word = it->kept[row % BARE_ROWS / 64] >> row % 64;
        if (word != 0) {
            row += (uint32_t)__builtin_ctzll(word);
            break;
        }
        row = (row | 63) + 1;
    }
    it->row = row < end ? row : end;
    uint32_t stop = it->row;
    while (stop < end) {
        uint64_t word = ~it->kept[stop % BARE_ROWS / 64] >> stop % 64;
        if (word != 0) {
            stop += (uint32_t)__builtin_ctzll(word);
            break;
        }
        stop = (stop | 63) + 1;
    }
    return (stop < end ? stop : end) - it->row;
}

/* Leaves it to bare_next to hand out what else is in the 64 rows that the run began in; but not the
 * last run, if that may go on behind them. */
static void leave_rest(bare_iter *it, uint32_t first)
{
    uint64_t word = it->kept[first % BARE_ROWS / 64];
    uint64_t rest = word >> first % 64;
    if (word >> 63 != 0) {
        uint32_t last = ~word == 0 ? 64 : (uint32_t)__builtin_clzll(~word);
        rest = last > 63 - first % 64 ? 0 : (word << last >> last) >> first % 64;
    }
    it->rest = rest & (rest + 1);
    if (it->rest != 0) {
        it->row = first + 64 - (uint32_t)__builtin_clzll(it->rest);
    }
}

static bool next_kept(bare_iter *it, const bare_query *query)
{
    bare_table *table = it->table < query->table_count ? query->tables[it->table] : NULL;
    while (true) {
        if (it->row < it->kept_end) {
            uint32_t count = next_run(it);
            if (count != 0) {
                uint32_t first = it->row;
                bind_table(it, query, table, first, count);
                it->row = first + count;
                leave_rest(it, first);
                return true;
            }
        } else if (it->row < it->rows) {
            keep_block(it, query, table);
        } else {
            table = next_table(it, query);
            if (table == NULL) {
                return close_walk(it);
            }
        }
    }
}

static bool next_in_tables(bare_iter *it, const bare_query *query)
{
    if (query->without != NULL) {
        return next_kept(it, query);
    }
    bare_table *table;
    if (it->row < it->rows) {
        table = query->tables[it->table];
    } else {
        table = next_table(it, query);
        if (table == NULL) {
            return close_walk(it);
        }
    }
    uint32_t count = it->rows - it->row < BARE_ROWS ? it->rows - it->row : BARE_ROWS;
    bind_table(it, query, table, it->row, count);
    it->row += count;
    return true;
}

/* ---- Sparse sets ----------------------------------------------------------------------------- */

static bare_sparse *sparse_of(const bare_query *query, uint32_t term)
{
    return &query->world->components[query->terms[term].type->id].in.sparse;
}

/* Where another set's values of a run begin, if they stand in the same order there. */
static void *follow(bare_sparse *set, const kith_entity *run, uint32_t count)
{
    uint32_t row1 = bare_sparse_row1(set, run[0].index1 - 1);
    uint32_t row = row1 - 1;
    if (row1 == 0 || count > set->count - row || count > BARE_ROWS - row % BARE_ROWS ||
        memcmp(bare_array_at(&set->entities, row), run, count * sizeof *run) != 0) {
        return NULL;
    }
    return bare_array_at(&set->values, row);
}

static bool has_all(const bare_query *query, kith_entity entity)
{
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (bare_sparse_row1(sparse_of(query, i), entity.index1 - 1) == 0) {
            return false;
        }
    }
    return true;
}

/* The others' values: in a row as well, or one by one; the run ends where they are not there. */
static void bind_others(bare_iter *it, const bare_query *query, uint32_t driver)
{
    bool one_by_one = false;
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (i != driver) {
            const bare_term *term = &query->terms[i];
            void *base = follow(sparse_of(query, i), it->entities, it->count);
            const bare_type *type = base != NULL ? term->type : NULL;
            it->binds[i] = (bare_bind){base, type, term->write ? type : NULL};
            one_by_one = one_by_one || base == NULL;
        }
    }
    for (uint32_t n = 0; one_by_one && n < it->count; n++) {
        if (!has_all(query, it->entities[n])) {
            it->count = n;
        } else {
            for (uint32_t i = 0; i < query->term_count; i++) {
                bare_sparse *set = sparse_of(query, i);
                uint32_t row = bare_sparse_row1(set, it->entities[n].index1 - 1) - 1;
                if (query->terms[i].write) {
                    bare_stamp(query->world, &set->values, row);
                }
            }
        }
    }
}

static bool next_in_sparse(bare_iter *it, const bare_query *query)
{
    uint32_t driver = 0;
    for (uint32_t i = 1; i < query->term_count; i++) {
        driver = sparse_of(query, i)->count < sparse_of(query, driver)->count ? i : driver;
    }
    bare_sparse *set = sparse_of(query, driver);
    while (it->row < set->count) {
        it->entities = bare_array_at(&set->entities, it->row);
        uint32_t left = set->count - it->row;
        uint32_t block = BARE_ROWS - it->row % BARE_ROWS;
        it->count = left < block ? left : block;
        it->binds[driver].base = bare_array_at(&set->values, it->row);
        if (query->terms[driver].write) {
            bare_stamp(query->world, &set->values, it->row);
        }
        bind_others(it, query, driver);
        if (it->count != 0) {
            it->row += it->count;
            return true;
        }
        it->row++;
    }
    return close_walk(it);
}

/* ---- Slots ----------------------------------------------------------------------------------- */

static bare_slots *slots_of(const bare_query *query, uint32_t term)
{
    return &query->world->components[query->terms[term].type->id].in.slots;
}

static uint64_t slots_word(const bare_query *query, uint32_t word)
{
    uint64_t bits = UINT64_MAX;
    for (uint32_t i = 0; i < query->term_count; i++) {
        bits &= bare_slots_word(slots_of(query, i), word);
    }
    return bits;
}

static bool next_in_slots(bare_iter *it, const bare_query *query)
{
    uint32_t end = query->world->slots;
    uint32_t first = it->row;
    for (uint64_t bits = 0; first < end; first = (first | 63) + 1) {
        bits = slots_word(query, first / 64) >> first % 64;
        if (bits != 0) {
            first += (uint32_t)__builtin_ctzll(bits);
            break;
        }
    }
    if (first >= end) {
        return close_walk(it);
    }
    uint32_t block_end = (first / BARE_ROWS + 1) * BARE_ROWS;
    uint32_t stop = first;
    while (stop < block_end) {
        uint64_t missing = ~slots_word(query, stop / 64) >> stop % 64;
        if (missing != 0) {
            stop += (uint32_t)__builtin_ctzll(missing);
            break;
        }
        stop = (stop | 63) + 1;
    }
    it->count = stop - first;
    it->row = stop;
    it->entities = NULL;
    for (uint32_t i = 0; i < query->term_count; i++) {
        bare_array *values = &slots_of(query, i)->values;
        it->binds[i].base = bare_array_at(values, first);
        if (query->terms[i].write) {
            bare_stamp(query->world, values, first);
        }
    }
    return true;
}

static inline bool next_batch(bare_iter *it, const bare_query *query)
{
    switch (query->layout) {
    case KITH_TABLE: return next_in_tables(it, query);
    case KITH_SPARSE: return next_in_sparse(it, query);
    default: return next_in_slots(it, query);
    }
}

bool bare_next_slow(bare_iter *it)
{
    const bare_query *query = it->query;
    if (query == NULL) {
        return false;
    }
    if (!BARE_LIKELY(it->pace->serial == it->serial)) {
        bare_misuse("bare_next", "the query was moved on or opened through another iterator");
        return false;
    }
    it->first = 0;
    it->rest = 0;
    if (!next_batch(it, query)) {
        return false;
    }
    it->pace->time = query->world->now;
    it->serial = ++it->pace->serial;
    return true;
}

void *bare_at_slow(const bare_iter *it, uint32_t term, uint32_t i, const bare_type *type,
                   bool write)
{
    const bare_query *query = it->query;
    if (query == NULL || i >= it->count || term >= query->term_count ||
        query->terms[term].type != type || query->terms[term].write < write) {
        bare_misuse("bare_at", "no such term or value, or it is only read");
        return NULL;
    }
    return (void *)(uintptr_t)bare_get(query->world, it->entities[it->first + i], type);
}
