#include "command/script.h"

/* ---- Transitions ------------------------------------------------------------------------------ */

/* The table of what a table has and the commands change. */
static kith_result script_table(ki_store *store, const ki_table *base, const ki_pending *list,
                                ki_table **to)
{
    uint32_t count = 0;
    for (const ki_pending *pending = list; pending != NULL; pending = pending->next) {
        count++;
    }
    uint32_t *changes = ki_store_ids(store, count);
    if (changes == NULL) {
        return KITH_ERR_MEMORY;
    }
    count = 0;
    for (const ki_pending *pending = list; pending != NULL; pending = pending->next) {
        if (ki_store_component(store, pending->component)->layout == KITH_TABLE) {
            changes[count++] = pending->kind == KI_COMMAND_REMOVE
                                   ? ki_id_removed(pending->component)
                                   : ki_id_added(pending->component);
        }
    }
    return ki_store_target(store, base, count, to);
}

/* Finds where the entities go, and by which edge. */
static kith_result script_target(ki_store *store, ki_script_transition *transition)
{
    const ki_command_group *pattern = transition->pattern;
    if ((pattern->state & KI_GROUP_GONE) != 0) {
        return KITH_OK;
    }
    KI_TRY(script_table(store, pattern->state == 0 ? transition->from : store->root, pattern->list,
                        &transition->to));
    if (!ki_script_leaves(transition)) {
        return KITH_OK;
    }
    transition->edge = ki_table_edge(&store->columns, transition->from, transition->to);
    return transition->edge == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

/* What is to be done about one component. */
static ki_script_op script_op(ki_store *store, const ki_script_transition *transition,
                              const ki_pending *pending)
{
    ki_component *component = ki_store_component(store, pending->component);
    bool removes = pending->kind == KI_COMMAND_REMOVE;
    bool keeps = pending->kind == KI_COMMAND_ADD && !pending->fresh;
    ki_script_op op = {.component = component,
                       .kind = pending->kind,
                       .held = component->hooks != NULL && !removes};
    if (component->layout != KITH_TABLE) {
        op.keeps = keeps;
    } else if (!removes && !(keeps && transition->from != NULL &&
                             ki_table_has(transition->from, component->id))) {
        op.column = ki_table_column(transition->to, component->id);
    }
    return op;
}

static kith_result script_add(ki_script *script, const ki_command_group *group)
{
    ki_heap *heap = &script->commands->context.heap;
    ki_store *store = &script->commands->world->store;
    KI_TRY(ki_heap_grow(heap, &script->transitions, &script->transition_capacity,
                        script->transition_count + 1, sizeof *script->transitions, 4));
    ki_script_transition transition = {
        .pattern = group,
        .from = (group->state & KI_GROUP_MADE) != 0 ? NULL : store->tables[group->table],
        .first_op = script->op_count};
    KI_TRY(script_target(store, &transition));
    for (const ki_pending *pending = group->list; pending != NULL; pending = pending->next) {
        KI_TRY(ki_heap_grow(heap, &script->ops, &script->op_capacity, script->op_count + 1,
                            sizeof *script->ops, 8));
        script->ops[script->op_count++] = script_op(store, &transition, pending);
        transition.op_count++;
    }
    script->transitions[script->transition_count++] = transition;
    return KITH_OK;
}

/* Whether two groups make the same transition. */
static bool script_same(const ki_command_group *a, const ki_command_group *b)
{
    if (a->state != b->state || a->table != b->table) {
        return false;
    }
    const ki_pending *one = a->list;
    const ki_pending *other = b->list;
    while (one != NULL && other != NULL && one->kind == other->kind &&
           one->component == other->component && one->fresh == other->fresh) {
        one = one->next;
        other = other->next;
    }
    return one == NULL && other == NULL;
}

/* The same for groups that make the same transition. */
static uint64_t script_key(const ki_command_group *group)
{
    uint64_t key = (uint64_t)group->table << 3 | group->state;
    for (const ki_pending *pending = group->list; pending != NULL; pending = pending->next) {
        key = (key ^ ((uint64_t)pending->component << 4 | pending->kind)) * 0x9fb21c651e98df25u;
        key ^= key >> 29;
    }
    return key;
}

/* The transition of a group, which another one may have made before. */
static kith_result script_transition(ki_script *script, const ki_command_group *group,
                                     uint32_t *number)
{
    uint64_t key = script_key(group);
    uint32_t at;
    for (uintptr_t known = (uintptr_t)ki_map_first(&script->known, key, &at); known != 0;
         known = (uintptr_t)ki_map_next(&script->known, key, &at)) {
        if (script_same(script->transitions[known - 1].pattern, group)) {
            *number = (uint32_t)known - 1;
            return KITH_OK;
        }
    }
    KI_TRY(ki_map_reserve(&script->commands->context.heap, &script->known));
    KI_TRY(script_add(script, group));
    ki_map_insert(&script->known, key, (void *)(uintptr_t)script->transition_count);
    *number = script->transition_count - 1;
    return KITH_OK;
}

/* Puts each group into a run. */
static kith_result script_make_runs(ki_script *script, const ki_command_group *groups)
{
    ki_run *run = NULL;
    for (const ki_command_group *group = groups; group != NULL; group = group->next) {
        if (ki_group_is_void(group)) {
            run = NULL; /* a run's groups follow one another */
            continue;
        }
        if (run == NULL || !script_same(script->transitions[run->transition].pattern, group)) {
            KI_TRY(ki_heap_grow(&script->commands->context.heap, &script->runs,
                                &script->run_capacity, script->run_count + 1, sizeof *run, 4));
            run = &script->runs[script->run_count];
            *run = (ki_run){.first = group};
            KI_TRY(script_transition(script, group, &run->transition));
            script->run_count++;
        }
        run->group_count++;
        run->count += group->count;
    }
    return KITH_OK;
}

/* ---- Reserving -------------------------------------------------------------------------------- */

#define RESERVE_BATCH 256u

typedef struct reserving {
    ki_script *script;
    ki_store *store;
    ki_change_set set;
    const ki_script_transition *transition; /* of the run at hand */
    const ki_script_op *ops;
    uint32_t row_shift;   /* log2 of the rows that one mark is good for */
    uint32_t row_block;   /* the last block of rows that was marked, */
    uint32_t slot_block;  /* and of records */
    uint32_t free_index1; /* the slot that the next entity to be made gets; 0: a fresh one */
    uint32_t fresh_index;
} reserving;

/* The slot that the next entity to be made will get. */
static kith_result reserve_slot(reserving *r, uint32_t *index)
{
    if (r->free_index1 != 0) {
        *index = r->free_index1 - 1;
        r->free_index1 = ki_record_at(&r->store->entities, *index)->row;
        return KITH_OK;
    }
    if (r->fresh_index == KI_SLOTS_MAX) {
        return KITH_ERR_LIMIT;
    }
    *index = r->fresh_index++;
    return KITH_OK;
}

/* Makes a row ready to be left, or, if the entity stays, to be overwritten. */
static bool reserve_row(reserving *r, uint32_t row)
{
    if (ki_script_leaves(r->transition)) {
        return ki_rows_mark(&r->store->columns, &r->transition->from->rows, row);
    }
    for (uint32_t i = 0; i < r->transition->op_count; i++) {
        ki_column *column = r->ops[i].column;
        if (column != NULL && !ki_column_mark(&r->store->columns, column, row)) {
            return false;
        }
    }
    return true;
}

/* Makes the rows of entities ready: what lies in the block of the one before is. */
static bool reserve_rows(reserving *r, const uint32_t *indexes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = ki_record_at(&r->store->entities, indexes[i])->row;
        if (row >> r->row_shift != r->row_block) {
            r->row_block = row >> r->row_shift;
            if (!reserve_row(r, row)) {
                return false;
            }
        }
    }
    return true;
}

