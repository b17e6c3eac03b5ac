/* Applying: once all is merged, arranged and reserved, the changes themselves, which cannot fail.
 * */
#include "command/buffer.h"

/* Leaders are taken in batches, so that what is done to one column is done in one loop. */
#define APPLY_BATCH 256u

typedef struct applying {
    kith_commands *commands;
    ki_store *store;
    const ki_run *run;
    const ki_run_op *ops; /* the run's */
    uint32_t *rows;       /* of the run's entities, where they were */
    uint32_t first;       /* the row in the run's new table of its first entity */

    uint32_t count; /* of this batch */
    uint32_t done;  /* entities of the run in batches before */
    ki_command *leaders[APPLY_BATCH];
    ki_command *next[APPLY_BATCH]; /* the command of each that is up next */
    const void *values[APPLY_BATCH];
} applying;

/* Gives the entities to be made their handles: in `spawned`, and in their leaders. */
static void apply_take_handles(applying *a)
{
    ki_log_walk walk = ki_log_walk_start(&a->commands->log);
    for (ki_command *command = ki_log_walk_next(&walk); command != NULL;
         command = ki_log_walk_next(&walk)) {
        if (command->kind > KI_COMMAND_CLONE) {
            continue;
        }
        bool gone = (command->flags & KI_COMMAND_GONE) != 0;
        kith_entity real = gone ? KITH_NONE : ki_entities_take(&a->store->entities, 0, 0);
        a->commands->spawned[ki_spawn_number(command->entity) - 1].real = real;
        command->entity = real;
    }
}

/* Puts real handles where values have provisional ones. */
static void apply_handles(applying *a)
{
    ki_log_walk walk = ki_log_walk_start(&a->commands->log);
    for (ki_command *command = ki_log_walk_next(&walk); command != NULL;
         command = ki_log_walk_next(&walk)) {
        if ((command->flags & KI_COMMAND_REFERS) == 0) {
            continue;
        }
        const kith_type *type = ki_store_component(a->store, command->component)->type;
        uint8_t *value = (uint8_t *)(command + 1);
        KI_EACH_HANDLE (place, type) {
            kith_entity entity;
            memcpy(&entity, value + place, sizeof entity);
            if (ki_is_provisional(entity)) {
                const kith_entity *real = &a->commands->spawned[ki_spawn_number(entity) - 1].real;
                memcpy(value + place, real, sizeof *real);
            }
        }
    }
}

/* Takes the next leaders of the run. */
static void apply_gather(applying *a, ki_log_walk *walk)
{
    uint32_t left = a->run->count - a->done;
    uint32_t wanted = left < APPLY_BATCH ? left : APPLY_BATCH;
    a->count = 0;
    while (a->count < wanted) {
        ki_command *command = ki_log_walk_next(walk);
        /* A leader without an entity was never to be made. */
        if ((command->flags & KI_COMMAND_LEADS) != 0 && !kith_is_none(command->entity)) {
            a->leaders[a->count] = command;
            a->next[a->count++] = ki_leader_first(command);
        }
    }
}

/* Finds the batch's rows, and moves them if the run moves. */
static void apply_move(applying *a)
{
    const ki_run *run = a->run;
    bool made = (run->state & KI_COMMAND_MADE) != 0;
    uint32_t *rows = a->rows + a->done;
    uint32_t first = a->first + a->done;
    for (uint32_t i = 0; i < a->count; i++) {
        kith_entity entity = a->leaders[i]->entity;
        ki_record *record = ki_record_at(&a->store->entities, entity.index1 - 1);
        rows[i] = record->row;
        if (made || run->to != run->from) {
            ki_tracks_note(a->store, made ? NULL : run->from, run->to, entity);
            record->table = run->to->id;
            record->row = first + i;
            *KI_COLUMN_AT(kith_entity, &run->to->entities, first + i) = entity;
        }
    }
    if (run->edge != NULL) {
        ki_rows_copy(run->from, rows, a->count, run->edge, first);
    }
}

static void apply_table_op(applying *a, const ki_run_op *op)
{
    ki_column *column = &a->run->to->columns[op->column];
    for (uint32_t i = 0; i < a->count; i++) {
        a->values[i] = ki_command_value(a->next[i]);
    }
    if (a->run->to != a->run->from || (a->run->state & KI_COMMAND_MADE) != 0) {
        ki_rows_write(column, a->first + a->done, a->values, a->count);
        return;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        ki_column_write(column, a->rows[a->done + i], a->values[i]);
    }
}

static void apply_other_op(applying *a, const ki_run_op *op)
{
    for (uint32_t i = 0; i < a->count; i++) {
        kith_entity entity = a->leaders[i]->entity;
        uint32_t index = entity.index1 - 1;
        bool there = ki_other_has(op->component, index);
        const void *value = op->kind == KI_COMMAND_REMOVE ? NULL : ki_command_value(a->next[i]);
        if (op->kind == KI_COMMAND_REMOVE) {
            if (there) {
                ki_other_touch_removal(a->store, op->component, index); /* as above */
                ki_other_remove(a->store, op->component, index);
            }
        } else if (!there) {
            ki_other_insert(a->store, op->component, entity, value);
        } else if (!op->keeps) {
            ki_other_write(op->component, index, value);
        }
    }
}

