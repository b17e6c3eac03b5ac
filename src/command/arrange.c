/* Arranging: finds runs of groups that make the same move, and reserves for all of them, so that
 * nothing can fail after. */
#include "command/buffer.h"
#include "command/rows.h"

/* How many courses are remembered, to be taken again. */
#define ARRANGE_KNOWN 64u

/* Where the arrangement has got to. */
typedef struct arranging {
    ki_arrangement *out;
    ki_store *store;
    ki_course *course;        /* of the run at hand; NULL: there is none yet */
    uint32_t touched;         /* the last part of its rows that was touched */
    uint32_t touched_records; /* the last block of records that was touched */
    uint32_t free_index1;     /* the slot that the next entity to be made gets; 0: a fresh one */
    uint32_t fresh_index;
    uint32_t known[ARRANGE_KNOWN]; /* number of a course, plus one; see arrange_known */
} arranging;

/* ---- Courses --------------------------------------------------------------------------------- */

static bool arrange_same(const ki_command *a, const ki_command *b)
{
    return a->kind == b->kind && a->component == b->component &&
           ((a->flags ^ b->flags) & KI_COMMAND_FRESH) == 0;
}

/* The part of arrange_fits that is not the usual case. */
static bool arrange_fits_slow(ki_command *first, ki_command *leader)
{
    if (((first->flags ^ leader->flags) & KI_COMMAND_STATE) != 0 ||
        ((leader->flags & KI_COMMAND_MADE) == 0 && first->in.table != leader->in.table)) {
        return false;
    }
    const ki_command *theirs = ki_leader_first(first);
    const ki_command *own = ki_leader_first(leader);
    while (theirs != NULL && own != NULL && arrange_same(theirs, own)) {
        theirs = theirs->next;
        own = own->next;
    }
    return theirs == NULL && own == NULL;
}

/* Whether a leader makes the same move as the first of a course. */
static inline bool arrange_fits(ki_command *first, ki_command *leader)
{
    uint32_t differ = (uint32_t)(leader->flags ^ first->flags);
    if (KI_LIKELY(leader->next == NULL && first->next == NULL &&
                  ((leader->flags | first->flags) & KI_COMMAND_MADE) == 0)) {
        return leader->kind == first->kind && leader->component == first->component &&
               leader->in.table == first->in.table &&
               (differ & ~(KI_COMMAND_APART | KI_COMMAND_SCATTERED)) == 0;
    }
    return arrange_fits_slow(first, leader);
}

/* Where to remember the course of a leader. Another one may be there. */
static uint32_t *arrange_known(arranging *a, const ki_command *leader)
{
    uint32_t table = (leader->flags & KI_COMMAND_MADE) != 0 ? 0 : leader->in.table;
    uint32_t key = (table << 8 | leader->kind) ^ (uint32_t)leader->component << 4;
    return &a->known[(key * 0x9e3779b1u) >> 26];
}
_Static_assert(ARRANGE_KNOWN == 1u << (32 - 26), "a place for each key");

/* Begins a run with this leader. */
static kith_result arrange_run(arranging *a, ki_command *leader)
{
    ki_arrangement *out = a->out;
    if (out->run_count == out->run_capacity) {
        KI_TRY(ki_heap_grow(&out->commands->context.heap, &out->runs, &out->run_capacity,
                            out->run_count + 1, sizeof *out->runs, 4));
    }
    uint32_t *known = arrange_known(a, leader);
    if (*known != 0 && arrange_fits(out->courses[*known - 1].first, leader)) {
        a->course = &out->courses[*known - 1];
    } else {
        KI_TRY(ki_course_add(out, a->store, leader));
        a->course = &out->courses[out->course_count - 1];
        *known = out->course_count;
    }
    a->touched = UINT32_MAX;
    out->runs[out->run_count++] = (ki_run){.course = (uint32_t)(a->course - out->courses),
                                           .first_to_leave = a->course->from->leaving == 0};
    return KITH_OK;
}

