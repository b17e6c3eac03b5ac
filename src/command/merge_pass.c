/* What a pass of merging knows so far: the group of each entity, and in each group's list the last
 * command about each component. */
#include "command/merge_pass.h"

#define MERGE_FEW 32u /* commands that make a list a long one, which is in the index */

ki_command_group *ki_merge_find(const ki_merge *m, kith_entity entity)
{
    if (ki_is_provisional(entity)) {
        return m->commands->spawned[ki_spawn_number(entity) - 1].group;
    }
    ki_command_group *found = ki_map_find(&m->groups, entity.index1);
    /* Another generation of the same slot is dead: the group's is alive. */
    return found != NULL && kith_entity_equal(ki_group_entity(m->commands, found, 0), entity)
               ? found
               : NULL;
}

ki_command_group *ki_merge_begin(ki_merge *m, const uint8_t *entry, uint32_t stride)
{
    ki_command_group *group = ki_merge_alloc(m, sizeof *group);
    if (group != NULL) {
        *group = (ki_command_group){.entry = entry,
                                    .stride = stride,
                                    .count = 1,
                                    .consecutive_rows = true,
                                    .consecutive_slots = true};
        group->end = &group->list;
        *m->last = group;
        m->last = &group->next;
    }
    return group;
}

/* ---- Lists of commands ------------------------------------------------------------------------ */

static uint64_t merge_key(const ki_command_group *group, uint32_t component)
{
    return (uint64_t)group->long_list << 32 | component;
}

/* The place of a component in a group's list; its end if it is not there. */
static ki_pending **merge_find_place(const ki_merge *m, ki_command_group *group, uint32_t component)
{
    if (group->long_list != 0) {
        ki_pending **place = ki_map_find(&m->index, merge_key(group, component));
        return place != NULL ? place : group->end;
    }
    ki_pending **place = &group->list;
    while (*place != NULL && (*place)->component != component) {
        place = &(*place)->next;
    }
    return place;
}

const ki_pending *ki_merge_pending(const ki_merge *m, ki_command_group *group, uint32_t component)
{
    return *merge_find_place(m, group, component);
}

/* Takes what is in a place out of a group's list. */
static void merge_take_out(ki_merge *m, ki_command_group *group, ki_pending **place)
{
    ki_pending *pending = *place;
    ki_pending *next = pending->next;
    *place = next;
    group->end = next == NULL ? place : group->end;
    if (group->long_list == 0) {
        group->length--;
        return;
    }
    ki_map_remove(&m->index, merge_key(group, pending->component), place);
    if (next != NULL) {
        ki_map_remove(&m->index, merge_key(group, next->component), &pending->next);
        ki_map_insert(&m->index, merge_key(group, next->component), place);
    }
}

/* Puts a place of a long list, and those after it, into the index. KITH_ERR_MEMORY. */
static kith_result merge_index(ki_merge *m, const ki_command_group *group, ki_pending **place)
{
    for (; *place != NULL; place = &(*place)->next) {
        KI_TRY(ki_map_reserve(&m->commands->context.heap, &m->index));
        ki_map_insert(&m->index, merge_key(group, (*place)->component), place);
    }
    return KITH_OK;
}

/* Puts a command at the end of a group's list. KITH_ERR_MEMORY. */
static kith_result merge_append(ki_merge *m, ki_command_group *group, ki_pending *pending)
{
    ki_pending **place = group->end;
    *place = pending;
    group->end = &pending->next;
    if (group->long_list != 0) {
        return merge_index(m, group, place);
    }
    if (++group->length < MERGE_FEW) {
        return KITH_OK;
    }
    group->long_list = ++m->long_lists;
    return merge_index(m, group, &group->list);
}

kith_result ki_merge_component(ki_merge *m, ki_command_group *group, const ki_pending *command)
{
    ki_pending **place = merge_find_place(m, group, command->component);
    ki_pending *pending = *place;
    bool bare = (group->state & (KI_GROUP_MADE | KI_GROUP_BARE)) != 0;
    bool fresh = command->kind == KI_COMMAND_ADD && (pending != NULL || bare);
    if (pending != NULL) {
        if (command->kind == KI_COMMAND_ADD && pending->kind != KI_COMMAND_REMOVE) {
            return KITH_OK; /* it will be there */
        }
        merge_take_out(m, group, place);
    }
    if (command->kind == KI_COMMAND_REMOVE && bare) {
        return KITH_OK; /* it would not be there anyway */
    }
    pending = pending != NULL ? pending : ki_merge_alloc(m, sizeof *pending);
    if (pending == NULL) {
        return KITH_ERR_MEMORY;
    }
    *pending = *command;
    pending->next = NULL;
    pending->fresh = fresh;
    pending->order = m->order++;
    return merge_append(m, group, pending);
}
