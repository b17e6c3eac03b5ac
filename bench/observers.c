/* Add a component to each entity, while an observer counts those that get it. */
#include <kith/kith.h>
#include <stdlib.h>

#include "bench.h"

typedef struct Counted {
    float a, b, c;
} Counted;
KITH_TYPE(Counted, KITH_FIELD(Counted, a), KITH_FIELD(Counted, b), KITH_FIELD(Counted, c));

static Counted counted_value(uint32_t i)
{
    return (Counted){(float)(i % 16), 1, 2};
}

typedef struct observers_state {
    kith_world *world;
    kith_entity *entities;
    kith_commands *commands;
    uint64_t count;
} observers_state;

static void count(const kith_observed *observed)
{
    *(uint64_t *)observed->user += observed->count;
}

static void *open_observed(uint32_t n, kith_layout layout)
{
    observers_state *state = bench_take(sizeof *state);
    state->entities = bench_take(n * sizeof *state->entities);
    state->world = bench_filled_world(layout, n, state->entities);
    state->commands = kith_commands_new(state->world, NULL);
    kith_register(state->world, &Counted_type, &(kith_component_def){.layout = layout});
    kith_observer_new(
        state->world,
        &(kith_observer_def){.type = &Counted_type, .run = count, .user = &state->count}, NULL);
    return state;
}

static void close_observed(void *opened)
{
    observers_state *state = opened;
    kith_world_free(state->world);
    free(state->entities);
    free(state);
}

/* Adds to all and takes away again once, so that memory is warm, as it is for the arrays. */
static void warm_up(observers_state *state, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        Counted value = counted_value(i);
        KITH_SET(state->commands, state->entities[i], Counted, value);
    }
    kith_commands_apply(state->commands, NULL);
    for (uint32_t i = 0; i < n; i++) {
        KITH_REMOVE(state->commands, state->entities[i], Counted);
    }
    kith_commands_apply(state->commands, NULL);
    kith_observers_flush(state->world);
    state->count = 0;
}

static bench_sample observed_one_by_one(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    observers_state *state = opened;
    bench_frame frame = bench_frame_new(state->world, &Counted_type);
    warm_up(state, n);
    double start = bench_frame_start(&frame);
    for (uint32_t i = 0; i < n; i++) {
        Counted value = counted_value(i);
        KITH_SET(state->world, state->entities[i], Counted, value);
    }
    kith_observers_flush(state->world);
    return (bench_sample){bench_now() - start, state->count};
}

static bench_sample observed_at_once(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    observers_state *state = opened;
    bench_frame frame = bench_frame_new(state->world, &Counted_type);
    warm_up(state, n);
    for (uint32_t i = 0; i < n; i++) {
        Counted value = counted_value(i);
        KITH_SET(state->commands, state->entities[i], Counted, value);
    }
    double start = bench_frame_start(&frame);
    kith_commands_apply(state->commands, NULL);
    kith_observers_flush(state->world);
    return (bench_sample){bench_now() - start, state->count};
}

/* ---- Arrays: a sparse set by hand, and a function that is called for each ------------------------ */

typedef struct set_state {
    uint32_t *rows;
    uint32_t *owners;
    Counted *values;
    uint32_t used;
} set_state;

static void *open_set(uint32_t n, kith_layout layout)
{
    (void)layout;
    set_state *state = bench_take(sizeof *state);
    state->rows = bench_take(n * sizeof *state->rows);
    state->owners = bench_take(n * sizeof *state->owners);
    state->values = bench_take(n * sizeof *state->values);
    return state;
}

static void close_set(void *opened)
{
    set_state *state = opened;
    free(state->rows);
    free(state->owners);
    free(state->values);
    free(state);
}

static uint64_t set_told;

static void tell(uint32_t index)
{
    (void)index;
    set_told++;
}

static void (*volatile listener)(uint32_t index) = tell;

static bench_sample add_to_set(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    set_state *state = opened;
    double start = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < n; i++) {
            state->rows[i] = UINT32_MAX;
        }
        state->used = 0;
        set_told = 0;
        start = bench_now();
        for (uint32_t i = 0; i < n; i++) {
            if (state->rows[i] == UINT32_MAX) {
                state->rows[i] = state->used;
                state->owners[state->used] = i;
                state->values[state->used++] = counted_value(i);
                listener(i);
            }
        }
    }
    return (bench_sample){bench_now() - start, set_told};
}

#define OBSERVED(name, what, layout, target, run)                                                  \
    {                                                                                              \
        name, what, 100000, layout, target, {open_observed, run, close_observed},                  \
            {open_set, add_to_set, close_set}, BENCH_ALONE                                         \
    }

const bench_workload bench_observers[] = {
    OBSERVED("observer", "add a component one by one, with an observer that counts", KITH_TABLE, 9,
             observed_one_by_one),
    OBSERVED("observer", "", KITH_SPARSE, 3.7, observed_one_by_one),
    OBSERVED("observer", "", KITH_SLOT, 0, observed_one_by_one),
    OBSERVED("observer-batch", "the same by applying commands that were queued before", KITH_TABLE,
             2, observed_at_once),
    OBSERVED("observer-batch", "", KITH_SPARSE, 2, observed_at_once),
    OBSERVED("observer-batch", "", KITH_SLOT, 2, observed_at_once),
    BENCH_LAYOUTS_IN_SETTINGS("observer", open_observed, observed_one_by_one, close_observed),
    BENCH_LAYOUTS_IN_SETTINGS("observer-batch", open_observed, observed_at_once, close_observed),
};
const uint32_t bench_observers_count = sizeof bench_observers / sizeof bench_observers[0];
