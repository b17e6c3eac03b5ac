/* Applying: once all is merged, arranged and reserved, the changes themselves, which cannot fail. */
#include "command/buffer.h"
#include "command/rows.h"

/* Entities are taken in batches, so that what is done to one column is done in one loop. Those of a
 * group whose rows follow one another are taken by the block. */
#define APPLY_BATCH 256u
#define APPLY_BLOCK 16u /* but not for fewer */

/* What a batch takes of one group. */
typedef struct piece {
    const ki_command *leader;
    const ki_command *next; /* the command that is up next */
    uint32_t first;         /* entity of the group */
    uint32_t count;
    uint32_t row;  /* of the first, where it was */
    bool in_a_row; /* the entities' rows follow one another */
} piece;

typedef struct applying {
    kith_commands *commands;
    ki_store *store;
    ki_leader_walk walk;
    ki_command *leader; /* the group that the next batch begins with, or goes on with */
    uint32_t taken;     /* of its entities, those in batches before */

    const ki_run *run;
    const ki_course *course;
    const ki_course_op *ops; /* of the course */
    uint32_t *rows;          /* of the run's entities, where they were */
    uint32_t first;          /* the row in the run's new table of its first entity */

    uint32_t done;  /* entities of the run in batches before */
    uint32_t count; /* of this batch */
    uint32_t piece_count;
    piece pieces[APPLY_BATCH];
    const kith_entity *entities; /* of this batch */
    kith_entity gathered[APPLY_BATCH];
} applying;

/* Gives the entities to be made their handles. */
static void apply_take_handles(kith_commands *commands)
{
    ki_entities *entities = &commands->world->store.entities;
    for (uint32_t i = 0; i < commands->spawns; i++) {
        const ki_command *leader = commands->tangled ? commands->spawned[i].leader : NULL;
        bool never = leader != NULL && (leader->flags & KI_COMMAND_GONE) != 0;
        commands->spawned[i].real = never ? KITH_NONE : ki_entities_take(entities, 0, 0);
    }
}

/* Puts real handles where a value has provisional ones. */
static void apply_handles_in(const kith_commands *commands, const kith_type *type, uint8_t *value)
{
    KI_EACH_HANDLE (place, type) {
        kith_entity entity;
        memcpy(&entity, value + place, sizeof entity);
        if (ki_is_provisional(entity)) {
            const kith_entity *real = &commands->spawned[ki_spawn_number(entity) - 1].real;
            memcpy(value + place, real, sizeof *real);
        }
    }
}

static void apply_handles(const kith_commands *commands)
{
    ki_log_walk walk = ki_log_walk_start(commands);
    for (ki_entries entries; ki_log_walk_next(&walk, &entries);) {
        uint32_t end = ki_entry_head(entries.ops);
        for (uint32_t k = 0; k < entries.op_count; k++) {
            const ki_component *component =
                ki_op_component(&commands->world->store, &entries.ops[k]);
            if (component == NULL) {
                continue;
            }
            uint32_t place = ki_value_place(component, &end);
            bool has = component->has_handles && component->hooks == NULL;
            uint8_t *entry = entries.first;
            for (uint32_t i = has ? 0 : entries.count; i < entries.count; i++) {
                apply_handles_in(commands, component->type, entry + place);
                entry += entries.stride;
            }
        }
    }
}

/* The same in values that are held. */
static void apply_held_handles(const kith_commands *commands, const ki_holder *holder)
{
    for (const ki_held *held = holder->first; held != NULL; held = held->next) {
        if (held->component != NULL && !held->of_the_world) {
            apply_handles_in(commands, held->component->type, ki_held_value(held));
        }
    }
}

static void apply_all_handles(const kith_commands *commands)
{
    apply_handles(commands);
    apply_held_handles(commands, &commands->cloned);
    for (const kith_commands *part = commands; part != NULL; part = part->more) {
        apply_held_handles(commands, &part->held);
    }
}

/* Of the batch's entities, where they were; NULL if that is not listed. */
static uint32_t *apply_rows(const applying *a)
{
    return a->run->one_span ? NULL : a->rows + a->done;
}

/* Goes on behind so many entities. */
static void apply_step(applying *a, uint32_t count)
{
    a->count += count;
    a->taken += count;
    if (a->taken == a->leader->count) {
        a->leader = ki_leader_walk_next(&a->walk);
        a->taken = 0;
    }
}

/* Takes a piece of the group at hand, `wanted` entities at most. */
static void apply_take_piece(applying *a, uint32_t wanted)
{
    ki_command *leader = a->leader;
    uint32_t count = ki_min_u32(leader->count - a->taken, wanted);
    a->pieces[a->piece_count++] = (piece){
        .leader = leader, .next = ki_leader_first(leader), .first = a->taken, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        a->gathered[a->count + i] = ki_leader_entity(a->commands, leader, a->taken + i);
    }
    apply_step(a, count);
}