/* The same for records, which change where the entities leave their table. */
static bool reserve_records(reserving *r, const uint32_t *indexes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (indexes[i] / KI_BLOCK_ROWS_MAX != r->slot_block) {
            r->slot_block = indexes[i] / KI_BLOCK_ROWS_MAX;
            if (!ki_record_mark(&r->store->columns, &r->store->entities, indexes[i])) {
                return false;
            }
        }
    }
    return true;
}

/* Makes what one command gives to entities in another layout ready. With `bare`, they have
 * nothing there, or will have lost it by then. */
static kith_result reserve_other(reserving *r, const ki_script_op *op, const uint32_t *indexes,
                                 uint32_t count, bool bare)
{
    ki_column_context *columns = &r->store->columns;
    ki_component *component = op->component;
    uint32_t entering = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (bare || !ki_storage_has(component, indexes[i])) {
            entering++;
            KI_TRY(ki_storage_reserve_index(columns, &r->store->entities, component, indexes[i]));
        } else if (!op->keeps && !ki_storage_mark_value(columns, component, indexes[i])) {
            return KITH_ERR_MEMORY;
        }
    }
    ki_flow *flow = ki_change_set_component(&r->set, component);
    if (flow == NULL) {
        return KITH_ERR_MEMORY;
    }
    flow->entering += entering;
    return KITH_OK;
}

