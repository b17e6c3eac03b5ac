/* Arranging: finds runs of groups that make the same move, and reserves for all of them, so that
 * nothing can fail after. */
#include "command/buffer.h"

#define ARRANGE_STATE (KI_COMMAND_MADE | KI_COMMAND_BARE | KI_COMMAND_GONE)

/* Where the arrangement has got to. */
typedef struct arranging {
    ki_arrangement *out;
    ki_store *store;
    ki_command *first;        /* of the run at hand */
    ki_run *run;              /* NULL: none yet */
    uint32_t touched_shift;   /* log2 of the rows that one touch is good for, in the run's table */
    uint32_t touched;         /* the last such part that was touched */
    uint32_t touched_records; /* the last block of records that was touched */
    uint32_t free_index1;     /* the slot that the next entity to be made gets; 0: a fresh one */
    uint32_t fresh_index;
} arranging;

/* ---- Runs ------------------------------------------------------------------------------------ */

static bool arrange_same(const ki_command *a, const ki_command *b)
{
    return a->kind == b->kind && a->component == b->component &&
           ((a->flags ^ b->flags) & KI_COMMAND_FRESH) == 0;
}

/* The part of arrange_fits that is not the usual case. */
static bool arrange_fits_slow(const arranging *a, ki_command *leader)
{
    ki_command *first = a->first;
    if (a->run == NULL || ((first->flags ^ leader->flags) & ARRANGE_STATE) != 0 ||
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

/* Whether a leader makes the same move as the first of the run. */
static inline bool arrange_fits(const arranging *a, ki_command *leader)
{
    ki_command *first = a->first;
    if (KI_LIKELY(first != NULL && leader->next == NULL && first->next == NULL &&
                  leader->kind == first->kind && leader->component == first->component &&
                  leader->in.table == first->in.table &&
                  ((leader->flags ^ first->flags) & ~(KI_COMMAND_APART | KI_COMMAND_SCATTERED)) ==
                      0 &&
                  (leader->flags & KI_COMMAND_MADE) == 0)) {
        return true; /* the usual case */
    }
    return arrange_fits_slow(a, leader);
}

/* The table of what a table has and the commands change. */
static kith_result arrange_table(ki_store *store, const ki_table *base, const ki_command *commands,
                                 ki_table **to)
{
    uint32_t most = base->column_count;
    for (const ki_command *command = commands; command != NULL; command = command->next) {
        most++;
    }
    uint32_t *ids = ki_store_ids(store, most);
    if (ids == NULL) {
        return KITH_ERR_MEMORY;
    }
    uint32_t count = base->column_count;
    if (count != 0) {
        memcpy(ids, base->ids, count * sizeof *ids);
    }
    for (const ki_command *command = commands; command != NULL; command = command->next) {
        uint32_t id = command->component;
        if (ki_store_component(store, id)->layout != KITH_TABLE) {
            continue;
        }
        uint32_t place = 0;
        while (place < count && ids[place] < id) {
            place++;
        }
        bool there = place < count && ids[place] == id;
        if (command->kind == KI_COMMAND_REMOVE && there) {
            count--;
            memmove(ids + place, ids + place + 1, (count - place) * sizeof *ids);
        } else if (command->kind != KI_COMMAND_REMOVE && !there) {
            memmove(ids + place + 1, ids + place, (count - place) * sizeof *ids);
            ids[place] = id;
            count++;
        }
    }
    return ki_store_table(store, ids, count, to);
}

/* Finds where the run's entities go, and by which edge. */
static kith_result arrange_target(ki_store *store, ki_command *leader, ki_run *run)
{
    if ((run->state & KI_COMMAND_GONE) != 0) {
        return KITH_OK;
    }
    const ki_command *only = ki_leader_first(leader);
    run->to = run->from;
    if (run->state == 0) {
        if (only == NULL) {
            return KITH_OK;
        }
        if (only->next == NULL) {
            if (ki_store_component(store, only->component)->layout != KITH_TABLE ||
                (ki_table_find(run->from, only->component) == KI_NO_COLUMN) ==
                    (only->kind == KI_COMMAND_REMOVE)) {
                return KITH_OK;
            }
            KI_TRY(ki_store_step(store, run->from, only->component, &run->edge));
            run->to = run->edge->to;
            return KITH_OK;
        }
    }
    KI_TRY(arrange_table(store, run->state == 0 ? run->from : store->tables[0], only, &run->to));
    if (run->to != run->from && (run->state & KI_COMMAND_MADE) == 0) {
        run->edge = ki_table_edge(&store->space, run->from, run->to);
        return run->edge == NULL ? KITH_ERR_MEMORY : KITH_OK;
    }
    return KITH_OK;
}

/* What is to be done about one component for the run's entities. */
static ki_run_op arrange_op(ki_store *store, const ki_run *run, const ki_command *command)
{
    ki_component *component = ki_store_component(store, command->component);
    ki_run_op op = {.component = component, .column = KI_NO_COLUMN, .kind = command->kind};
    bool keeps = command->kind == KI_COMMAND_ADD && (command->flags & KI_COMMAND_FRESH) == 0;
    op.held = component->hooks != NULL && command->kind != KI_COMMAND_REMOVE;
    if (component->layout != KITH_TABLE) {
        op.keeps = keeps;
    } else if (command->kind != KI_COMMAND_REMOVE &&
               (!keeps || ki_table_find(run->from, component->id) == KI_NO_COLUMN)) {
        op.column = ki_table_find(run->to, component->id);
    }
    return op;
}

/* Begins a run with this leader. */
static kith_result arrange_run(arranging *a, ki_command *leader)
{
    ki_arrangement *out = a->out;
    ki_store *store = a->store;
    ki_heap *heap = &out->commands->context.heap;
    KI_TRY(ki_heap_grow(heap, &out->runs, &out->run_capacity, out->run_count + 1, sizeof *out->runs,
                        4));
    bool made = (leader->flags & KI_COMMAND_MADE) != 0;
    ki_run run = {.state = leader->flags & ARRANGE_STATE,
                  .from = store->tables[made ? 0 : leader->in.table],
                  .only_tables = true,
                  .first_op = out->op_count};
    KI_TRY(arrange_target(store, leader, &run));
    for (const ki_command *command = ki_leader_first(leader); command != NULL;
         command = command->next) {
        KI_TRY(ki_heap_grow(heap, &out->ops, &out->op_capacity, out->op_count + 1, sizeof *out->ops,
                            8));
        ki_run_op op = arrange_op(store, &run, command);
        run.only_tables = run.only_tables && op.component->layout == KITH_TABLE;
        out->ops[out->op_count++] = op;
        run.op_count++;
    }
    a->run = &out->runs[out->run_count++];
    *a->run = run;
    a->first = leader;
    a->touched = UINT32_MAX;
    a->touched_shift = run.from->entities.shift;
    for (uint32_t i = 0; i < run.from->column_count; i++) {
        a->touched_shift = ki_min_u32(a->touched_shift, run.from->columns[i].shift);
    }
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
    ki_track_expect_lost(component, 1);
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
static kith_result arrange_enter(ki_store *store, const ki_run_op *op, const uint32_t *indexes,
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
    if (component->track != NULL) {
        component->track->pending += arriving;
    }
    if (component->layout == KITH_SPARSE) {
        component->in.sparse.arriving += arriving;
    }
    return KITH_OK;
}

/* All that the run's commands do to other layouts. */
static kith_result arrange_others(arranging *a, const uint32_t *indexes, uint32_t count, bool bare)
{
    const ki_run_op *op = ki_run_ops(a->out, a->run);
    for (uint32_t left = a->run->op_count; left != 0; left--, op++) {
        if (op->component->layout == KITH_TABLE) {
            continue;
        }
        if (op->kind != KI_COMMAND_REMOVE) {
            KI_TRY(arrange_enter(a->store, op, indexes, count, bare));
        } else if (!bare && !arrange_leave(a->store, op->component, indexes, count)) {
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
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
    a->touched = row >> a->touched_shift;
    ki_space *space = &a->store->space;
    if (a->run->to != a->run->from) {
        return ki_table_touch_removal(space, a->run->from, row);
    }
    const ki_run_op *op = ki_run_ops(a->out, a->run);
    for (uint32_t left = a->run->op_count; left != 0; left--, op++) {
        if (op->column != KI_NO_COLUMN &&
            !ki_column_touch(space, &a->run->to->columns[op->column], row)) {
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
        KI_TRY(a->run->only_tables ? KITH_OK : arrange_others(a, indexes, count, true));
        left -= count;
    }
    return KITH_OK;
}

/* Makes the rows of a group ready, which begins in `row`. */
static bool arrange_rows(arranging *a, const ki_command *leader, uint32_t row)
{
    if ((leader->flags & KI_COMMAND_APART) == 0) {
        uint64_t end = (uint64_t)row + leader->count;
        for (uint64_t at = row; at < end; at = ((at >> a->touched_shift) + 1) << a->touched_shift) {
            if (at >> a->touched_shift != a->touched && !arrange_touch_row(a, (uint32_t)at)) {
                return false;
            }
        }
        return true;
    }
    for (uint32_t i = 0; i < leader->count; i++) {
        uint32_t index = ki_leader_entity(a->out->commands, leader, i).index1 - 1;
        row = ki_record_at(&a->store->entities, index)->row;
        if (row >> a->touched_shift != a->touched && !arrange_touch_row(a, row)) {
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

/* Reserves in other layouts for the entities of a group that are there. */
static kith_result arrange_slots(arranging *a, const ki_command *leader)
{
    ki_store *store = a->store;
    bool bare = (a->run->state & (KI_COMMAND_BARE | KI_COMMAND_GONE)) != 0;
    bool leave = bare && (store->space.shared || store->track_count != 0);
    uint32_t indexes[ARRANGE_BATCH];
    for (uint32_t done = 0, count; done < leader->count; done += count) {
        count = ki_min_u32(leader->count - done, ARRANGE_BATCH);
        for (uint32_t i = 0; i < count; i++) {
            indexes[i] = ki_leader_entity(a->out->commands, leader, done + i).index1 - 1;
        }
        for (uint32_t i = leave ? 0 : count; i < count; i++) {
            if (!arrange_bare(store, indexes[i])) {
                return KITH_ERR_MEMORY;
            }
        }
        KI_TRY(arrange_others(a, indexes, count, bare));
    }
    return KITH_OK;
}

/* Reserves for the entities of a group that are there. */
static kith_result arrange_existing(arranging *a, const ki_command *leader)
{
    const ki_run *run = a->run;
    uint32_t first = ki_leader_entity(a->out->commands, leader, 0).index1 - 1;
    if (!arrange_rows(a, leader, ki_record_at(&a->store->entities, first)->row) ||
        (run->to != run->from && !arrange_records(a, leader))) {
        return KITH_ERR_MEMORY;
    }
    bool only_tables = run->only_tables && (run->state & (KI_COMMAND_BARE | KI_COMMAND_GONE)) == 0;
    return only_tables ? KITH_OK : arrange_slots(a, leader);
}

/* Adds a group to the run at hand, or begins another with it. */
static kith_result arrange_leader(arranging *a, ki_command *leader)
{
    if (!arrange_fits(a, leader)) {
        KI_TRY(arrange_run(a, leader));
    }
    a->run->count += leader->count;
    return (leader->flags & KI_COMMAND_MADE) != 0 ? arrange_made(a, leader->count)
                                                  : arrange_existing(a, leader);
}

/* What is reserved for all entities together, and the end of the counting. */
static kith_result arrange_end(arranging *a)
{
    ki_store *store = a->store;
    KI_TRY(ki_entities_reserve(&store->space, &store->entities, a->out->spawns));
    for (uint32_t i = 0; i < a->out->run_count; i++) {
        const ki_run *run = &a->out->runs[i];
        bool made = (run->state & KI_COMMAND_MADE) != 0;
        run->from->leaving += made || run->to == run->from ? 0 : run->count;
        if (run->to != NULL) {
            run->to->arriving += made || run->to != run->from ? run->count : 0;
        }
        ki_tracks_expect(store, made ? NULL : run->from, run->to, run->count);
        a->out->largest = run->count > a->out->largest ? run->count : a->out->largest;
    }
    for (uint32_t i = 0; i < a->out->run_count; i++) {
        const ki_run *run = &a->out->runs[i];
        if (run->from->leaving != 0) {
            if (!ki_rows_touch_end(store, run->from, run->from->leaving)) {
                return KITH_ERR_MEMORY;
            }
            run->from->leaving = 0;
        }
        if (run->to != NULL && run->to->arriving != 0) {
            KI_TRY(ki_table_reserve(&store->space, run->to, run->to->arriving));
            run->to->arriving = 0;
        }
    }
    for (uint32_t i = 0; i < store->other_count; i++) {
        ki_component *other = store->others[i];
        if (other->layout == KITH_SPARSE) {
            KI_TRY(ki_other_reserve_rows(store, other, other->in.sparse.arriving));
        }
    }
    KI_TRY(ki_tracks_reserve_expected(store));
    ki_heap *heap = &a->out->commands->context.heap;
    a->out->rows = ki_heap_take(heap, a->out->largest * sizeof *a->out->rows, _Alignof(uint32_t));
    return a->out->rows == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

static void arrange_forget_counts(const arranging *a)
{
    for (uint32_t i = 0; i < a->out->run_count; i++) {
        const ki_run *run = &a->out->runs[i];
        run->from->leaving = 0;
        if (run->to != NULL) {
            run->to->arriving = 0;
        }
    }
    for (uint32_t i = 0; i < a->store->other_count; i++) {
        ki_component *other = a->store->others[i];
        if (other->layout == KITH_SPARSE) {
            other->in.sparse.leaving = 0;
            other->in.sparse.arriving = 0;
        }
    }
    ki_tracks_expect_nothing(a->store);
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
    ki_heap_give(heap, arrangement->runs, arrangement->run_capacity * sizeof *arrangement->runs,
                 _Alignof(max_align_t));
    ki_heap_give(heap, arrangement->ops, arrangement->op_capacity * sizeof *arrangement->ops,
                 _Alignof(max_align_t));
    ki_heap_give(heap, arrangement->rows, arrangement->largest * sizeof *arrangement->rows,
                 _Alignof(uint32_t));
}