/* Takes those of the group at hand who stand in one block of their table, if all stand in a row and no
 * run before has taken others out of it. Their handles are there. */
static bool apply_take_block(applying *a)
{
    ki_command *leader = a->leader;
    uint32_t left = leader->count - a->taken;
    if ((left < APPLY_BLOCK && !a->run->one_span) || !a->run->first_to_leave ||
        (leader->flags & (KI_COMMAND_APART | KI_COMMAND_MADE)) != 0) {
        return false;
    }
    kith_entity first = ki_leader_entity(a->commands, leader, a->taken);
    uint32_t row = ki_record_at(&a->store->entities, first.index1 - 1)->row;
    uint32_t count = ki_min_u32(left, KI_BLOCK_ROWS_MAX - row % KI_BLOCK_ROWS_MAX);
    a->entities = KI_COLUMN_AT(const kith_entity, &a->course->from->entities, row);
    a->pieces[a->piece_count++] = (piece){.leader = leader,
                                          .next = ki_leader_first(leader),
                                          .first = a->taken,
                                          .count = count,
                                          .row = row,
                                          .in_a_row = true};
    uint32_t *rows = apply_rows(a);
    for (uint32_t i = 0; rows != NULL && i < count; i++) {
        rows[i] = row + i;
    }
    apply_step(a, count);
    return true;
}

/* Takes the next entities of the run. A large group is not mixed with others. */
static void apply_gather(applying *a)
{
    uint32_t wanted = ki_min_u32(a->run->count - a->done, APPLY_BATCH);
    a->count = 0;
    a->piece_count = 0;
    if (apply_take_block(a)) {
        return;
    }
    a->entities = a->gathered;
    do {
        apply_take_piece(a, wanted - a->count);
    } while (a->count < wanted && a->leader->count - a->taken < APPLY_BATCH / 8);
}

/* The values of a piece's command that is up next; NULL: zero bytes. */
static const uint8_t *apply_values(const piece *p)
{
    const uint8_t *value = p->next->value;
    return value == NULL ? NULL : value + (size_t)p->first * p->leader->stride;
}

/* Whether these entities stand in the table in rows that follow one another. The group cannot tell:
 * the runs before may have moved some of them. */
static bool apply_in_a_row(const ki_table *table, uint32_t row, const kith_entity *entities,
                           uint32_t count)
{
    if (count > table->row_count - row) {
        return false;
    }
    while (count > 0) {
        uint32_t step = ki_min_u32(count, KI_BLOCK_ROWS_MAX - row % KI_BLOCK_ROWS_MAX);
        if (memcmp(KI_COLUMN_AT(const kith_entity, &table->entities, row), entities,
                   step * sizeof *entities) != 0) {
            return false;
        }
        entities += step;
        row += step;
        count -= step;
    }
    return true;
}

/* Finds the rows of a piece, whose first entity is number `at` of the batch. */
static void apply_find_rows(const applying *a, piece *p, uint32_t at)
{
    if (p->in_a_row) {
        return; /* they are known */
    }
    const ki_entities *all = &a->store->entities;
    const kith_entity *entities = a->entities + at;
    uint32_t *rows = a->rows + a->done + at;
    uint32_t row = ki_record_at(all, entities[0].index1 - 1)->row;
    p->row = row;
    if (p->count == 1) {
        rows[0] = row;
        return;
    }
    p->in_a_row = apply_in_a_row(a->course->from, row, entities, p->count);
    if (p->in_a_row) {
        for (uint32_t i = 0; i < p->count; i++) {
            rows[i] = row + i;
        }
        return;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        rows[i] = ki_record_at(all, entities[i].index1 - 1)->row;
    }
}

/* Makes the records of a piece's entities lead to the run's new table, from row `first` on. */
static void apply_lead(const applying *a, const piece *p, uint32_t at, uint32_t first)
{
    const ki_entities *all = &a->store->entities;
    const kith_entity *entities = a->entities + at;
    bool scattered = (p->leader->flags & (KI_COMMAND_SCATTERED | KI_COMMAND_MADE)) != 0;
    uint32_t table = a->course->to->id;
    for (uint32_t done = 0; done < p->count;) {
        uint32_t index = entities[done].index1 - 1;
        ki_record *record = ki_record_at(all, index);
        uint32_t step =
            scattered ? 1
                      : ki_min_u32(p->count - done, KI_BLOCK_ROWS_MAX - index % KI_BLOCK_ROWS_MAX);
        for (uint32_t i = 0; i < step; i++) {
            record[i].table = table;
            record[i].row = first + done + i;
        }
        done += step;
    }
}

