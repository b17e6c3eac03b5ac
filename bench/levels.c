/* A tree of n entities, eight children each, whose values go down from parents to children: visited by
 * depth, beside a loop over arrays in that order, which have the parent's place. */
#include <kith/hierarchy.h>
#include <kith/via.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { LEVELS_N = 100000, LEVELS_CHILDREN = 8 };

typedef struct levels_state {
    kith_world *world;
    kith_query *query;
    kith_entity *entities; /* by their place in order of depth, as all of these */
    uint32_t *parents;
    Position *positions;
    Velocity *velocities;
} levels_state;

static uint32_t levels_parent(uint32_t place)
{
    return (place - 1) / LEVELS_CHILDREN;
}

static void close_levels(void *opened)
{
    levels_state *state = opened;
    kith_world_free(state->world);
    free(state->entities);
    free(state->parents);
    free(state->positions);
    free(state->velocities);
    free(state);
}

/* ---- Kith ------------------------------------------------------------------------------------ */

/* Rows are in order of depth, or in no order; the query goes by depth, or by rows. */
static levels_state *open_levels(uint32_t n, kith_layout layout, bool in_order, kith_order order)
{
    levels_state *state = bench_take(sizeof *state);
    *state = (levels_state){.world = bench_world(layout)};
    state->entities = bench_take(n * sizeof *state->entities);
    uint32_t *shuffled = bench_shuffled(n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t place = in_order ? i : shuffled[i];
        state->entities[place] =
            KITH_SPAWN(state->world, KITH_VALUE(Position, {0, 0}),
                       KITH_VALUE(Velocity, bench_velocity(place)));
    }
    free(shuffled);
    for (uint32_t place = 1; place < n; place++) {
        kith_set_parent(state->world, state->entities[place],
                        state->entities[levels_parent(place)]);
    }
    const kith_query_def def = {.terms = KITH_TERMS(KITH_WRITE(Position), KITH_READ(Velocity),
                                                    KITH_UP(KITH_OPTIONAL(Position))),
                                .order = order};
    if (kith_query_new(state->world, &def, &state->query) != KITH_OK) {
        bench_fail(kith_error(state->world));
    }
    return state;
}

static uint64_t levels_sum(const levels_state *state, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i += 97) {
        const Position *position = KITH_GET(state->world, state->entities[i], Position);
        uint32_t bits[2];
        memcpy(bits, position, sizeof bits);
        sum = sum * 31 + bits[0] + bits[1];
    }
    return sum;
}

static bool go_down(levels_state *state, bool rows)
{
    kith_iter it = kith_query_iter(state->query);
    while (rows ? kith_next_rows(&it) : kith_next(&it)) {
        const Position *const *parents = KITH_TERM_POINTERS(&it, 2, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            Position *position = KITH_AT_MUT(&it, i, Position);
            const Velocity *velocity = KITH_AT(&it, i, Velocity);
            const Position from = parents[i] == NULL ? (Position){0, 0} : *parents[i];
            *position = (Position){from.x + velocity->x, from.y + velocity->y};
        }
    }
    return it.result == KITH_OK;
}

static bench_sample run_levels(levels_state *state, uint32_t n, bool rows)
{
    if (!go_down(state, rows)) { /* so that memory is there, and the order */
        bench_fail(kith_error(state->world));
    }
    double start = bench_now();
    bool done = go_down(state, rows);
    double end = bench_now();
    return (bench_sample){end - start, done ? levels_sum(state, n) : 0};
}

static void *open_sorted(uint32_t n, kith_layout layout)
{
    return open_levels(n, layout, true, KITH_PARENTS_FIRST);
}

static void *open_by_rows(uint32_t n, kith_layout layout)
{
    return open_levels(n, layout, true, KITH_SCAN_ORDER);
}

static void *open_shuffled(uint32_t n, kith_layout layout)
{
    return open_levels(n, layout, false, KITH_PARENTS_FIRST);
}

static bench_sample run_arrays(void *state, uint32_t n, kith_layout layout)
{
    (void)layout;
    return run_levels(state, n, false);
}

static bench_sample run_rows(void *state, uint32_t n, kith_layout layout)
{
    (void)layout;
    return run_levels(state, n, true);
}

/* An entity gets another parent of the same depth before the pass. */
static bench_sample run_renewed(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    levels_state *state = opened;
    if (!go_down(state, true)) {
        bench_fail(kith_error(state->world));
    }
    double start = bench_now();
    const kith_entity child = state->entities[n - 1];
    bool done = kith_set_parent(state->world, child, state->entities[levels_parent(n - 1) - 1]) ==
                KITH_OK;
    done = done && kith_set_parent(state->world, child, state->entities[levels_parent(n - 1)]) ==
                       KITH_OK;
    done = done && go_down(state, true);
    double end = bench_now();
    return (bench_sample){end - start, done ? levels_sum(state, n) : 0};
}

/* ---- By hand --------------------------------------------------------------------------------- */

static void *open_hand(uint32_t n, kith_layout layout)
{
    (void)layout;
    levels_state *state = bench_take(sizeof *state);
    *state = (levels_state){.world = NULL};
    state->parents = bench_take(n * sizeof *state->parents);
    state->positions = bench_take(n * sizeof *state->positions);
    state->velocities = bench_take(n * sizeof *state->velocities);
    for (uint32_t i = 0; i < n; i++) {
        state->parents[i] = i == 0 ? 0 : levels_parent(i);
        state->positions[i] = (Position){0, 0};
        state->velocities[i] = bench_velocity(i);
    }
    return state;
}

static bench_sample run_hand(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    levels_state *state = opened;
    double start = bench_now();
    Position *positions = state->positions;
    positions[0] = (Position){state->velocities[0].x, state->velocities[0].y};
    for (uint32_t i = 1; i < n; i++) {
        const Position from = positions[state->parents[i]];
        positions[i] =
            (Position){from.x + state->velocities[i].x, from.y + state->velocities[i].y};
    }
    double end = bench_now();
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i += 97) {
        uint32_t bits[2];
        memcpy(bits, &positions[i], sizeof bits);
        sum = sum * 31 + bits[0] + bits[1];
    }
    return (bench_sample){end - start, sum};
}

const bench_workload bench_levels[] = {
    {"parents-first",
     "rows in order of depth; beside the query without order",
     LEVELS_N,
     KITH_TABLE,
     1.3,
     {open_sorted, run_arrays, close_levels},
     {open_by_rows, run_arrays, close_levels},
     BENCH_ALONE},
    {"parents-first-hand",
     "rows in order of depth; beside arrays in that order",
     LEVELS_N,
     KITH_TABLE,
     0,
     {open_sorted, run_arrays, close_levels},
     {open_hand, run_hand, close_levels},
     BENCH_ALONE},
    {"parents-first-shuffled",
     "rows in no order; beside arrays in order of depth",
     LEVELS_N,
     KITH_TABLE,
     0,
     {open_shuffled, run_rows, close_levels},
     {open_hand, run_hand, close_levels},
     BENCH_ALONE},
    {"parents-first-renewed",
     "the same after a parent changed; beside arrays",
     LEVELS_N,
     KITH_TABLE,
     0,
     {open_shuffled, run_renewed, close_levels},
     {open_hand, run_hand, close_levels},
     BENCH_ALONE},
};
const uint32_t bench_levels_count = sizeof bench_levels / sizeof bench_levels[0];
