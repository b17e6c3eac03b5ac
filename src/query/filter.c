/* Each term is asked for all rows of a chunk, one after the other, and only about rows that all before
 * it have left. Where the driving storage is a slot array, the bits of another one are ANDed as they
 * are. Entities that were made together have consecutive slots: then a slot array answers for all 64 of
 * them with one shift. */
#include "query/filter.h"

#include "query/condition.h"
#include "query/table_admission.h"
#include "store/value_diff.h"

/* The rows that are asked about. */
typedef struct filter_chunk {
    const ki_driver *driver;
    const kith_entity *handles; /* NULL: the slots from `row` on */
    uint32_t row;
    uint32_t count;
    uint32_t words;
    uint32_t consecutive; /* bit i: the slots of the rows of word i follow one another */
} filter_chunk;

/* A handle as one word. */
static uint64_t filter_word(kith_entity handle)
{
    uint64_t word;
    memcpy(&word, &handle, sizeof word);
    return word;
}

/* Whether the slots of `count` handles follow one another. Handles are compared whole, as words: a
 * carry out of the slot only reaches the generation, which is masked. */
static inline bool filter_is_consecutive(const kith_entity *handles, uint32_t count)
{
    uint64_t difference = 0;
    uint64_t expected = filter_word(handles[0]);
    const uint64_t step = filter_word((kith_entity){1, 0});
    for (uint32_t i = 0; i < count; i++) {
        difference |= filter_word(handles[i]) ^ expected;
        expected += step;
    }
    return (difference & filter_word((kith_entity){UINT32_MAX, 0})) == 0;
}

static uint32_t filter_rows_of(const filter_chunk *chunk, uint32_t word)
{
    return ki_min_u32(64, chunk->count - word * 64);
}

static void filter_set_handles(filter_chunk *chunk)
{
    chunk->handles = ki_driver_entities(chunk->driver, chunk->row);
    chunk->consecutive = UINT32_MAX;
    for (uint32_t word = 0; chunk->handles != NULL && word < chunk->words; word++) {
        const kith_entity *handles = chunk->handles + (size_t)word * 64;
        uint32_t count = filter_rows_of(chunk, word);
        /* The compiler unrolls the loop for a constant count: bench without-1% needs 8% less. */
        bool consecutive = count == 64 ? filter_is_consecutive(handles, 64)
                                       : filter_is_consecutive(handles, count);
        chunk->consecutive &= ~((uint32_t)!consecutive << word);
    }
}

/* The slot of row `i` of the chunk. */
static inline uint32_t filter_slot(const filter_chunk *chunk, uint32_t i)
{
    return chunk->handles == NULL ? chunk->row + i : chunk->handles[i].index1 - 1;
}

static inline bool filter_is_row_of_slots(const filter_chunk *chunk, uint32_t word)
{
    return (chunk->consecutive >> word & 1) != 0;
}

/* Which of the rows of a word have a slot's bit. */
static inline uint64_t filter_slots(const ki_slots *slots, const filter_chunk *chunk, uint32_t word)
{
    uint32_t first = filter_slot(chunk, word * 64);
    if (filter_is_row_of_slots(chunk, word)) {
        uint32_t shift = first % 64;
        uint64_t bits = ki_slots_word(slots, first / 64) >> shift;
        return shift == 0 ? bits : bits | ki_slots_word(slots, first / 64 + 1) << (64 - shift);
    }
    uint64_t bits = 0;
    for (uint32_t i = 0, count = filter_rows_of(chunk, word); i < count; i++) {
        bits |= (uint64_t)ki_slots_has(slots, filter_slot(chunk, word * 64 + i)) << i;
    }
    return bits;
}

/* Which of `count` consecutive slots from `first` on are in a sparse set; all in one page. */
static uint64_t filter_sparse_slots(const ki_sparse *set, uint32_t first, uint32_t count)
{
    const uint32_t *row1 = ki_sparse_row1_at(set, first);
    uint32_t there = row1 == NULL ? 0 : ki_min_u32(count, set->index.capacity - first);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < there; i++) {
        bits |= (uint64_t)(row1[i] != 0) << i;
    }
    return bits;
}