/* ---- Reserving ------------------------------------------------------------------------------- */

/* Slots are looked at in batches, one component after another. */
#define ARRANGE_BATCH 256u

/* Readiness of a storage of another layout that an entity leaves. If no block was ever shared, that
 * cannot fail. */
static bool arrange_leave_one(ki_store *store, ki_component *component, uint32_t index)
{
    if (store->space.shared) {
        return ki_other_touch_leaving(store, component, index);
    }
    ki_expect_lost(store, component, 1);
    return true;
}

static bool arrange_leave(ki_store *store, ki_component *component, const uint32_t *indexes,
                          uint32_t count)
{
    bool matters = store->space.shared || component->track != NULL;
    for (uint32_t i = matters ? 0 : count; i < count; i++) {
        if (ki_other_has(component, indexes[i]) &&
            !arrange_leave_one(store, component, indexes[i])) {
            return false;
        }
    }
    return true;
}

/* ki_other_has for a slot whose page is there. */
static bool arrange_has(const ki_component *component, uint32_t index)
{
    if (component->layout == KITH_SPARSE) {
        return *KI_COLUMN_AT(const uint32_t, &component->in.sparse.rows, index) != 0;
    }
    const uint64_t *word = ki_column_at(&component->in.slots.bits, index / 64);
    return (*word >> index % 64 & 1) != 0;
}

/* Room in a storage of another layout that entities enter, and readiness where they are in it and
 * will be overwritten. `bare`: they are in none, or will have left all. */
static kith_result arrange_enter(ki_store *store, const ki_course_op *op, const uint32_t *indexes,
                                 uint32_t count, bool bare)
{
    ki_component *component = op->component;
    uint32_t shift = ki_other_page_shift(store, component);
    uint32_t page = UINT32_MAX; /* the last that was made ready, and as far as which slot: */
    uint32_t ready = 0; /* page 0 may be a small one. So the highest slot comes first, mostly */
    uint32_t arriving = 0;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t index = indexes[i];
        bool is_ready = index >> shift == page && index <= ready;
        if (!bare && (is_ready ? arrange_has(component, index) : ki_other_has(component, index))) {
            if (!op->keeps && !ki_other_touch_value(store, component, index)) {
                return KITH_ERR_MEMORY;
            }
            continue;
        }
        if (!is_ready) {
            KI_TRY(ki_other_reserve_index(store, component, index));
            page = index >> shift;
            ready = page == 0 ? index : UINT32_MAX;
        }
        arriving++;
    }
    ki_expect_arriving(store, component, arriving);
    return KITH_OK;
}

/* What one of the run's commands does to another layout. */
static kith_result arrange_other(arranging *a, const ki_course_op *op, const uint32_t *indexes,
                                 uint32_t count, bool bare)
{
    if (op->kind != KI_COMMAND_REMOVE) {
        return arrange_enter(a->store, op, indexes, count, bare);
    }
    return bare || arrange_leave(a->store, op->component, indexes, count) ? KITH_OK
                                                                          : KITH_ERR_MEMORY;
}

/* All of an entity's components of other layouts leave. */
static bool arrange_bare(ki_store *store, uint32_t index)
{
    for (ki_component *other = ki_others_next(store, index, 0); other != NULL;
         other = ki_others_next(store, index, other->other + 1)) {
        if (!arrange_leave_one(store, other, index)) {
            return false;
        }
    }
    return ki_lanes_touch(store, index);
}

/* Makes the row ready to be left, or, if the entity stays, to be written. */
static bool arrange_touch_row(arranging *a, uint32_t row)
{
    a->touched = row >> a->course->touched_shift;
    ki_space *space = &a->store->space;
    if (a->course->to != a->course->from) {
        return ki_table_touch_removal(space, a->course->from, row);
    }
    const ki_course_op *op = ki_course_ops(a->out, a->course);
    for (uint32_t left = a->course->op_count; left != 0; left--, op++) {
        if (op->column != KI_NO_COLUMN &&
            !ki_column_touch(space, &a->course->to->columns[op->column], row)) {
            return false;
        }
    }
    return true;
}

