/* Entities that were made together have consecutive slots: then a slot array answers for all 64 of them
 * with one shift. */
#include "query/filter.h"

#include "query/admission.h"

/* The rows that are asked about. */
typedef struct filter_group {
    const kith_entity *handles; /* NULL: the slots from `first` on */
    uint32_t first;             /* the first one's slot */
    uint32_t count;             /* up to 64 */
    bool consecutive;           /* the slots follow one another */
} filter_group;

/* A handle as one word. */
static uint64_t filter_word(kith_entity handle)
{
    uint64_t word;
    memcpy(&word, &handle, sizeof word);
    return word;
}

/* Whether the slots of `count` handles follow one another. Handles are compared whole, as words: a
 * carry out of the slot only reaches the generation, which is masked. */
static bool filter_is_consecutive(const kith_entity *handles, uint32_t count)
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

static uint32_t filter_slot(const filter_group *group, uint32_t i)
{
    return group->consecutive ? group->first + i : group->handles[i].index1 - 1;
}

static uint64_t filter_slots(const ki_slots *slots, const filter_group *group)
{
    if (group->consecutive) {
        uint32_t word = group->first / 64;
        uint32_t shift = group->first % 64;
        uint64_t bits = ki_slots_word(slots, word) >> shift;
        return shift == 0 ? bits : bits | ki_slots_word(slots, word + 1) << (64 - shift);
    }
    uint64_t bits = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        bits |= (uint64_t)ki_slots_has(slots, group->handles[i].index1 - 1) << i;
    }
    return bits;
}

static uint64_t filter_sparse(const ki_sparse *set, const filter_group *group)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        bits |= (uint64_t)ki_sparse_has(set, filter_slot(group, i)) << i;
    }
    return bits;
}

/* Whether some term must have changed, and the driving storage's blocks do not tell. */
static bool filter_asks_changes(const ki_driver *driver)
{
    const kith_query *query = driver->query;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->changed &&
            (term->component->value_diff != NULL || !ki_driver_is_aligned(driver, i))) {
            return true;
        }
    }
    return false;
}

/* Whether one row matches in everything that cannot be answered for 64 rows at once. */
static bool filter_row(ki_filter *filter, const ki_driver *driver, const filter_group *group,
                       uint32_t i)
{
    const kith_query *query = driver->query;
    uint32_t index = filter_slot(group, i);
    const ki_table *table = driver->kind == KI_DRIVE_TABLES ? driver->table : NULL;
    if (filter->ask_tables) {
        table = query->store->tables[ki_record_at(&query->store->entities, index)->table];
        if (table != filter->last_table) {
            filter->last_table = table;
            filter->admitted = ki_query_admits(query, table);
        }
        if (!filter->admitted) {
            return false;
        }
    }
    return !filter->ask_rows || ki_query_row_passes(query, table, index);
}

uint64_t ki_filter_rows(ki_filter *filter, const ki_driver *driver, uint32_t row, uint32_t end_row)
{
    const kith_query *query = driver->query;
    filter_group group = {
        .first = row, .count = ki_min_u32(64, end_row - row), .consecutive = true};
    if (driver->kind != KI_DRIVE_SLOTS) {
        group.handles = ki_driver_entities(driver, row);
        group.first = group.handles[0].index1 - 1;
        /* The compiler unrolls the loop for a constant count: bench without-1% needs 8% less. */
        group.consecutive = group.count == 64 ? filter_is_consecutive(group.handles, 64)
                                              : filter_is_consecutive(group.handles, group.count);
    }
    uint64_t bits = group.count == 64 ? UINT64_MAX : (UINT64_C(1) << group.count) - 1;
    if (driver->kind == KI_DRIVE_SLOTS) {
        bits &= ki_slots_word(&ki_driver_component(driver)->in.slots, row / 64);
    }
    for (uint32_t i = query->first_filter; i < query->term_count && bits != 0; i++) {
        const ki_term *term = &query->terms[i];
        const ki_component *component = term->component;
        if (component->layout == KITH_TABLE || term->role > KITH_MUST_NOT ||
            ki_driver_holds(driver, i)) {
            continue;
        }
        uint64_t has = component->layout == KITH_SLOT
                           ? filter_slots(&component->in.slots, &group)
                           : filter_sparse(&component->in.sparse, &group);
        bits &= term->role == KITH_MUST ? has : ~has;
    }
    bool more = filter->ask_tables || query->group_count != 0 ||
                (KI_UNLIKELY(query->looks) && filter_asks_changes(driver));
    for (uint64_t rest = more ? bits : 0; rest != 0; rest &= rest - 1) {
        uint32_t i = ki_lowest_bit(rest);
        if (!filter_row(filter, driver, &group, i)) {
            bits &= ~(UINT64_C(1) << i);
        }
    }
    return bits;
}