/* The same for handles. */
static uint64_t filter_sparse_handles(const ki_sparse *set, const kith_entity *handles,
                                      uint32_t count)
{
    const uint32_t mask = (1u << KI_SPARSE_PAGE_SHIFT) - 1;
    uint32_t first = handles[0].index1 - 1;
    uint32_t spread = 0;
    for (uint32_t i = 0; i < count; i++) {
        spread |= (handles[i].index1 - 1) ^ first;
    }
    const uint32_t *page = ki_sparse_row1_at(set, first & ~mask);
    uint64_t bits = 0;
    if (spread <= mask && page != NULL && (first | mask) < set->index.capacity) {
        for (uint32_t i = 0; i < count; i++) {
            bits |= (uint64_t)(page[(handles[i].index1 - 1) & mask] != 0) << i;
        }
        return bits;
    }
    for (uint32_t i = 0; i < count; i++) {
        bits |= (uint64_t)ki_sparse_has(set, handles[i].index1 - 1) << i;
    }
    return bits;
}

/* Which of the rows of a word are in a sparse set. */
static uint64_t filter_sparse(const ki_sparse *set, const filter_chunk *chunk, uint32_t word)
{
    uint32_t count = filter_rows_of(chunk, word);
    uint32_t first = filter_slot(chunk, word * 64);
    if (!filter_is_row_of_slots(chunk, word)) {
        return filter_sparse_handles(set, chunk->handles + (size_t)word * 64, count);
    }
    uint32_t in_page = (1u << KI_SPARSE_PAGE_SHIFT) - (first & ((1u << KI_SPARSE_PAGE_SHIFT) - 1));
    if (count <= in_page) {
        return filter_sparse_slots(set, first, count);
    }
    return filter_sparse_slots(set, first, in_page) |
           filter_sparse_slots(set, first + in_page, count - in_page) << in_page;
}

static inline uint64_t filter_storage(const ki_component *component, const filter_chunk *chunk,
                                      uint32_t word)
{
    return component->layout == KITH_SLOT ? filter_slots(&component->in.slots, chunk, word)
                                          : filter_sparse(&component->in.sparse, chunk, word);
}

/* The table of the entity in row `i`. */
static inline const ki_table *filter_table(const filter_chunk *chunk, uint32_t i)
{
    const ki_store *store = chunk->driver->query->store;
    return store->tables[ki_record_at(&store->entities, filter_slot(chunk, i))->table];
}

/* Drops the rows that a slot array does not admit, where slots are rows. */
static void filter_by_words(const ki_slots *slots, uint64_t inverse, const filter_chunk *chunk,
                            uint64_t *masks)
{
    uint32_t first = chunk->row / 64;
    const uint64_t *bits = ki_slots_word_at(slots, first);
    uint32_t there = bits == NULL ? 0 : ki_min_u32(chunk->words, slots->bits.capacity - first);
    for (uint32_t word = 0; word < there; word++) {
        masks[word] &= bits[word] ^ inverse;
    }
    for (uint32_t word = there; word < chunk->words; word++) {
        masks[word] &= inverse;
    }
}

/* Drops the rows that a required or excluded term of another storage than tables does not admit. */
static void filter_by_term(const ki_term *term, const filter_chunk *chunk, uint64_t *masks)
{
    const ki_component *component = term->component;
    uint64_t inverse = term->role == KITH_MUST ? 0 : UINT64_MAX;
    if (chunk->handles == NULL && component->layout == KITH_SLOT) {
        filter_by_words(&component->in.slots, inverse, chunk, masks);
        return;
    }
    for (uint32_t word = 0; word < chunk->words; word++) {
        if (masks[word] != 0) {
            masks[word] &= filter_storage(component, chunk, word) ^ inverse;
        }
    }
}

/* Drops the rows whose tables the query does not admit. */
static void filter_by_tables(const filter_chunk *chunk, uint64_t *masks)
{
    const ki_table *last = NULL;
    bool admitted = false;
    for (uint32_t word = 0; word < chunk->words; word++) {
        for (uint64_t rest = masks[word]; rest != 0; rest &= rest - 1) {
            const ki_table *table = filter_table(chunk, word * 64 + ki_lowest_bit(rest));
            if (table != last) {
                last = table;
                admitted = ki_query_admits(chunk->driver->query, table);
            }
            masks[word] ^= admitted ? 0 : rest & -rest;
        }
    }
}

