/* Applying: once all is merged and reserved, the changes themselves, which cannot fail. */
#include "command/handles.h"
#include "command/link_wants.h"
#include "command/runs.h"
#include "command/unique_claims.h"
#include "store/table_logs.h"

/* Entities are changed in slices: each column is written in one loop for many of them. */
#define APPLY_SLICE 256u

typedef struct applying {
    const ki_runs *runs;
    kith_commands *commands;
    ki_store *store;
    const ki_run *run;               /* the one at hand */
    const ki_transition *transition; /* of it */
    uint32_t *left; /* the rows that the run's entities leave; where the next ones go */

    const ki_command_group *group; /* of the slice */
    uint32_t first;                /* its first entity, in the group */
    uint32_t count;
    bool consecutive_slots;
    bool together;  /* their rows follow one another, */
    uint32_t *rows; /* the rows that they have, from which they may move */
    uint32_t to;    /* the first row that they get in another table */
    const kith_entity *entities;
    kith_entity gathered[APPLY_SLICE]; /* what `entities` leads to, unless that is in their table */
    uint32_t kept_rows[APPLY_SLICE];   /* `rows` of entities that leave none */
} applying;

/* ---- A slice --------------------------------------------------------------------------------- */

/* Finds the slice's entities in a block of rows, where they follow one another. */
static void apply_find_block(applying *a, uint32_t row)
{
    const ki_rows *rows = &a->transition->from->rows;
    a->entities = KI_COLUMN_AT(const kith_entity, &rows->entities, row);
    uint32_t count = ki_min_u32(a->count, KI_BLOCK_ROWS_MAX - row % KI_BLOCK_ROWS_MAX);
    uint32_t *left = a->rows;
    for (uint32_t i = 0; i < count; i++) {
        left[i] = row + i;
    }
    a->count = count;
}

/* Finds the slice's entities one by one. */
static void apply_find_each(applying *a)
{
    a->entities = a->gathered;
    for (uint32_t i = 0; i < a->count; i++) {
        kith_entity entity = ki_group_entity(a->commands, a->group, a->first + i);
        a->gathered[i] = entity;
        a->rows[i] = ki_record_at(&a->store->entities, entity.index1 - 1)->row;
        a->together = a->together && a->rows[i] == a->rows[0] + i;
    }
}

/* Finds the next slice of the group at hand. Entities that are cleared and then get something go
 * one by one: the order of rows in sparse sets must not depend on where slices end. */
static void apply_find_slice(applying *a)
{
    bool leaves = a->transition->leaves;
    bool refills = (a->group->state & KI_GROUP_BARE) != 0 && a->group->list != NULL;
    a->count = ki_min_u32(a->group->count - a->first, refills ? 1 : APPLY_SLICE);
    a->rows = leaves ? a->left : a->kept_rows;
    a->together = true;
    a->consecutive_slots = a->group->consecutive_slots;
    if (a->run->in_place && a->group->consecutive_rows) {
        kith_entity first = ki_group_entity(a->commands, a->group, a->first);
        apply_find_block(a, ki_record_at(&a->store->entities, first.index1 - 1)->row);
    } else {
        apply_find_each(a);
    }
    if (leaves) {
        a->left += a->count;
    }
}

/* Sets the records to the new rows. */
static void apply_set_records(const applying *a)
{
    const ki_entities *all = &a->store->entities;
    uint32_t table = a->transition->to->id;
    for (uint32_t done = 0, step; done < a->count; done += step) {
        uint32_t index = a->entities[done].index1 - 1;
        ki_record *record = ki_record_at(all, index);
        step = a->consecutive_slots
                   ? ki_min_u32(a->count - done, KI_BLOCK_ROWS_MAX - index % KI_BLOCK_ROWS_MAX)
                   : 1;
        for (uint32_t i = 0; i < step; i++) {
            record[i].table = table;
            record[i].row = a->to + done + i;
        }
    }
}

/* Moves the slice's entities to new rows, or makes rows for them. */
static void apply_move(applying *a)
{
    const ki_transition *transition = a->transition;
    ki_rows *to = &transition->to->rows;
    a->to = to->count;
    to->count += a->count;
    ki_column_write_rows(&to->entities, a->to, a->count, a->entities, sizeof *a->entities);
    for (uint32_t k = 0; transition->edge != NULL && k < transition->edge->copy_count; k++) {
        const ki_edge_copy *copy = &transition->edge->copies[k];
        if (a->together) {
            ki_column_copy_rows(copy->to, a->to, copy->from, a->rows[0], a->count);
            continue;
        }
        for (uint32_t i = 0; i < a->count; i++) {
            ki_column_copy(copy->to, a->to + i, copy->from, a->rows[i]);
        }
    }
    apply_set_records(a);
}

/* Moves owned values to where they are needed. Where a component is kept, its new value is left
 * over. */
