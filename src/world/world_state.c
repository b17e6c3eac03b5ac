#include "world/world_state.h"

#include "store/log_state.h"

/* Copies that a restore hands to the world. */
typedef struct state_ready {
    ki_kept_list resources;
    ki_kept_list queues;
    ki_logs_ready logs;
} state_ready;

typedef struct world_state {
    ki_kept_list resources;
    ki_kept_list queues;
    uint64_t *refreshed; /* when changes that are exact were looked for last, as in ki_store.exact */
    uint32_t exact_count;
    ki_logs_state logs;
    state_ready *ready; /* follows the state, which a restore does not change */
} world_state;

typedef struct state_memory {
    world_state state;
    state_ready ready;
} state_memory;

/* ---- Exact changes: what was seen is in the store's columns ---------------------------------- */

static kith_result state_take_refreshed(kith_world *world, world_state *state)
{
    const ki_store *store = &world->store;
    if (store->exact_count == 0) {
        return KITH_OK;
    }
    state->refreshed = ki_heap_alloc(&world->store.context.heap,
                                     store->exact_count * sizeof *state->refreshed,
                                     _Alignof(max_align_t));
    if (state->refreshed == NULL) {
        return KITH_ERR_MEMORY;
    }
    state->exact_count = store->exact_count;
    for (uint32_t i = 0; i < state->exact_count; i++) {
        state->refreshed[i] = store->exact[i]->value_diff->refreshed;
    }
    return KITH_OK;
}

/* Nothing was seen of what came after the take. */
static void state_restore_refreshed(kith_world *world, const world_state *state)
{
    for (uint32_t i = 0; i < world->store.exact_count; i++) {
        world->store.exact[i]->value_diff->refreshed =
            i < state->exact_count ? state->refreshed[i] : 0;
    }
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void state_drop_ready(kith_world *world, state_ready *ready)
{
    ki_resources_release(world, &ready->resources);
    ki_events_release(world, &ready->queues);
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
    ki_heap_free(&world->store.context.heap, state->refreshed,
                 state->exact_count * sizeof *state->refreshed, _Alignof(max_align_t));
    ki_logs_free_taken(&world->store, &state->logs);
    ki_heap_free(&world->store.context.heap, state, sizeof(state_memory), _Alignof(state_memory));
}

static kith_result state_fill(kith_world *world, world_state *state)
{
    KI_TRY(ki_resources_take(world, &state->resources));
    KI_TRY(ki_events_take(world, &state->queues));
    KI_TRY(state_take_refreshed(world, state));
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
    state_restore_refreshed(world, state);
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