/* The slot that the next entity to be made will get. */
static uint32_t arrange_next_slot(arranging *a)
{
    a->out->spawns++;
    if (a->free_index1 == 0) {
        return a->fresh_index++;
    }
    uint32_t index = a->free_index1 - 1;
    a->free_index1 = ki_record_at(&a->store->entities, index)->row;
    return index;
}

/* Reserves for the entities of a group that are to be made. */
static kith_result arrange_made(arranging *a, uint32_t left)
{
    uint32_t indexes[ARRANGE_BATCH];
    while (left > 0) {
        uint32_t count = ki_min_u32(left, ARRANGE_BATCH);
        for (uint32_t i = 0; i < count; i++) {
            if (a->free_index1 == 0 && a->fresh_index == KI_SLOTS_MAX) {
                return KITH_ERR_LIMIT;
            }
            indexes[i] = arrange_next_slot(a);
        }
        const ki_course_op *op = ki_course_ops(a->out, a->course);
        for (uint32_t k = 0; k < a->course->op_count; k++, op++) {
            KI_TRY(op->component->layout == KITH_TABLE
                       ? KITH_OK
                       : arrange_other(a, op, indexes, count, true));
        }
        left -= count;
    }
    return KITH_OK;
}

/* Makes the rows of a group ready, which begins in `row`. */
static bool arrange_rows(arranging *a, const ki_command *leader, uint32_t row)
{
    if ((leader->flags & KI_COMMAND_APART) == 0) {
        uint64_t end = (uint64_t)row + leader->count;
        for (uint64_t at = row; at < end;
             at = ((at >> a->course->touched_shift) + 1) << a->course->touched_shift) {
            if (at >> a->course->touched_shift != a->touched &&
                !arrange_touch_row(a, (uint32_t)at)) {
                return false;
            }
        }
        return true;
    }
    for (uint32_t i = 0; i < leader->count; i++) {
        uint32_t index = ki_leader_entity(a->out->commands, leader, i).index1 - 1;
        row = ki_record_at(&a->store->entities, index)->row;
        if (row >> a->course->touched_shift != a->touched && !arrange_touch_row(a, row)) {
            return false;
        }
    }
    return true;
}

/* Makes the records of a group ready to be written. */
static bool arrange_records(arranging *a, const ki_command *leader)
{
    ki_entities *entities = &a->store->entities;
    bool scattered = (leader->flags & KI_COMMAND_SCATTERED) != 0;
    uint32_t first = ki_leader_entity(a->out->commands, leader, 0).index1 - 1;
    for (uint32_t i = 0; i < leader->count;) {
        uint32_t index =
            scattered ? ki_leader_entity(a->out->commands, leader, i).index1 - 1 : first + i;
        if (index / KI_BLOCK_ROWS_MAX != a->touched_records) {
            a->touched_records = index / KI_BLOCK_ROWS_MAX;
            if (!ki_record_touch(&a->store->space, entities, index)) {
                return false;
            }
        }
        i += scattered ? 1 : KI_BLOCK_ROWS_MAX - index % KI_BLOCK_ROWS_MAX;
    }
    return true;
}

/* What one command does to another layout, for entities whose slots follow one another, where that can
 * be told for all of them at once: `*done` tells whether. */
static kith_result arrange_span(arranging *a, const ki_course_op *op, uint32_t first,
                                uint32_t count, bool bare, bool *done)
{
    ki_component *component = op->component;
    bool seen = !ki_space_is_unseen(&a->store->space);
    bool adds = op->kind != KI_COMMAND_REMOVE;
    uint32_t there = bare || !adds ? 0 : ki_other_count_in(component, first, count);
    *done = adds ? there == 0 || (there == count && (op->keeps || !seen))
                 : bare || (!a->store->space.shared && component->track == NULL);
    if (!*done || !adds || there != 0) {
        return KITH_OK;
    }
    ki_expect_arriving(a->store, component, count);
    return ki_other_reserve_slots(a->store, component, first, count);
}