static void apply_batch(applying *a)
{
    const ki_run *run = a->run;
    bool gone = (run->state & KI_COMMAND_GONE) != 0;
    if (gone || (run->state & (KI_COMMAND_BARE | KI_COMMAND_MADE)) == KI_COMMAND_BARE) {
        for (uint32_t i = 0; i < a->count; i++) {
            uint32_t index = a->leaders[i]->entity.index1 - 1;
            ki_others_touch_removal(a->store, index); /* has its blocks stamped, where not shared */
            ki_others_remove(a->store, index);
        }
    }
    if (gone) {
        for (uint32_t i = 0; i < a->count; i++) {
            uint32_t index = a->leaders[i]->entity.index1 - 1;
            a->rows[a->done + i] = ki_record_at(&a->store->entities, index)->row;
            ki_tracks_note(a->store, run->from, NULL, a->leaders[i]->entity);
            ki_entities_release(&a->store->entities, index);
        }
        return;
    }
    apply_move(a);
    for (uint32_t k = 0; k < run->op_count; k++) {
        if (a->ops[k].component->layout != KITH_TABLE) {
            apply_other_op(a, &a->ops[k]);
        } else if (a->ops[k].column != KI_NO_COLUMN) {
            apply_table_op(a, &a->ops[k]);
        }
        for (uint32_t i = 0; i < a->count && run->op_count > 1; i++) {
            a->next[i] = a->next[i]->next;
        }
    }
}

static void apply_run(applying *a, ki_log_walk *walk)
{
    const ki_run *run = a->run;
    bool made = (run->state & KI_COMMAND_MADE) != 0;
    if (run->to != NULL && (made || run->to != run->from)) {
        a->first = run->to->row_count;
        run->to->row_count += run->count;
    }
    for (a->done = 0; a->done < run->count; a->done += a->count) {
        apply_gather(a, walk);
        apply_batch(a);
    }
    if (!made && run->to != run->from) {
        ki_rows_remove(a->store, run->from, a->rows, run->count);
    }
}

static void apply_all(kith_commands *commands, const ki_arrangement *arrangement)
{
    applying a = {
        .commands = commands, .store = &commands->world->store, .rows = arrangement->rows};
    if (commands->spawns != 0) {
        apply_take_handles(&a);
    }
    if (commands->refers) {
        apply_handles(&a);
    }
    ki_log_walk walk = ki_log_walk_start(&commands->log);
    for (uint32_t i = 0; i < arrangement->run_count; i++) {
        a.run = &arrangement->runs[i];
        a.ops = ki_run_ops(arrangement, a.run);
        apply_run(&a, &walk);
    }
}

static kith_result apply(kith_commands *commands, uint32_t *dead)
{
    KI_TRY(ki_commands_merge(commands, dead));
    ki_arrangement arrangement;
    kith_result result = ki_commands_arrange(commands, &arrangement);
    if (result == KITH_OK) {
        apply_all(commands, &arrangement);
        commands->dead += *dead;
        ki_commands_applied(commands);
    }
    ki_arrangement_free(&arrangement);
    return result;
}

/* Leaves a message for kith_error and kith_commands_error. */
KI_COLD static void apply_tell(kith_commands *commands, kith_result result)
{
    const ki_heap *world = &commands->world->store.context.heap;
    const ki_heap *buffer = &commands->context.heap;
    if (result != KITH_ERR_TYPE) { /* merge_copy_value has told of that */
        ki_fail(
            &commands->context, result,
            "kith_commands_apply: %s for %u commands; the world holds %zu bytes of at most %zu, the"
            " buffer %zu of %zu (0: no limit)",
            result == KITH_ERR_MEMORY ? "no memory" : "no room", commands->count, world->used,
            world->limit, buffer->used, buffer->limit);
    }
    ki_fail(&commands->world->store.context, result, "%s", commands->context.error);
}

kith_result kith_commands_apply(kith_commands *commands, uint32_t *dead)
{
    KITH_REQUIRE(NULL, commands != NULL, KITH_ERR_MISUSE,
                 "kith_commands_apply: the command buffer is NULL");
    kith_world *world = commands->world;
    KI_BEGIN_CHANGE(world, "kith_commands_apply", KITH_ERR_MISUSE);
    if (commands->failed != KITH_OK) {
        return ki_fail(
            &world->store.context, commands->failed,
            "kith_commands_apply: nothing is applied, since a command was not queued: %s",
            commands->context.error);
    }
    uint32_t ended = 0;
    kith_result result = commands->count == 0 ? KITH_OK : apply(commands, &ended);
    ki_log_rewind(&commands->context.heap, &commands->aliases);
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
