/* Reserving: all that the runs need. Nothing of the world changes that can be seen. */
#include "command/runs.h"
#include "store/change_set.h"

typedef struct reserving {
    ki_runs *runs;
    ki_store *store;
    ki_change_set set;
    const ki_transition *transition; /* of the run at hand */
    uint32_t row_block;              /* the last block of rows that was marked, */
    uint32_t slot_block;             /* and of records */
    uint32_t count;                  /* the slice: these slots */
    bool consecutive;                /* which follow one another */
    uint32_t indexes[KI_SLICE];
} reserving;

/* Finds the handles of entities to be made, which ki_entities_take will return in this order. */
static kith_result reserve_handles(ki_runs *runs, ki_store *store)
{
    const ki_entities *entities = &store->entities;
    KI_TRY(ki_entities_reserve(&store->columns, &store->entities, runs->spawns));
    uint32_t free_index1 = entities->free_head;
    uint32_t fresh_index1 = entities->slots + 1;
    for (ki_command_group *group = runs->groups; group != NULL; group = group->next) {
        if ((group->state & KI_GROUP_MADE) == 0) {
            continue;
        }
        group->consecutive_slots = free_index1 == 0;
        ki_spawn *spawned = &runs->commands->spawned[group->number - 1];
        for (uint32_t i = 0; i < group->count; i++) {
            if (ki_group_is_void(group)) {
                spawned[i].real = KITH_NONE;
            } else if (free_index1 == 0) {
                spawned[i].real = (kith_entity){fresh_index1++, 0};
            } else {
                spawned[i].real = ki_entity_at(entities, free_index1 - 1);
                free_index1 = ki_record_at(entities, free_index1 - 1)->row;
            }
        }
    }
    return KITH_OK;
}

/* ---- Rows and records ------------------------------------------------------------------------ */

/* Makes a row ready to be left, or, if the entity stays, to be overwritten. */
static bool reserve_row(reserving *r, const ki_command_group *group, uint32_t row)
{
    if (r->transition->leaves) {
        return ki_rows_mark(&r->store->columns, &r->transition->from->rows, row);
    }
    for (const ki_pending *next = group->list; next != NULL; next = next->next) {
        ki_column *column = ki_pending_column(r->transition, next);
        if (column != NULL && !ki_column_mark(&r->store->columns, column, row)) {
            return false;
        }
    }
    return true;
}

/* Makes the rows of a group ready, block by block where they follow one another. */
static bool reserve_rows(reserving *r, const ki_command_group *group)
{
    uint32_t shift = ki_rows_block_shift(&r->transition->from->rows);
    for (uint32_t i = 0, step; i < group->count; i += step) {
        kith_entity entity = ki_group_entity(r->runs->commands, group, i);
        uint32_t row = ki_record_at(&r->store->entities, entity.index1 - 1)->row;
        uint32_t block = row >> shift;
        step = group->consecutive_rows ? ((block + 1) << shift) - row : 1;
        if (block != r->row_block && !reserve_row(r, group, row)) {
            return false;
        }
        r->row_block = block;
    }
    return true;
}

/* The same for records, which change where the entities leave their table. */
static bool reserve_records(reserving *r, const ki_command_group *group)
{
    for (uint32_t i = 0, step; i < group->count; i += step) {
        uint32_t index = ki_group_entity(r->runs->commands, group, i).index1 - 1;
        uint32_t block = index / KI_BLOCK_ROWS_MAX;
        step = group->consecutive_slots ? KI_BLOCK_ROWS_MAX - index % KI_BLOCK_ROWS_MAX : 1;
        if (block != r->slot_block &&
            !ki_record_mark(&r->store->columns, &r->store->entities, index)) {
            return false;
        }
        r->slot_block = block;
    }
    return true;
}

/* ---- Other layouts --------------------------------------------------------------------------- */

/* Makes the slice ready to get a component, or to have it overwritten. With `bare`, none will have
 * it by then. */