/* The same for any entities of a group. */
static kith_result arrange_batches(arranging *a, const ki_command *leader, const ki_course_op *op,
                                   bool bare)
{
    uint32_t indexes[ARRANGE_BATCH];
    for (uint32_t done = 0, count; done < leader->count; done += count) {
        count = ki_min_u32(leader->count - done, ARRANGE_BATCH);
        for (uint32_t i = 0; i < count; i++) {
            indexes[i] = ki_leader_entity(a->out->commands, leader, done + i).index1 - 1;
        }
        KI_TRY(arrange_other(a, op, indexes, count, bare));
    }
    return KITH_OK;
}

/* Reserves in other layouts for the entities of a group that are there. */
static kith_result arrange_slots(arranging *a, const ki_command *leader)
{
    ki_store *store = a->store;
    bool bare = (a->course->state & (KI_COMMAND_BARE | KI_COMMAND_GONE)) != 0;
    bool leave = bare && (store->space.shared || store->track_count != 0);
    for (uint32_t i = 0; leave && i < leader->count; i++) {
        if (!arrange_bare(store, ki_leader_entity(a->out->commands, leader, i).index1 - 1)) {
            return KITH_ERR_MEMORY;
        }
    }
    const ki_course_op *op = ki_course_ops(a->out, a->course);
    for (uint32_t k = 0; k < a->course->op_count; k++, op++) {
        bool done = op->component->layout == KITH_TABLE;
        if (!done && (leader->flags & KI_COMMAND_SCATTERED) == 0) {
            uint32_t first = ki_leader_entity(a->out->commands, leader, 0).index1 - 1;
            KI_TRY(arrange_span(a, op, first, leader->count, bare, &done));
        }
        KI_TRY(done ? KITH_OK : arrange_batches(a, leader, op, bare));
    }
    return KITH_OK;
}

/* Reserves for the entities of a group that are there. */
static kith_result arrange_existing(arranging *a, const ki_command *leader)
{
    const ki_course *course = a->course;
    uint32_t first = ki_leader_entity(a->out->commands, leader, 0).index1 - 1;
    if (!ki_space_is_unseen(&a->store->space) &&
        (!arrange_rows(a, leader, ki_record_at(&a->store->entities, first)->row) ||
         (course->to != course->from && !arrange_records(a, leader)))) {
        return KITH_ERR_MEMORY;
    }
    bool only_tables =
        course->only_tables && (course->state & (KI_COMMAND_BARE | KI_COMMAND_GONE)) == 0;
    return only_tables ? KITH_OK : arrange_slots(a, leader);
}

/* Notes whether the run's rows follow one another, with those of a group that joins it, so that they
 * need not be listed. What is tracked wants a list. */
static void arrange_note_rows(const arranging *a, ki_run *run, const ki_command *leader)
{
    if (run->count == 0 ? !run->first_to_leave || a->store->table_track_count != 0
                        : !run->one_span) {
        return;
    }
    run->one_span =
        leader->count > 1 && (leader->flags & (KI_COMMAND_APART | KI_COMMAND_MADE)) == 0;
    if (run->one_span) {
        uint32_t index = ki_leader_entity(a->out->commands, leader, 0).index1 - 1;
        uint32_t row = ki_record_at(&a->store->entities, index)->row;
        run->row = run->count == 0 ? row : run->row;
        run->one_span = row == run->row + run->count;
    }
}

/* Adds a group to the run at hand, or begins another with it. */
static kith_result arrange_leader(arranging *a, ki_command *leader)
{
    if (a->course == NULL || !arrange_fits(a->course->first, leader)) {
        KI_TRY(arrange_run(a, leader));
    }
    a->course->count += leader->count;
    a->course->from->leaving += ki_course_leaves(a->course) ? leader->count : 0;
    ki_run *run = &a->out->runs[a->out->run_count - 1];
    arrange_note_rows(a, run, leader);
    run->count += leader->count;
    return (leader->flags & KI_COMMAND_MADE) != 0 ? arrange_made(a, leader->count)
                                                  : arrange_existing(a, leader);
}