/* Finds the batch's rows, and moves them if the run moves. */
static void apply_move(applying *a)
{
    const ki_course *course = a->course;
    bool made = (course->state & KI_COMMAND_MADE) != 0;
    uint32_t first = a->first + a->done;
    uint32_t at = 0;
    for (piece *p = a->pieces; p < a->pieces + a->piece_count; at += p++->count) {
        if (!made) {
            apply_find_rows(a, p, at);
        }
        if (made || course->to != course->from) {
            apply_lead(a, p, at, first + at);
        }
    }
    if (!made && course->to == course->from) {
        return;
    }
    ki_column_write_rows(&course->to->entities, first, a->count, a->entities, false);
    if (course->edge != NULL) {
        bool in_a_row = a->piece_count == 1 && a->pieces[0].in_a_row;
        const uint32_t *rows = in_a_row ? &a->pieces[0].row : apply_rows(a);
        ki_rows_copy(rows, a->count, in_a_row, course->edge, first);
    }
    ki_tracks_note(a->store, made ? NULL : course->from, course->to, a->entities, apply_rows(a),
                   a->count);
}

/* Writes values into the rows of a piece, whose first entity is number `at` of the batch. */
static void apply_table_op(applying *a, const ki_course_op *op, const piece *p, uint32_t at)
{
    const ki_course *course = a->course;
    ki_column *column = &course->to->columns[op->column];
    const uint8_t *value = apply_values(p);
    size_t stride = p->leader->stride;
    bool moved = course->to != course->from || (course->state & KI_COMMAND_MADE) != 0;
    if (p->count == 1) {
        ki_column_write(column, moved ? a->first + a->done + at : p->row, value);
    } else if (moved) {
        ki_rows_write(column, a->first + a->done + at, value, stride, p->count);
    } else if (p->in_a_row) {
        ki_rows_write(column, p->row, value, stride, p->count);
    } else {
        const uint32_t *rows = a->rows + a->done + at;
        for (uint32_t i = 0; i < p->count; i++) {
            ki_column_write(column, rows[i], value == NULL ? NULL : value + i * stride);
        }
    }
}

static void apply_other_op(applying *a, const ki_course_op *op, const piece *p, uint32_t at)
{
    const kith_entity *entities = a->entities + at;
    if (op->kind == KI_COMMAND_REMOVE) {
        ki_other_take(a->store, op->component, entities, p->count);
    } else {
        ki_other_put(a->store, op->component, entities, p->count, apply_values(p),
                     p->leader->stride, op->keeps);
    }
}

/* Moves held values to the entities of a piece that need them. */
KI_RARE static void apply_held_op(applying *a, const ki_course_op *op, const piece *p, uint32_t at)
{
    ki_component *component = op->component;
    const ki_course *course = a->course;
    bool moved = course->to != course->from || (course->state & KI_COMMAND_MADE) != 0;
    for (uint32_t i = 0; i < p->count; i++) {
        kith_entity entity = a->entities[at + i];
        uint32_t index = entity.index1 - 1;
        ki_held *held = ki_held_at(apply_values(p) + (size_t)i * p->leader->stride);
        const void *value = ki_held_value(held);
        if (component->layout == KITH_TABLE) {
            uint32_t number = a->done + at + i;
            ki_column_write(&course->to->columns[op->column],
                            moved         ? a->first + number
                            : p->in_a_row ? p->row + i
                                          : a->rows[number],
                            value);
        } else if (!ki_other_has(component, index)) {
            ki_other_insert(a->store, component, entity, value);
        } else if (!op->keeps) {
            ki_other_write(component, index, value);
        } else {
            continue; /* what is there stays */
        }
        held->component = NULL;
    }
}

/* Does what one command of each entity says. */
static void apply_op(applying *a, const ki_course_op *op)
{
    uint32_t at = 0;
    for (piece *p = a->pieces; p < a->pieces + a->piece_count; p++) {
        bool elsewhere = op->component->layout != KITH_TABLE;
        if (KI_UNLIKELY(op->held) && (elsewhere || op->column != KI_NO_COLUMN)) {
            apply_held_op(a, op, p, at);
        } else if (elsewhere) {
            apply_other_op(a, op, p, at);
        } else if (op->column != KI_NO_COLUMN) {
            apply_table_op(a, op, p, at);
        }
        at += p->count;
        p->next = p->next->next;
    }
}