static void apply_owned(applying *a, ki_component *component, const ki_pending *pending, bool moves)
{
    bool keeps = ki_pending_keeps(pending);
    ki_column *column = ki_pending_column(a->transition, pending);
    for (uint32_t i = 0; i < a->count; i++) {
        ki_owned_value *owned = ki_owned_value_at(ki_group_value(a->group, pending, a->first + i));
        const uint8_t *value = ki_owned_value_bytes(owned);
        if (column != NULL) {
            ki_column_write(column, moves ? a->to + i : a->rows[i], value);
        } else if (component->layout != KITH_TABLE &&
                   !(keeps && ki_storage_has(component, a->entities[i].index1 - 1))) {
            ki_storage_put(&a->store->entities, component, &a->entities[i], 1, false, value, 0,
                           false);
        } else {
            continue;
        }
        owned->component = NULL;
    }
}

/* Writes values into the rows of the slice. */
static void apply_to_rows(applying *a, ki_column *column, const uint8_t *values, bool moves)
{
    size_t stride = a->group->stride;
    if (moves || a->together) {
        ki_column_write_rows(column, moves ? a->to : a->rows[0], a->count, values, stride);
        return;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        ki_column_write(column, a->rows[i], values == NULL ? NULL : values + i * stride);
    }
}

/* Does what one command of each entity says. */
static void apply_pending(applying *a, const ki_pending *pending, bool moves)
{
    ki_component *component = ki_store_component(a->store, pending->component);
    const uint8_t *values = ki_group_value(a->group, pending, a->first);
    if (component->hooks != NULL && pending->kind != KI_COMMAND_REMOVE) {
        apply_owned(a, component, pending, moves);
    } else if (component->layout == KITH_TABLE) {
        ki_column *column = ki_pending_column(a->transition, pending);
        if (column != NULL) {
            apply_to_rows(a, column, values, moves);
        }
    } else if (pending->kind == KI_COMMAND_REMOVE) {
        ki_storage_take(component, a->entities, a->count, a->consecutive_slots);
    } else {
        ki_storage_put(&a->store->entities, component, a->entities, a->count, a->consecutive_slots,
                       values, a->group->stride, ki_pending_keeps(pending));
    }
}

