#include "world/world_state.h"

#include "store/log_state.h"

/* What was seen of the values of each component, by its id; NULL: its changes are not exact. */
typedef struct state_diffs {
    ki_value_diff **by_id;
    uint32_t count;
} state_diffs;

/* Copies that a restore hands to the world. */
typedef struct state_ready {
    ki_kept_list resources;
    ki_kept_list queues;
    state_diffs diffs;
    ki_logs_ready logs;
} state_ready;

typedef struct world_state {
    ki_kept_list resources;
    ki_kept_list queues;
    state_diffs diffs;
    ki_logs_state logs;
    state_ready *ready; /* follows the state, which a restore does not change */
} world_state;

typedef struct state_memory {
    world_state state;
    state_ready ready;
} state_memory;

/* ---- Exact changes --------------------------------------------------------------------------- */

static void state_free_diffs(kith_world *world, state_diffs *diffs)
{
    for (uint32_t i = 0; i < diffs->count; i++) {
        ki_value_diff_free(&world->store.columns, diffs->by_id[i]);
    }
    ki_heap_free(&world->store.context.heap, diffs->by_id, diffs->count * sizeof *diffs->by_id,
                 _Alignof(max_align_t));
    *diffs = (state_diffs){0};
}

/* A copy of what was seen of a component; nothing was, if it came after the take. NULL: no memory. */
static ki_value_diff *state_clone_diff(kith_world *world, const ki_component *component,
                                       const state_diffs *from)
{
    ki_column_context *columns = &world->store.columns;
    const ki_value_diff *seen = component->value_diff;
    if (from != NULL) {
        seen = component->id <= from->count ? from->by_id[component->id - 1] : NULL;
    }
    uint32_t size = component->hooks != NULL ? sizeof(uint64_t) : component->type->size;
    return seen == NULL ? ki_value_diff_new(columns->heap, size)
                        : ki_value_diff_clone(columns, seen);
}