/* Makes entities whose slots follow one another ready to lose a component that all of them have. */
static kith_result reserve_loss_span(reserving *r, ki_component *component, uint32_t first,
                                     uint32_t count)
{
    ki_flow *flow = ki_change_set_component(&r->set, component);
    if (flow == NULL ||
        !ki_storage_mark_leaving_span(&r->store->columns, component, first, count)) {
        return KITH_ERR_MEMORY;
    }
    flow->leaving += count;
    return KITH_OK;
}

/* Makes the loss of one component ready, which some may not have. */
static kith_result reserve_loss(reserving *r, ki_component *component, const uint32_t *indexes,
                                uint32_t count, bool consecutive_slots)
{
    if (consecutive_slots && ki_storage_count_in(component, indexes[0], count) == count) {
        return reserve_loss_span(r, component, indexes[0], count);
    }
    uint32_t leaving = 0;
    ki_flow *flow = ki_change_set_component(&r->set, component);
    if (flow == NULL ||
        !ki_storage_mark_leaving_each(&r->store->columns, component, indexes, count, &leaving)) {
        return KITH_ERR_MEMORY;
    }
    flow->leaving += leaving;
    return KITH_OK;
}

/* Makes the loss of all components of other layouts ready. */
static kith_result reserve_bare(reserving *r, const uint32_t *indexes, uint32_t count,
                                bool consecutive_slots)
{
    ki_entities *entities = &r->store->entities;
    uint64_t summary = 0;
    uint32_t marked = UINT32_MAX; /* the last page of lanes that was */
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *place = ki_summary_place(entities, indexes[i]);
        if (place == NULL) {
            continue;
        }
        summary |= *place;
        if (indexes[i] >> KI_SMALL_SHIFT != marked &&
            !ki_summary_mark(&r->store->columns, entities, indexes[i])) {
            return KITH_ERR_MEMORY;
        }
        marked = indexes[i] >> KI_SMALL_SHIFT;
    }
    ki_component *few[KI_STORAGES_FEW];
    uint32_t found = ki_storages_few(r->store, summary, few);
    for (uint32_t i = 0; found > KI_STORAGES_FEW && i < count; i++) {
        KI_TRY(ki_change_set_lose_all(&r->set, indexes[i]));
    }
    for (uint32_t i = 0; found <= KI_STORAGES_FEW && i < found; i++) {
        KI_TRY(reserve_loss(r, few[i], indexes, count, consecutive_slots));
    }
    return KITH_OK;
}

/* Makes entities whose slots follow one another ready to get a component that none of them has. */
static kith_result reserve_entry_span(reserving *r, ki_component *component, uint32_t first,
                                      uint32_t count)
{
    ki_flow *flow = ki_change_set_component(&r->set, component);
    if (flow == NULL) {
        return KITH_ERR_MEMORY;
    }
    flow->entering += count;
    return ki_storage_reserve_slots(&r->store->columns, &r->store->entities, component, first,
                                    count);
}

