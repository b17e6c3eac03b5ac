/* position += velocity * dt over everything that has both. */
#include <stdlib.h>

#include "bench.h"

/* Passes over the data in one measured run, so that small worlds can be timed. */
static uint32_t loop_passes(uint32_t n)
{
    return n >= 100000 ? 1 : 100000 / n;
}

/* Passes before the measured ones, on all sides: what was just written in building the data has left the
 * caches by then, and times are those of a loop that runs in every frame. */
#define LOOP_WARM_UP 4

typedef struct loop_state {
    kith_world *world;
    kith_query *query;
    Position *positions;
    Velocity *velocities;
} loop_state;

static void *open_loop(uint32_t n, kith_layout layout)
{
    loop_state *state = bench_take(sizeof *state);
    *state = (loop_state){.world = bench_filled_world(layout, n, NULL)};
    state->query = kith_query_new_or_null(
        state->world,
        &(kith_query_def){.terms = KITH_TERMS(KITH_WRITE(Position), KITH_READ(Velocity))});
    return state;
}

static void *open_arrays(uint32_t n, kith_layout layout)
{
    (void)layout;
    loop_state *state = bench_take(sizeof *state);
    *state = (loop_state){.positions = bench_take(n * sizeof(Position)),
                          .velocities = bench_take(n * sizeof(Velocity))};
    for (uint32_t i = 0; i < n; i++) {
        state->positions[i] = bench_position(i);
        state->velocities[i] = bench_velocity(i);
    }
    return state;
}

static void close_loop(void *opened)
{
    loop_state *state = opened;
    kith_world_free(state->world);
    free(state->positions);
    free(state->velocities);
    free(state);
}

static void columns_pass(kith_query *query)
{
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Position *position = KITH_COLUMN_MUT(&it, Position);
        const Velocity *velocity = KITH_COLUMN(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            position[i].x += velocity[i].x * BENCH_DT;
            position[i].y += velocity[i].y * BENCH_DT;
        }
    }
}

static uint64_t world_sum(kith_query *query)
{
    double sum = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            const Position *position = KITH_AT(&it, i, Position);
            sum += (double)position->x + (double)position->y;
        }
    }
    return (uint64_t)sum;
}

static bench_sample time_columns(const loop_state *state, uint32_t n)
{
    for (int i = 0; i < LOOP_WARM_UP; i++) {
        columns_pass(state->query);
    }
    double start = bench_now();
    for (uint32_t i = 0; i < loop_passes(n); i++) {
        columns_pass(state->query);
    }
    double ns = bench_now() - start;
    return (bench_sample){ns / loop_passes(n), world_sum(state->query)};
}

static bench_sample loop_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return time_columns(opened, n);
}

/* A snapshot is held for one pass, so that all blocks of positions are copied to other places. */
static bench_sample loop_copied(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const loop_state *state = opened;
    kith_snapshot *snapshot;
    if (kith_snapshot_take(state->world, &snapshot) != KITH_OK) {
        bench_fail("no memory for a snapshot");
    }
    columns_pass(state->query);
    kith_snapshot_free(snapshot);
    return time_columns(state, n);
}

static void arrays_pass(Position *restrict positions, const Velocity *restrict velocities,
                        uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        positions[i].x += velocities[i].x * BENCH_DT;
        positions[i].y += velocities[i].y * BENCH_DT;
    }
}

static bench_sample time_arrays(const loop_state *state, uint32_t n)
{
    for (int i = 0; i < LOOP_WARM_UP; i++) {
        arrays_pass(state->positions, state->velocities, n);
    }
    double start = bench_now();
    for (uint32_t i = 0; i < loop_passes(n); i++) {
        arrays_pass(state->positions, state->velocities, n);
    }
    double ns = bench_now() - start;
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += (double)state->positions[i].x + (double)state->positions[i].y;
    }
    return (bench_sample){ns / loop_passes(n), (uint64_t)sum};
}

static bench_sample loop_by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return time_arrays(opened, n);
}

static bench_sample loop_once_more(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const loop_state *state = opened;
    arrays_pass(state->positions, state->velocities, n);
    return time_arrays(state, n);
}

#define LOOP_SIDES                                                                                 \
    {open_loop, loop_by_kith, close_loop},                                                         \
    {                                                                                              \
        open_arrays, loop_by_arrays, close_loop                                                    \
    }

#define COPIED_SIDES                                                                               \
    {open_loop, loop_copied, close_loop},                                                          \
    {                                                                                              \
        open_arrays, loop_once_more, close_loop                                                    \
    }

const bench_workload bench_loop[] = {
    {"loop", "position += velocity * dt", 1000, KITH_TABLE, 0.9, LOOP_SIDES, BENCH_ALONE},
    {"loop", "", 100000, KITH_TABLE, 1.1, LOOP_SIDES, BENCH_ALONE},
    {"loop", "", 1000000, KITH_TABLE, 1.1, LOOP_SIDES, BENCH_ALONE},
    {"loop", "", 1000, KITH_SPARSE, 0, LOOP_SIDES, BENCH_ALONE},
    {"loop", "", 100000, KITH_SPARSE, 3, LOOP_SIDES, BENCH_ALONE},
    {"loop", "", 1000000, KITH_SPARSE, 0, LOOP_SIDES, BENCH_ALONE},
    {"loop", "", 1000, KITH_SLOT, 1.3, LOOP_SIDES, BENCH_ALONE},
    {"loop", "", 100000, KITH_SLOT, 1.3, LOOP_SIDES, BENCH_ALONE},
    {"loop", "", 1000000, KITH_SLOT, 1.3, LOOP_SIDES, BENCH_ALONE},
    {"loop-copied", "the loop after all blocks were copied for a snapshot", 1000000,
     KITH_TABLE, 1.1, COPIED_SIDES, BENCH_ALONE},
    {"loop-copied", "", 1000000, KITH_SLOT, 1.3, COPIED_SIDES, BENCH_ALONE},
};
const uint32_t bench_loop_count = sizeof bench_loop / sizeof bench_loop[0];