/* Which of the rows `asked` of a word have one of several components. */
static uint64_t filter_one_of(const ki_group *group, const filter_chunk *chunk, uint32_t word,
                              uint64_t asked)
{
    const kith_query *query = chunk->driver->query;
    uint64_t has = 0;
    for (uint32_t i = 0; i < query->term_count && (asked & ~has) != 0; i++) {
        const ki_term *term = &query->terms[i];
        if (term->role != KITH_ONE_OF || term->group != group->number) {
            continue;
        }
        if (term->component->layout != KITH_TABLE) {
            has |= filter_storage(term->component, chunk, word);
            continue;
        }
        if (chunk->driver->kind == KI_DRIVE_TABLES) {
            has |= ki_table_has(chunk->driver->table, term->component->id) ? UINT64_MAX : 0;
            continue;
        }
        for (uint64_t rest = asked & ~has; rest != 0; rest &= rest - 1) {
            const ki_table *table = filter_table(chunk, word * 64 + ki_lowest_bit(rest));
            has |= ki_table_has(table, term->component->id) ? rest & -rest : 0;
        }
    }
    return has;
}

/* Which of the rows `asked` of a word have a value that changed, as far as blocks of the driving storage
 * do not tell. */
static uint64_t filter_changed(const ki_component *component, const filter_chunk *chunk,
                               uint32_t word, uint64_t asked)
{
    const kith_query *query = chunk->driver->query;
    uint64_t changed = 0;
    for (uint64_t rest = asked; rest != 0; rest &= rest - 1) {
        uint32_t index = filter_slot(chunk, word * 64 + ki_lowest_bit(rest));
        bool is = ki_value_diff_changed(query->store, component, index, query->looked);
        changed |= is ? rest & -rest : 0;
    }
    return changed;
}

/* Drops the rows that do not answer to groups, and to terms that must have changed. */
static void filter_by_rest(const filter_chunk *chunk, uint64_t *masks)
{
    const kith_query *query = chunk->driver->query;
    for (uint32_t i = 0; i < query->group_count; i++) {
        for (uint32_t word = 0; query->groups[i].mixed && word < chunk->words; word++) {
            masks[word] &= filter_one_of(&query->groups[i], chunk, word, masks[word]);
        }
    }
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        bool asked = term->changed && (term->component->value_diff != NULL ||
                                       !ki_driver_is_aligned(chunk->driver, i));
        for (uint32_t word = 0; asked && word < chunk->words; word++) {
            masks[word] &= filter_changed(term->component, chunk, word, masks[word]);
        }
    }
}

/* Drops the rows that there are not. */
static void filter_begin(const filter_chunk *chunk, uint64_t *masks, uint32_t words)
{
    if (chunk->count % 64 != 0) {
        masks[chunk->words - 1] &= (UINT64_C(1) << chunk->count % 64) - 1;
    }
    for (uint32_t word = chunk->words; word < words; word++) {
        masks[word] = 0;
    }
    if (chunk->driver->kind == KI_DRIVE_SLOTS) {
        filter_by_words(&ki_driver_component(chunk->driver)->in.slots, 0, chunk, masks);
    }
}

/* Whether anything but conditions is asked: those find entities themselves, where they have to. */
static bool filter_needs_handles(const ki_filter *filter, const kith_query *query)
{
    return filter->ask_tables || query->first_filter < query->term_count ||
           query->group_count != 0 || query->looks;
}

void ki_filter_rows(const ki_filter *filter, const ki_driver *driver, uint32_t row,
                    uint32_t end_row, uint64_t *masks, uint32_t words)
{
    const kith_query *query = driver->query;
    filter_chunk chunk = {.driver = driver,
                          .row = row,
                          .count = ki_min_u32(words * 64, end_row - row),
                          .consecutive = UINT32_MAX};
    KI_ASSERT(row % 64 == 0 && row % KI_CHUNK_ROWS + words * 64 <= KI_CHUNK_ROWS);
    chunk.words = (chunk.count + 63) / 64;
    filter_begin(&chunk, masks, words);
    if (!filter->ask_rows && !filter->ask_tables) {
        return;
    }
    if (driver->kind != KI_DRIVE_SLOTS && filter_needs_handles(filter, query)) {
        filter_set_handles(&chunk);
    }
    for (uint32_t i = query->first_filter; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->component->layout != KITH_TABLE && term->role <= KITH_MUST_NOT &&
            !ki_driver_holds(driver, i)) {
            filter_by_term(term, &chunk, masks);
        }
    }
    if (filter->ask_tables) {
        filter_by_tables(&chunk, masks);
    }
    if (query->group_count != 0 || query->looks) {
        filter_by_rest(&chunk, masks);
    }
    if (query->conditions != NULL) {
        ki_conditions_filter(query, driver, row, chunk.count, filter->via_values, masks);
    }
}