/* reserve_other for a whole group whose slots follow one another, where that can be told of all at once:
 * `*done` tells whether. */
static kith_result reserve_other_span(reserving *r, const ki_script_op *op, uint32_t first,
                                      uint32_t count, bool *done)
{
    ki_component *component = op->component;
    uint32_t there = ki_storage_count_in(component, first, count);
    bool removes = op->kind == KI_COMMAND_REMOVE;
    *done = there == 0 || there == count;
    if (there == 0 && !removes) {
        return reserve_entry_span(r, component, first, count);
    }
    if (there == count && removes) {
        return reserve_loss_span(r, component, first, count);
    }
    bool marked = there != count || removes || op->keeps ||
                  ki_storage_mark_value_span(&r->store->columns, component, first, count);
    return marked ? KITH_OK : KITH_ERR_MEMORY;
}

/* Makes the rows of a group ready that follow one another. */
static bool reserve_rows_span(reserving *r, const ki_command_group *group, uint32_t index)
{
    uint32_t row = ki_record_at(&r->store->entities, index)->row;
    for (uint64_t at = row; at < (uint64_t)row + group->count;
         at = ((at >> r->row_shift) + 1) << r->row_shift) {
        if (!reserve_row(r, (uint32_t)at)) {
            return false;
        }
    }
    return true;
}

/* What is done to one entity of a group after the other. */
typedef struct reserve_each {
    bool made;
    bool bare;         /* they lose what they have in other layouts */
    bool rows;         /* their rows are to be made ready, */
    bool records;      /* and their records */
    bool ops;          /* and what some operations do to other layouts: */
    uint64_t ops_done; /* not these, of the first 64 */
} reserve_each;

/* Makes what is about entities themselves ready, for some of a group. */
static kith_result reserve_batch(reserving *r, const ki_command_group *group, uint32_t first,
                                 uint32_t count, const reserve_each *each)
{
    uint32_t indexes[RESERVE_BATCH];
    for (uint32_t i = 0; i < count; i++) {
        if (each->made) {
            KI_TRY(reserve_slot(r, &indexes[i]));
        } else {
            indexes[i] = ki_group_entity(r->script->commands, group, first + i).index1 - 1;
        }
    }
    if (each->bare) {
        KI_TRY(reserve_bare(r, indexes, count, group->consecutive_slots));
    }
    if ((each->rows && !reserve_rows(r, indexes, count)) ||
        (each->records && !reserve_records(r, indexes, count))) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; each->ops && i < r->transition->op_count; i++) {
        const ki_script_op *op = &r->ops[i];
        bool bare = each->bare || each->made;
        bool done = i < 64 && (each->ops_done >> i & 1) != 0;
        if (done || op->component->layout == KITH_TABLE) {
            continue;
        }
        if (op->kind != KI_COMMAND_REMOVE) {
            KI_TRY(reserve_other(r, op, indexes, count, bare));
        } else if (!bare) {
            KI_TRY(reserve_loss(r, op->component, indexes, count, group->consecutive_slots));
        }
    }
    return KITH_OK;
}

/* Makes what can be told of the whole group ready, and finds out what is left. */
static kith_result reserve_together(reserving *r, const ki_command_group *group, reserve_each *each)
{
    uint32_t index = ki_group_entity(r->script->commands, group, 0).index1 - 1;
    each->rows = !group->consecutive_rows;
    if (group->consecutive_rows && !reserve_rows_span(r, group, index)) {
        return KITH_ERR_MEMORY;
    }
    each->records = ki_script_leaves(r->transition) && !group->consecutive_slots;
    if (ki_script_leaves(r->transition) && group->consecutive_slots &&
        !ki_column_mark_rows(&r->store->columns, &r->store->entities.records, index,
                             group->count)) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < r->transition->op_count; i++) {
        bool done = r->ops[i].component->layout == KITH_TABLE;
        if (!done && i < 64 && !each->bare && group->consecutive_slots) {
            KI_TRY(reserve_other_span(r, &r->ops[i], index, group->count, &done));
            each->ops_done |= (uint64_t)done << i;
        }
        each->ops = each->ops || !done;
    }
    return KITH_OK;
}