/* What is reserved for all entities together, and the end of the counting. */
static kith_result arrange_end(arranging *a)
{
    ki_store *store = a->store;
    KI_TRY(ki_entities_reserve(&store->space, &store->entities, a->out->spawns));
    for (uint32_t i = 0; i < a->out->course_count; i++) {
        const ki_course *course = &a->out->courses[i];
        bool made = (course->state & KI_COMMAND_MADE) != 0;
        if (course->to != NULL) {
            course->to->arriving += made || course->to != course->from ? course->count : 0;
        }
        ki_tracks_expect(store, made ? NULL : course->from, course->to, course->count);
    }
    for (uint32_t i = 0; i < a->out->course_count; i++) {
        const ki_course *course = &a->out->courses[i];
        if (course->from->leaving != 0) {
            if (!ki_rows_touch_end(store, course->from, course->from->leaving)) {
                return KITH_ERR_MEMORY;
            }
            course->from->leaving = 0;
        }
        if (course->to != NULL && course->to->arriving != 0) {
            KI_TRY(ki_table_reserve(&store->space, course->to, course->to->arriving));
            course->to->arriving = 0;
        }
    }
    KI_TRY(ki_expected_reserve(store));
    for (uint32_t i = 0; i < a->out->run_count; i++) {
        const ki_run *run = &a->out->runs[i];
        uint32_t listed = run->one_span ? 0 : run->count;
        a->out->largest = listed > a->out->largest ? listed : a->out->largest;
    }
    if (a->out->largest == 0) {
        return KITH_OK;
    }
    ki_heap *heap = &a->out->commands->context.heap;
    a->out->rows = ki_heap_take(heap, a->out->largest * sizeof *a->out->rows, _Alignof(uint32_t));
    return a->out->rows == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

static void arrange_forget_counts(const arranging *a)
{
    for (uint32_t i = 0; i < a->out->course_count; i++) {
        const ki_course *course = &a->out->courses[i];
        course->from->leaving = 0;
        if (course->to != NULL) {
            course->to->arriving = 0;
        }
    }
    ki_expected_forget(a->store);
}

kith_result ki_commands_arrange(kith_commands *commands, ki_arrangement *arrangement)
{
    ki_store *store = ki_world_store(commands->world);
    *arrangement = (ki_arrangement){.commands = commands};
    arranging a = {.out = arrangement,
                   .store = store,
                   .free_index1 = store->entities.free_head,
                   .fresh_index = store->entities.slots,
                   .touched_records = UINT32_MAX};
    ki_leader_walk walk = ki_leader_walk_start(commands);
    kith_result result = KITH_OK;
    for (ki_command *leader = ki_leader_walk_next(&walk); leader != NULL && result == KITH_OK;
         leader = ki_leader_walk_next(&walk)) {
        result = arrange_leader(&a, leader);
    }
    if (result == KITH_OK) {
        result = arrange_end(&a);
    }
    arrange_forget_counts(&a);
    return result;
}

void ki_arrangement_free(ki_arrangement *arrangement)
{
    ki_heap *heap = &arrangement->commands->context.heap;
    ki_heap_give(heap, arrangement->courses,
                 arrangement->course_capacity * sizeof *arrangement->courses,
                 _Alignof(max_align_t));
    ki_heap_give(heap, arrangement->runs, arrangement->run_capacity * sizeof *arrangement->runs,
                 _Alignof(max_align_t));
    ki_heap_give(heap, arrangement->ops, arrangement->op_capacity * sizeof *arrangement->ops,
                 _Alignof(max_align_t));
    ki_heap_give(heap, arrangement->rows, arrangement->largest * sizeof *arrangement->rows,
                 _Alignof(uint32_t));
}