static void apply_gone(applying *a)
{
    uint32_t *rows = apply_rows(a);
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t index = a->entities[i].index1 - 1;
        ki_record *record = ki_record_at(&a->store->entities, index);
        if (rows != NULL) {
            rows[i] = record->row;
        }
        ki_entities_release(&a->store->entities, record, index);
    }
    ki_tracks_note(a->store, a->course->from, NULL, a->entities, apply_rows(a), a->count);
}

static void apply_batch(applying *a)
{
    const ki_course *course = a->course;
    bool gone = (course->state & KI_COMMAND_GONE) != 0;
    if (gone || (course->state & (KI_COMMAND_BARE | KI_COMMAND_MADE)) == KI_COMMAND_BARE) {
        ki_others_take(a->store, a->entities, a->count);
    }
    if (gone) {
        apply_gone(a);
        return;
    }
    apply_move(a);
    for (uint32_t k = 0; k < course->op_count; k++) {
        apply_op(a, &a->ops[k]);
    }
}

/* Does all for a run of one entity, whose values are plain bytes, as single calls would. */
static void apply_one(applying *a)
{
    ki_store *store = a->store;
    const ki_course *course = a->course;
    ki_command *leader = a->leader;
    kith_entity entity = ki_leader_entity(a->commands, leader, 0);
    uint32_t index = entity.index1 - 1;
    a->leader = ki_leader_walk_next(&a->walk);
    if ((course->state & (KI_COMMAND_GONE | KI_COMMAND_BARE)) != 0 &&
        ki_lanes_at(&store->entities, index) != 0) {
        ki_others_take(store, &entity, 1);
    }
    ki_record *record = ki_record_at(&store->entities, index);
    uint32_t row = record->row;
    if ((course->state & KI_COMMAND_GONE) != 0) {
        ki_tracks_note(store, course->from, NULL, &entity, &row, 1);
        ki_entity_end(store, record, index);
        return;
    }
    if (course->edge != NULL) {
        row = ki_move_begin(store, course->edge, index);
    }
    const ki_command *command = ki_leader_first(leader);
    for (uint32_t k = 0; k < course->op_count; k++, command = command->next) {
        const ki_course_op *op = &a->ops[k];
        if (op->component->layout == KITH_TABLE) {
            if (op->column != KI_NO_COLUMN) {
                ki_column_write(&course->to->columns[op->column], row, command->value);
            }
        } else if (op->kind == KI_COMMAND_REMOVE) {
            ki_other_take(store, op->component, &entity, 1);
        } else if (!ki_other_has(op->component, index)) {
            ki_other_insert(store, op->component, entity, command->value);
        } else if (!op->keeps) {
            ki_other_write(op->component, index, command->value);
        }
    }
    if (course->edge != NULL) {
        ki_move_end(store, course->edge, index, row);
    }
}

static void apply_run(applying *a)
{
    const ki_course *course = a->course;
    bool made = (course->state & KI_COMMAND_MADE) != 0;
    if (a->run->count == 1 && !made && !course->held) {
        apply_one(a);
        return;
    }
    if (course->to != NULL && (made || course->to != course->from)) {
        a->first = course->to->row_count;
        course->to->row_count += a->run->count;
    }
    for (a->done = 0; a->done < a->run->count; a->done += a->count) {
        apply_gather(a);
        apply_batch(a);
    }
    if (ki_course_leaves(course) && a->run->one_span) {
        ki_rows_remove_span(a->store, course->from, a->run->row, a->run->count);
    } else if (ki_course_leaves(course)) {
        ki_rows_remove(a->store, course->from, a->rows, a->run->count);
    }
}

static void apply_all(kith_commands *commands, const ki_arrangement *arrangement)
{
    if (commands->spawns != 0) {
        apply_take_handles(commands);
    }
    if (commands->refers) {
        apply_all_handles(commands);
    }
    applying a; /* of which little is to be set: batches are long */
    a.commands = commands;
    a.store = &commands->world->store;
    a.rows = arrangement->rows;
    a.walk = ki_leader_walk_start(commands);
    a.leader = ki_leader_walk_next(&a.walk);
    a.taken = 0;
    a.first = 0;
    for (uint32_t i = 0; i < arrangement->run_count; i++) {
        a.run = &arrangement->runs[i];
        a.course = &arrangement->courses[a.run->course];
        a.ops = ki_course_ops(arrangement, a.course);
        apply_run(&a);
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
    if (commands->context.error[0] == '\0') { /* else a clone was to blame, which is told */
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
    commands->context.error[0] = '\0';
    ki_commands_occupy(commands);
    kith_result result = ki_commands_count(commands) == 0 ? KITH_OK : apply(commands, &ended);
    ki_log_rewind(&commands->context.heap, &commands->groups);
    ki_log_rewind(&commands->context.heap, &commands->copies);
    ki_holder_rewind(&commands->context.heap, &commands->cloned);
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
