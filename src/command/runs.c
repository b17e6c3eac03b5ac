#include "command/runs.h"

/* The table of what a table has and the commands change. */
static kith_result runs_table(ki_store *store, const ki_table *base, const ki_pending *list,
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

/* Finds the table that the entities of a group move to, and the edge that leads there. */
static kith_result runs_find_target(ki_store *store, ki_transition *transition)
{
    const ki_command_group *group = transition->example;
    bool made = (group->state & KI_GROUP_MADE) != 0;
    transition->from = made ? NULL : store->tables[group->table];
    transition->loses = !made && store->storage_count != 0 && group->state != 0;
    if ((group->state & KI_GROUP_GONE) == 0) {
        KI_TRY(runs_table(store, group->state == 0 ? transition->from : store->root, group->list,
                          &transition->to));
    }
    transition->leaves = !made && transition->from != transition->to;
    if (transition->leaves && transition->to != NULL) {
        transition->edge = ki_table_edge(&store->columns, transition->from, transition->to);
    }
    return transition->leaves && transition->to != NULL && transition->edge == NULL
               ? KITH_ERR_MEMORY
               : KITH_OK;
}

static kith_result runs_add_transition(ki_runs *runs, const ki_command_group *group)
{
    ki_store *store = &runs->commands->world->store;
    KI_TRY(ki_heap_grow(&runs->commands->context.heap, &runs->transitions,
                        &runs->transition_capacity, runs->transition_count + 1,
                        sizeof *runs->transitions, 4));
    ki_transition transition = {.example = group};
    KI_TRY(runs_find_target(store, &transition));
    for (const ki_pending *pending = group->list; pending != NULL; pending = pending->next) {
        transition.storages = transition.storages ||
                              ki_store_component(store, pending->component)->layout != KITH_TABLE;
    }
    runs->transitions[runs->transition_count++] = transition;
    return KITH_OK;
}

/* Whether two groups make the same transition. */
static bool runs_are_same(const ki_command_group *a, const ki_command_group *b)
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

/* The same number for groups that make the same transition. */
static uint64_t runs_hash(const ki_command_group *group)
{
    uint64_t hash = (uint64_t)group->table << 3 | group->state;
    for (const ki_pending *pending = group->list; pending != NULL; pending = pending->next) {
        hash = (hash ^ ((uint64_t)pending->component << 4 | pending->kind)) * 0x9fb21c651e98df25u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* Finds the transition of a group, which another one may have made before. */
static kith_result runs_find_transition(ki_runs *runs, const ki_command_group *group,
                                        uint32_t *number)
{
    uint64_t hash = runs_hash(group);
    uint32_t at;
    for (uintptr_t known = (uintptr_t)ki_map_first(&runs->known, hash, &at); known != 0;
         known = (uintptr_t)ki_map_next(&runs->known, hash, &at)) {
        if (runs_are_same(runs->transitions[known - 1].example, group)) {
            *number = (uint32_t)known - 1;
            return KITH_OK;
        }
    }
    KI_TRY(ki_map_reserve(&runs->commands->context.heap, &runs->known));
    KI_TRY(runs_add_transition(runs, group));
    ki_map_insert(&runs->known, hash, (void *)(uintptr_t)runs->transition_count);
    *number = runs->transition_count - 1;
    return KITH_OK;
}

kith_result ki_runs_make(ki_runs *runs, kith_commands *commands, ki_command_group *groups)
{
    *runs = (ki_runs){.commands = commands, .groups = groups};
    ki_run *run = NULL;
    for (ki_command_group *group = groups; group != NULL; group = group->next) {
        if (ki_group_is_void(group)) {
            run = NULL; /* a run's groups follow one another */
            continue;
        }
        if (run == NULL || !runs_are_same(run->first, group)) {
            KI_TRY(ki_heap_grow(&commands->context.heap, &runs->runs, &runs->run_capacity,
                                runs->run_count + 1, sizeof *run, 4));
            run = &runs->runs[runs->run_count];
            *run = (ki_run){.first = group};
            KI_TRY(runs_find_transition(runs, group, &run->transition));
            runs->run_count++;
        }
        run->group_count++;
        run->count += group->count;
        runs->spawns += (group->state & KI_GROUP_MADE) != 0 ? group->count : 0;
    }
    return KITH_OK;
}

void ki_runs_free(ki_runs *runs)
{
    ki_heap *heap = &runs->commands->context.heap;
    ki_heap_free(heap, runs->transitions, runs->transition_capacity * sizeof *runs->transitions,
                 _Alignof(max_align_t));
    ki_heap_free(heap, runs->runs, runs->run_capacity * sizeof *runs->runs, _Alignof(max_align_t));
    ki_heap_free(heap, runs->rows, runs->largest * sizeof *runs->rows, _Alignof(uint32_t));
    ki_map_free(heap, &runs->known);
}
