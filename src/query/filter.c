/* Which rows of the driving storage match, 64 at a time. Entities that were made together have slots
 * that follow one another: then a storage of bits answers for all of them with one shift. */
#include "query/query.h"

/* The rows that are asked about. */
typedef struct filter_group {
    const kith_entity *handles; /* NULL: the slots from `first` on */
    uint32_t first;             /* the first one's slot */
    uint32_t count;             /* up to 64 */
    bool in_turn;               /* the slots follow one another */
} filter_group;

/* A handle as one word. */
static uint64_t filter_word(kith_entity handle)
{
    uint64_t word;
    memcpy(&word, &handle, sizeof word);
    return word;
}

/* Compares handles whole, which takes none of them apart; a carry out of the slot only reaches what does
 * not count. */
KI_INLINE bool filter_is_in_turn(const kith_entity *handles, uint32_t count)
{
    uint64_t other = 0;
    uint64_t turn = filter_word(handles[0]);
    const uint64_t step = filter_word((kith_entity){1, 0});
    for (uint32_t i = 0; i < count; i++) {
        other |= filter_word(handles[i]) ^ turn;
        turn += step;
    }
    return (other & filter_word((kith_entity){UINT32_MAX, 0})) == 0;
}

/* Apart from the usual 64, for which the compiler needs no loop. */
KI_NOINLINE static bool filter_is_few_in_turn(const kith_entity *handles, uint32_t count)
{
    return filter_is_in_turn(handles, count);
}

static uint32_t filter_slot(const filter_group *group, uint32_t i)
{
    return group->in_turn ? group->first + i : group->handles[i].index1 - 1;
}

static uint64_t filter_slots(const ki_slots *slots, const filter_group *group)
{
    if (group->in_turn) {
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

/* Whether some term must have changed of which the walk knows nothing by block. */
KI_NOINLINE static bool filter_asks_changes(const ki_walk *walk)
{
    const kith_query *query = walk->query;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->changed && (term->component->exact != NULL || !ki_walk_is_alike(walk, i))) {
            return true;
        }
    }
    return false;
}

/* Whether one row matches in all that a look at 64 of them cannot tell. */
static bool filter_row(ki_walk *walk, const filter_group *group, uint32_t i)
{
    const kith_query *query = walk->query;
    uint32_t index = filter_slot(group, i);
    const ki_table *table = walk->driver == KI_DRIVE_TABLES ? walk->table : NULL;
    if (walk->ask_tables) {
        table = query->store->tables[ki_record_at(&query->store->entities, index)->table];
        if (table != walk->judged) {
            walk->judged = table;
            walk->admitted = ki_query_admits(query, table);
        }
        if (!walk->admitted) {
            return false;
        }
    }
    return !walk->ask_rows || ki_query_row_passes(query, table, index);
}

uint64_t ki_walk_filter(ki_walk *walk, uint32_t row)
{
    const kith_query *query = walk->query;
    filter_group group = {
        .first = row, .count = ki_min_u32(64, walk->end_row - row), .in_turn = true};
    if (walk->driver != KI_DRIVE_SLOTS) {
        group.handles = ki_walk_entities(walk, row);
        group.first = group.handles[0].index1 - 1;
        group.in_turn = group.count == 64 ? filter_is_in_turn(group.handles, 64)
                                          : filter_is_few_in_turn(group.handles, group.count);
    }
    uint64_t bits = group.count == 64 ? UINT64_MAX : (UINT64_C(1) << group.count) - 1;
    if (walk->driver == KI_DRIVE_SLOTS) {
        bits &= ki_slots_word(&query->terms[walk->driving_term].component->in.slots, row / 64);
    }
    for (uint32_t i = query->first_apart; i < query->term_count && bits != 0; i++) {
        const ki_term *term = &query->terms[i];
        const ki_component *component = term->component;
        if (component->layout == KITH_TABLE || term->role > KITH_MUST_NOT ||
            ki_walk_is_driving(walk, i)) {
            continue;
        }
        uint64_t has = component->layout == KITH_SLOT
                           ? filter_slots(&component->in.slots, &group)
                           : filter_sparse(&component->in.sparse, &group);
        bits &= term->role == KITH_MUST ? has : ~has;
    }
    bool more = walk->ask_tables || query->group_count != 0 ||
                (KI_UNLIKELY(query->looks) && filter_asks_changes(walk));
    for (uint64_t rest = more ? bits : 0; rest != 0; rest &= rest - 1) {
        uint32_t i = ki_lowest_bit(rest);
        if (!filter_row(walk, &group, i)) {
            bits &= ~(UINT64_C(1) << i);
        }
    }
    return bits;
}