static kith_result reserve_put(reserving *r, ki_component *component, bool keeps, bool bare)
{
    ki_column_context *columns = &r->store->columns;
    ki_flow *flow = ki_change_set_component(&r->set, component);
    if (flow == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (r->consecutive) {
        uint32_t first = r->indexes[0];
        uint32_t there = bare ? 0 : ki_storage_count_in(component, first, r->count);
        if (there == 0) {
            flow->entering += r->count;
            return ki_storage_reserve_slots(columns, &r->store->entities, component, first,
                                            r->count);
        }
        if (there == r->count) {
            return keeps || ki_storage_mark_value_span(columns, component, first, r->count)
                       ? KITH_OK
                       : KITH_ERR_MEMORY;
        }
    }
    for (uint32_t i = 0; i < r->count; i++) {
        if (bare || !ki_storage_has(component, r->indexes[i])) {
            flow->entering++;
            KI_TRY(
                ki_storage_reserve_index(columns, &r->store->entities, component, r->indexes[i]));
        } else if (!keeps && !ki_storage_mark_value(columns, component, r->indexes[i])) {
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
}

static kith_result reserve_slice(reserving *r, const ki_command_group *group)
{
    bool bare = r->transition->from == NULL || r->transition->loses;
    if (r->transition->loses) {
        KI_TRY(ki_change_set_lose_all(&r->set, r->indexes, r->count, r->consecutive));
    }
    for (const ki_pending *next = group->list; next != NULL; next = next->next) {
        ki_component *component = ki_store_component(r->store, next->component);
        if (component->layout == KITH_TABLE) {
            continue;
        }
        if (next->kind != KI_COMMAND_REMOVE) {
            KI_TRY(reserve_put(r, component, ki_pending_keeps(next), bare));
        } else if (!bare) {
            KI_TRY(ki_change_set_lose(&r->set, component, r->indexes, r->count, r->consecutive));
        }
    }
    return KITH_OK;
}

/* Makes a group ready for what it gets and loses in other layouts. */
static kith_result reserve_storages(reserving *r, const ki_command_group *group)
{
    r->consecutive = group->consecutive_slots;
    for (uint32_t done = 0; done < group->count; done += r->count) {
        r->count = ki_min_u32(group->count - done, KI_SLICE);
        uint32_t first = ki_group_entity(r->runs->commands, group, done).index1 - 1;
        for (uint32_t i = 0; i < r->count; i++) {
            r->indexes[i] = r->consecutive
                                ? first + i
                                : ki_group_entity(r->runs->commands, group, done + i).index1 - 1;
        }
        KI_TRY(reserve_slice(r, group));
    }
    return KITH_OK;
}

/* ---- All ------------------------------------------------------------------------------------- */

static kith_result reserve_run(reserving *r, ki_run *run)
{
    const ki_transition *transition = &r->runs->transitions[run->transition];
    r->transition = transition;
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
    if (transition->leaves && run->count > r->runs->largest) {
        r->runs->largest = run->count;
    }
    const ki_command_group *group = run->first;
    for (uint32_t i = 0; i < run->group_count; i++, group = group->next) {
        if ((transition->from != NULL && !reserve_rows(r, group)) ||
            (transition->leaves && !reserve_records(r, group))) {
            return KITH_ERR_MEMORY;
        }
        if (transition->storages || transition->loses) {
            KI_TRY(reserve_storages(r, group));
        }
    }
    return KITH_OK;
}

static kith_result reserve_all(reserving *r)
{
    ki_runs *runs = r->runs;
    if (runs->commands->spawns != 0) {
        KI_TRY(reserve_handles(runs, r->store));
    }
    for (uint32_t i = 0; i < runs->run_count; i++) {
        KI_TRY(reserve_run(r, &runs->runs[i]));
    }
    KI_TRY(ki_change_set_reserve(&r->set));
    if (runs->largest != 0) {
        runs->rows = ki_heap_alloc(&runs->commands->context.heap,
                                   runs->largest * sizeof *runs->rows, _Alignof(uint32_t));
    }
    return runs->largest != 0 && runs->rows == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

kith_result ki_runs_reserve(ki_runs *runs)
{
    ki_store *store = &runs->commands->world->store;
    reserving r;
    r.runs = runs;
    r.store = store;
    ki_change_set_init(&r.set, store, &runs->commands->context.heap);
    r.set.once = true;
    kith_result result = reserve_all(&r);
    ki_change_set_free(&r.set);
    return result;
}