static kith_result reserve_group(reserving *r, const ki_command_group *group)
{
    bool storages = r->store->storage_count != 0;
    reserve_each each = {.made = (group->state & KI_GROUP_MADE) != 0};
    each.bare = !each.made && storages && (group->state & (KI_GROUP_BARE | KI_GROUP_GONE)) != 0;
    if (each.made) {
        each.ops = storages;
    } else {
        KI_TRY(reserve_together(r, group, &each));
    }
    if (!each.made && !each.bare && !each.rows && !each.records && !each.ops) {
        return KITH_OK;
    }
    for (uint32_t done = 0; done < group->count; done += RESERVE_BATCH) {
        uint32_t count = ki_min_u32(group->count - done, RESERVE_BATCH);
        KI_TRY(reserve_batch(r, group, done, count, &each));
    }
    return KITH_OK;
}

static kith_result reserve_run(reserving *r, ki_run *run)
{
    const ki_script_transition *transition = &r->script->transitions[run->transition];
    r->transition = transition;
    r->ops = transition->op_count == 0 ? NULL : r->script->ops + transition->first_op;
    r->row_block = UINT32_MAX;
    r->slot_block = UINT32_MAX;
    if (transition->from != NULL) {
        const ki_flow *flow = ki_change_set_table(&r->set, transition->from);
        if (flow == NULL) {
            return KITH_ERR_MEMORY;
        }
        run->in_place = flow->leaving == 0;
    }
    if (transition->from != transition->to) {
        KI_TRY(ki_change_set_move(&r->set, transition->from, transition->to, run->count));
    }
    if (transition->from == NULL) {
        r->script->spawns += run->count;
    } else {
        r->row_shift = ki_rows_block_shift(&transition->from->rows);
    }
    if (ki_script_leaves(transition) && run->count > r->script->largest) {
        r->script->largest = run->count;
    }
    const ki_command_group *group = run->first;
    for (uint32_t i = 0; i < run->group_count; i++, group = group->next) {
        KI_TRY(reserve_group(r, group));
    }
    return KITH_OK;
}

static kith_result reserve_all(reserving *r)
{
    ki_script *script = r->script;
    ki_heap *heap = &script->commands->context.heap;
    for (uint32_t i = 0; i < script->run_count; i++) {
        KI_TRY(reserve_run(r, &script->runs[i]));
    }
    KI_TRY(ki_change_set_reserve(&r->set));
    if (script->spawns != 0) {
        KI_TRY(ki_entities_reserve(&r->store->columns, &r->store->entities, script->spawns));
    }
    if (script->largest != 0) {
        script->rows =
            ki_heap_alloc(heap, script->largest * sizeof *script->rows, _Alignof(uint32_t));
    }
    return script->largest != 0 && script->rows == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

kith_result ki_script_make(ki_script *script, kith_commands *commands,
                           const ki_command_group *groups)
{
    ki_store *store = &commands->world->store;
    *script = (ki_script){.commands = commands};
    KI_TRY(script_make_runs(script, groups));
    reserving r = {.script = script,
                   .store = store,
                   .free_index1 = store->entities.free_head,
                   .fresh_index = store->entities.slots};
    ki_change_set_init(&r.set, store, &commands->context.heap);
    r.set.once = true;
    kith_result result = reserve_all(&r);
    ki_change_set_free(&r.set);
    return result;
}

void ki_script_free(ki_script *script)
{
    ki_heap *heap = &script->commands->context.heap;
    ki_heap_free(heap, script->transitions,
                 script->transition_capacity * sizeof *script->transitions, _Alignof(max_align_t));
    ki_heap_free(heap, script->ops, script->op_capacity * sizeof *script->ops,
                 _Alignof(max_align_t));
    ki_heap_free(heap, script->runs, script->run_capacity * sizeof *script->runs,
                 _Alignof(max_align_t));
    ki_heap_free(heap, script->rows, script->largest * sizeof *script->rows, _Alignof(uint32_t));
    ki_map_free(heap, &script->known);
}
