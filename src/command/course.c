/* Courses: where entities in one table go that get the same, and what is to be done about each component
 * on the way. */
#include "command/buffer.h"

/* Copies the ids of a table, except those that commands remove; returns how many are left. */
static uint32_t course_keep_ids(ki_store *store, const ki_table *base, const ki_command *commands,
                                uint32_t *ids)
{
    uint64_t removed = 0;
    for (const ki_command *command = commands; command != NULL; command = command->next) {
        if (command->kind == KI_COMMAND_REMOVE) {
            removed = removed == 0 ? ki_store_begin_names(store) : removed;
            ki_component_name(ki_store_component(store, command->component), removed);
        }
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < base->column_count; i++) {
        uint32_t id = base->ids[i];
        if (removed == 0 || ki_store_component(store, id)->named != removed) {
            ids[count++] = id;
        }
    }
    return count;
}

/* The table of what a table has and the commands change. */
static kith_result course_table(ki_store *store, const ki_table *base, const ki_command *commands,
                                ki_table **to)
{
    uint32_t most = 0;
    for (const ki_command *command = commands; command != NULL; command = command->next) {
        most++;
    }
    uint32_t *ids = ki_store_ids(store, base->column_count + 2 * most);
    if (ids == NULL) {
        return KITH_ERR_MEMORY;
    }
    uint32_t count = course_keep_ids(store, base, commands, ids);
    uint32_t *more = ids + base->column_count + most;
    uint32_t more_count = 0;
    for (const ki_command *command = commands; command != NULL; command = command->next) {
        uint32_t id = command->component;
        if (command->kind != KI_COMMAND_REMOVE &&
            ki_store_component(store, id)->layout == KITH_TABLE &&
            ki_table_find(base, id) == KI_NO_COLUMN) {
            more[more_count++] = id;
        }
    }
    return ki_store_table(store, ids, ki_ids_add(ids, count, more, more_count), to);
}

/* Finds where the entities go, and by which edge. */
static kith_result course_target(ki_store *store, ki_course *course)
{
    if ((course->state & KI_COMMAND_GONE) != 0) {
        return KITH_OK;
    }
    const ki_command *only = ki_leader_first(course->first);
    course->to = course->from;
    if (course->state == 0) {
        if (only == NULL) {
            return KITH_OK;
        }
        if (only->next == NULL) {
            if (ki_store_component(store, only->component)->layout != KITH_TABLE ||
                (ki_table_find(course->from, only->component) == KI_NO_COLUMN) ==
                    (only->kind == KI_COMMAND_REMOVE)) {
                return KITH_OK;
            }
            KI_TRY(ki_store_step(store, course->from, only->component, &course->edge));
            course->to = course->edge->to;
            return KITH_OK;
        }
    }
    KI_TRY(course_table(store, course->state == 0 ? course->from : store->root, only,
                        &course->to));
    if (course->to != course->from && (course->state & KI_COMMAND_MADE) == 0) {
        course->edge = ki_table_edge(&store->space, course->from, course->to);
        return course->edge == NULL ? KITH_ERR_MEMORY : KITH_OK;
    }
    return KITH_OK;
}

/* What is to be done about one component. */
static ki_course_op course_op(ki_store *store, const ki_course *course, const ki_command *command)
{
    ki_component *component = ki_store_component(store, command->component);
    ki_course_op op = {.component = component, .column = KI_NO_COLUMN, .kind = command->kind};
    bool keeps = command->kind == KI_COMMAND_ADD && (command->flags & KI_COMMAND_FRESH) == 0;
    op.held = component->hooks != NULL && command->kind != KI_COMMAND_REMOVE;
    if (component->layout != KITH_TABLE) {
        op.keeps = keeps;
    } else if (command->kind != KI_COMMAND_REMOVE &&
               (!keeps || ki_table_find(course->from, component->id) == KI_NO_COLUMN)) {
        op.column = ki_table_find(course->to, component->id);
    }
    return op;
}

kith_result ki_course_add(ki_arrangement *out, ki_store *store, ki_command *leader)
{
    ki_heap *heap = &out->commands->context.heap;
    KI_TRY(ki_heap_grow(heap, &out->courses, &out->course_capacity, out->course_count + 1,
                        sizeof *out->courses, 4));
    bool made = (leader->flags & KI_COMMAND_MADE) != 0;
    ki_course course = {.first = leader,
                        .state = leader->flags & KI_COMMAND_STATE,
                        .from = store->tables[made ? 0 : leader->in.table],
                        .only_tables = true,
                        .first_op = out->op_count};
    KI_TRY(course_target(store, &course));
    for (const ki_command *command = ki_leader_first(leader); command != NULL;
         command = command->next) {
        KI_TRY(ki_heap_grow(heap, &out->ops, &out->op_capacity, out->op_count + 1, sizeof *out->ops,
                            8));
        ki_course_op op = course_op(store, &course, command);
        course.only_tables = course.only_tables && op.component->layout == KITH_TABLE;
        course.held = course.held || op.held;
        out->ops[out->op_count++] = op;
        course.op_count++;
    }
    course.touched_shift = course.from->entities.shift;
    for (uint32_t i = 0; i < course.from->column_count; i++) {
        course.touched_shift = ki_min_u32(course.touched_shift, course.from->columns[i].shift);
    }
    out->courses[out->course_count++] = course;
    return KITH_OK;
}