/* Copies what was seen: of `from`, or with NULL of the world. */
static kith_result state_clone_diffs(kith_world *world, const state_diffs *from, state_diffs *to)
{
    const ki_store *store = &world->store;
    *to = (state_diffs){0};
    bool any = false;
    for (uint32_t i = 0; i < store->component_count; i++) {
        any = any || store->components[i]->value_diff != NULL;
    }
    if (!any) {
        return KITH_OK;
    }
    to->by_id =
        ki_heap_alloc_zeroed(&world->store.context.heap, store->component_count * sizeof *to->by_id,
                             _Alignof(max_align_t));
    if (to->by_id == NULL) {
        return KITH_ERR_MEMORY;
    }
    to->count = store->component_count;
    for (uint32_t i = 0; i < to->count; i++) {
        if (store->components[i]->value_diff == NULL) {
            continue;
        }
        to->by_id[i] = state_clone_diff(world, store->components[i], from);
        if (to->by_id[i] == NULL) {
            state_free_diffs(world, to);
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
}

static void state_restore_diffs(kith_world *world, state_diffs *ready)
{
    for (uint32_t i = 0; i < ready->count; i++) {
        ki_component *component = world->store.components[i];
        ki_value_diff *old = component->value_diff;
        if (old == NULL) {
            continue;
        }
        component->value_diff = ready->by_id[i];
        ready->by_id[i] = old;
        if (component->change_log != NULL && component->change_log->value_diff != NULL) {
            component->change_log->value_diff = component->value_diff;
        }
    }
    state_free_diffs(world, ready);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void state_drop_ready(kith_world *world, state_ready *ready)
{
    ki_resources_release(world, &ready->resources);
    ki_events_release(world, &ready->queues);
    state_free_diffs(world, &ready->diffs);
    ki_logs_free_ready(&world->store, &ready->logs);
}

static void state_free(kith_world *world, void *data)
{
    world_state *state = data;
    if (state == NULL) {
        return;
    }
    state_drop_ready(world, state->ready);
    ki_resources_release(world, &state->resources);
    ki_events_release(world, &state->queues);
    state_free_diffs(world, &state->diffs);
    ki_logs_free_taken(&world->store, &state->logs);
    ki_heap_free(&world->store.context.heap, state, sizeof(state_memory), _Alignof(state_memory));
}

static kith_result state_fill(kith_world *world, world_state *state)
{
    KI_TRY(ki_resources_take(world, &state->resources));
    KI_TRY(ki_events_take(world, &state->queues));
    KI_TRY(state_clone_diffs(world, NULL, &state->diffs));
    return ki_logs_take(&world->store, &state->logs);
}

static kith_result state_take(kith_world *world, void **taken)
{
    state_memory *memory =
        ki_heap_alloc_zeroed(&world->store.context.heap, sizeof *memory, _Alignof(state_memory));
    if (memory == NULL) {
        return KITH_ERR_MEMORY;
    }
    world_state *state = &memory->state;
    state->ready = &memory->ready;
    kith_result result = state_fill(world, state);
    if (result != KITH_OK) {
        state_free(world, state);
        return result;
    }
    *taken = state;
    return KITH_OK;
}

static kith_result state_fill_ready(kith_world *world, const world_state *state,
                                    const ki_store_view *store)
{
    state_ready *ready = state->ready;
    KI_TRY(ki_resources_reserve(world, &state->resources, &ready->resources));
    KI_TRY(ki_events_reserve(world, &state->queues, &ready->queues));
    KI_TRY(state_clone_diffs(world, &state->diffs, &ready->diffs));
    return ki_logs_reserve(&world->store, &state->logs, store, &ready->logs);
}

static kith_result state_reserve(kith_world *world, const void *data,
                                 const struct ki_store_view *store)
{
    const world_state *state = data;
    state_drop_ready(world, state->ready); /* of a restore that failed after this */
    kith_result result = state_fill_ready(world, state, store);
    if (result != KITH_OK) {
        state_drop_ready(world, state->ready);
    }
    return result;
}

static void state_restore(kith_world *world, const void *data)
{
    const world_state *state = data;
    state_restore_diffs(world, &state->ready->diffs);
    ki_logs_restore(&world->store, &state->ready->logs);
    ki_resources_restore(world, &state->ready->resources);
    ki_events_restore(world, &state->ready->queues);
}

/* Has values of resources or events call the hooks as the world registered them. */
static void state_set_hooks(const kith_world *world, ki_kept *kept)
{
    const ki_component *hooked = ki_world_hooked(world, kept->type);
    ki_column_set_hooks(&kept->values, hooked == NULL ? NULL : hooked->hooks);
}

kith_result ki_world_state_enter(kith_world *fork, const void *data,
                                 const struct ki_store_view *store)
{
    state_ready ready = {.queues = {0}};
    world_state state = *(const world_state *)data;
    state.ready = &ready;
    KI_TRY(state_reserve(fork, &state, store));
    state_restore(fork, &state);
    for (uint32_t i = 0; i < fork->resource_count; i++) {
        state_set_hooks(fork, fork->resources[i]);
    }
    for (uint32_t i = 0; i < fork->queue_count; i++) {
        state_set_hooks(fork, fork->queues[i]);
    }
    return KITH_OK;
}

ki_kept_list *ki_world_state_resources(void *state)
{
    return &((world_state *)state)->resources;
}

ki_kept_list *ki_world_state_queues(void *state)
{
    return &((world_state *)state)->queues;
}

static void state_forget(kith_world *world, void *data)
{
    world_state *state = data;
    ki_logs_free_taken(&world->store, &state->logs);
}

const ki_state_calls ki_world_state_calls = {.take = state_take,
                                             .reserve = state_reserve,
                                             .restore = state_restore,
                                             .free = state_free,
                                             .forget = state_forget};