static void apply_slice(applying *a)
{
    const ki_transition *transition = a->transition;
    apply_find_slice(a);
    a->store->despawning = transition->to == NULL;
    if (transition->loses) {
        ki_storages_remove_many(a->store, a->entities, a->count, a->consecutive_slots);
    }
    bool moves = transition->to != NULL && transition->to != transition->from;
    if (moves) {
        apply_move(a);
    }
    if (transition->to != transition->from) {
        ki_table_logs_append(a->store, transition->from, transition->to, a->entities, a->rows,
                             a->count);
    }
    a->store->despawning = false;
    for (uint32_t i = 0; transition->to == NULL && i < a->count; i++) {
        uint32_t index = a->entities[i].index1 - 1;
        ki_entities_release(&a->store->entities, ki_record_at(&a->store->entities, index), index);
    }
    for (const ki_pending *next = a->group->list; next != NULL; next = next->next) {
        apply_pending(a, next, moves);
    }
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Takes rows out of a table after their entities have moved or ended. Holes are filled from the
 * end, by the rows that stay. */
static void apply_remove_rows(ki_store *store, ki_table *table, const uint32_t *rows,
                              uint32_t count)
{
    for (uint32_t i = 0; table->rows.hooked && i < count; i++) {
        ki_rows_destroy(&table->rows, rows[i]);
    }
    uint32_t left = table->rows.count - count;
    uint32_t last = table->rows.count;
    for (uint32_t i = 0; left != 0 && i < count; i++) {
        if (rows[i] >= left) {
            continue;
        }
        ki_record *record;
        do {
            kith_entity entity = ki_rows_entity(&table->rows, --last);
            record = ki_record_at(&store->entities, entity.index1 - 1);
        } while (record->table != table->id);
        ki_rows_fill(&table->rows, rows[i], last);
        record->row = rows[i];
    }
    table->rows.count = left;
}

static void apply_run(applying *a, const ki_run *run)
{
    a->run = run;
    a->transition = &a->runs->transitions[run->transition];
    a->left = a->runs->rows;
    a->group = run->first;
    for (uint32_t i = 0; i < run->group_count; i++, a->group = a->group->next) {
        for (a->first = 0; a->first < a->group->count; a->first += a->count) {
            apply_slice(a);
        }
    }
    if (a->transition->leaves) {
        apply_remove_rows(a->store, a->transition->from, a->runs->rows, run->count);
    }
}

/* Replaces provisional handles in what is queued, and in copies of it. */
static void apply_handles(const ki_runs *runs)
{
    const ki_handle_change change = ki_handles_real(runs->commands);
    ki_handles_replace(runs->commands, &change);
    for (const ki_command_group *group = runs->groups; group != NULL; group = group->next) {
        for (const ki_pending *next = group->refers ? group->list : NULL; next != NULL;
             next = next->next) {
            const ki_component *component =
                ki_store_component(&runs->commands->world->store, next->component);
            if (component->has_handles && component->hooks == NULL && next->value != NULL) {
                ki_handles_replace_in(component->type, (uint8_t *)(uintptr_t)next->value, &change);
            }
        }
    }
}

void ki_runs_apply(const ki_runs *runs)
{
    kith_commands *commands = runs->commands;
    ki_store *store = &commands->world->store;
    for (uint32_t i = 0; i < runs->spawns; i++) {
        ki_entities_take(&store->entities, 0, 0);
    }
    if (commands->refers) {
        apply_handles(runs);
    }
    applying a; /* little of it is to be set: slices are long */
    a.runs = runs;
    a.commands = commands;
    a.store = store;
    for (uint32_t i = 0; i < runs->run_count; i++) {
        apply_run(&a, &runs->runs[i]);
    }
}

/* Makes the changes of runs whose links are made, unless a unique key forbids it. */
static kith_result apply_claimed(const ki_runs *runs)
{
    ki_key_claims claims;
    kith_result result = ki_runs_claim(runs, &claims);
    if (result == KITH_OK) {
        ki_runs_apply(runs);
        ki_key_claims_settle(&claims);
    }
    ki_key_claims_free(&claims);
    return result;
}

/* Merges and applies what is queued. With `*more` nothing is done: see ki_runs_link. */
static kith_result apply_merged(kith_commands *commands, uint32_t *dead, kith_commands **more)
{
    ki_command_group *groups;
    ki_store *store = &commands->world->store;
    ki_runs runs;
    *more = NULL;
    KI_TRY(ki_groups_make(commands, &groups, dead));
    const uint32_t begin = ki_link_changes_begin(store);
    kith_result result = ki_runs_make(&runs, commands, groups);
    result = result == KITH_OK ? ki_runs_reserve(&runs) : result;
    result = result == KITH_OK ? ki_runs_reserve_names(&runs) : result;
    result = result == KITH_OK ? ki_runs_link(&runs, more) : result;
    if (result == KITH_OK && *more == NULL) {
        result = apply_claimed(&runs);
    }
    ki_link_changes_end(store, begin, result);
    ki_runs_free(&runs);
    return result;
}

/* The same with commands for what follows from those of the program at the end. */
static kith_result apply_more(kith_commands *commands, uint32_t *dead, kith_commands *more)
{
    kith_commands *last = commands;
    while (last->more != NULL) {
        last = last->more;
    }
    last->more = more;
    ki_log_rewind(&commands->context.heap, &commands->groups);
    ki_log_rewind(&commands->context.heap, &commands->copies);
    ki_owned_values_rewind(&commands->context.heap, &commands->cloned);
    kith_commands *none;
    kith_result result = apply_merged(commands, dead, &none);
    KI_ASSERT(none == NULL);
    last->more = NULL;
    kith_commands_free(more);
    return result;
}

static kith_result apply(kith_commands *commands, uint32_t *dead)
{
    kith_commands *more;
    KI_TRY(ki_new_types_register(commands));
    kith_result result = apply_merged(commands, dead, &more);
    if (more != NULL) {
        result = apply_more(commands, dead, more);
    }
    if (result == KITH_OK) {
        commands->dead += *dead;
        ki_commands_applied(commands);
    }
    return result;
}

/* Leaves a message for kith_error and kith_commands_error. */
static void apply_tell(kith_commands *commands, kith_result result)
{
    const ki_heap *world = &commands->world->store.context.heap;
    const ki_heap *buffer = &commands->context.heap;
    if (commands->context.error[0] ==
        '\0') { /* else a type or a clone was to blame, which is told */
        ki_fail(
            &commands->context, result,
            "kith_commands_apply: %s for %u commands; the world holds %zu bytes of at most %zu, the"
            " buffer %zu of %zu (0: no limit)",
            result == KITH_ERR_MEMORY ? "no memory" : "no room", ki_commands_count(commands),
            world->used, world->limit, buffer->used, buffer->limit);
    }
    ki_fail(&commands->world->store.context, result, "%s", commands->context.error);
}

kith_result kith_commands_apply(kith_commands *commands, uint32_t *dead)
{
    if (KI_CHECKED && commands == NULL) {
        return ki_misuse(NULL, "kith_commands_apply: the command buffer is NULL");
    }
    kith_world *world = commands->world;
    KI_TRY(ki_world_begin_change(world, "kith_commands_apply"));
    if (commands->failed != KITH_OK) {
        return ki_fail(
            &world->store.context, commands->failed,
            "kith_commands_apply: nothing is applied, since a command was not queued: %s",
            commands->context.error);
    }
    uint32_t ended = 0;
    commands->context.error[0] = '\0';
    ki_commands_occupy(commands);
    kith_result result = ki_commands_count(commands) == 0 ? KITH_OK : apply(commands, &ended);
    ki_log_rewind(&commands->context.heap, &commands->groups);
    ki_log_rewind(&commands->context.heap, &commands->copies);
    ki_owned_values_rewind(&commands->context.heap, &commands->cloned);
    ki_commands_release(commands);
    if (result != KITH_OK) {
        apply_tell(commands, result);
    }
    if (result == KITH_ERR_MEMORY) {
        /* What was reserved for many entities would be missed by the next call. */
        ki_store_trim(&world->store);
    }
    if (result == KITH_OK && dead != NULL) {
        *dead = ended;
    }
    return result;
}
