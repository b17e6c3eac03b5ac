/* What a world does now and then: too short to be timed one by one, and told by no other workload. Only
 * its instructions are counted. */
#include <stdlib.h>

#include "bench.h"

typedef struct steps_state {
    kith_world *world;
    kith_query *query;
    kith_tracker *tracker;
    kith_entity *handles;
    bench_types types;
} steps_state;

static void *open_filled(uint32_t n, kith_layout layout)
{
    steps_state *state = bench_take(sizeof *state);
    *state = (steps_state){.handles = bench_take(n * sizeof *state->handles)};
    state->world = bench_filled_world(layout, n, state->handles);
    state->query = KITH_QUERY(state->world, KITH_WRITE(Position), KITH_READ(Velocity));
    return state;
}

static void close_all(void *opened)
{
    steps_state *state = opened;
    kith_world_free(state->world);
    bench_types_free(state->types);
    free(state->handles);
    free(state);
}

static bench_sample loop_each(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    const steps_state *state = opened;
    uint64_t visited = 0;
    double start = bench_now();
    for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            Position *position = KITH_AT_MUT(&it, i, Position);
            const Velocity *velocity = KITH_AT(&it, i, Velocity);
            position->x += velocity->x * BENCH_DT;
            position->y += velocity->y * BENCH_DT;
            visited++;
        }
    }
    return (bench_sample){bench_now() - start, visited};
}

static bench_sample open_queries(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const steps_state *state = opened;
    uint64_t entities = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        kith_iter it = kith_query_iter(state->query);
        kith_next(&it);
        entities += it.count;
        kith_iter_close(&it);
    }
    return (bench_sample){bench_now() - start, entities};
}

static void *open_tracked(uint32_t n, kith_layout layout)
{
    steps_state *state = open_filled(n, layout);
    if (kith_tracker_new(state->world, &Extra_type, &state->tracker) != KITH_OK) {
        bench_fail("no memory for a tracker");
    }
    return state;
}

static bench_sample tracked_adds(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const steps_state *state = opened;
    uint64_t added = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        added += KITH_ADD(state->world, state->handles[i], Extra) == KITH_OK;
    }
    return (bench_sample){bench_now() - start, added};
}

static bench_sample look_at_tracked(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const steps_state *state = opened;
    for (uint32_t i = 0; i < n; i++) {
        KITH_ADD(state->world, state->handles[i], Extra);
    }
    uint64_t seen = 0;
    kith_change change;
    double start = bench_now();
    while (kith_tracker_next(state->tracker, &change)) {
        seen += change.kind == KITH_ADDED;
    }
    return (bench_sample){bench_now() - start, seen};
}

/* A world in which somebody looks for what changed. */
static void *open_seen(uint32_t n, kith_layout layout)
{
    steps_state *state = open_filled(n, layout);
    kith_iter it = kith_query_iter(KITH_QUERY(state->world, KITH_CHANGED(Position)));
    uint64_t seen = 0;
    while (kith_next(&it)) {
        seen += it.count;
    }
    if (seen != n) {
        bench_fail("what is new was not told as changed");
    }
    return state;
}

static bench_sample seen_changes(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const steps_state *state = opened;
    uint64_t done = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        done += KITH_SET(state->world, state->handles[i], Extra, {(float)i, 1, 2}) == KITH_OK;
    }
    for (uint32_t i = 0; i < n; i++) {
        done += KITH_REMOVE(state->world, state->handles[i], Extra) == KITH_OK;
    }
    return (bench_sample){bench_now() - start, done};
}

static bench_sample seen_lives(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const steps_state *state = opened;
    uint64_t done = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        done += kith_despawn(state->world, state->handles[i]) == KITH_OK;
    }
    for (uint32_t i = 0; i < n; i++) {
        state->handles[i] = KITH_SPAWN(state->world, KITH_VALUE(Position, {(float)i, 1}),
                                       KITH_VALUE(Velocity, {1, 2}));
    }
    return (bench_sample){bench_now() - start, done};
}

static bench_sample make_worlds(void *opened, uint32_t n, kith_layout layout)
{
    (void)opened;
    (void)layout;
    uint64_t made = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        kith_world *world = kith_world_new(NULL);
        made += world != NULL;
        kith_world_free(world);
    }
    return (bench_sample){bench_now() - start, made};
}

/* Types that the process has not met. */
static void *open_types(uint32_t n, kith_layout layout)
{
    static uint32_t met;
    steps_state *state = open_filled(0, layout);
    state->types = bench_types_new("Step", met, n, 3);
    met += n;
    return state;
}

static bench_sample register_types(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const steps_state *state = opened;
    uint64_t done = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        done += kith_register(state->world, &state->types.types[i], NULL) == KITH_OK;
    }
    return (bench_sample){bench_now() - start, done};
}

#define STEP(name, what, n, layout, open, run, close)                                              \
    {                                                                                              \
        name, what, n, layout, 0, {open, run, close}, BENCH_NO_SIDE, BENCH_ALONE                   \
    }

const bench_workload bench_steps[] = {
    STEP("fresh-query", "a query made over 1,024 tables, what matches 256 of them counted, freed",
         32, KITH_TABLE, bench_open_fresh, bench_run_fresh, bench_close_fresh),
    STEP("loop-each", "the loop with KITH_AT", 4096, KITH_TABLE, open_filled, loop_each, close_all),
    STEP("open", "opening a query, its first batch, closing", 1024, KITH_TABLE, open_filled,
         open_queries, close_all),
    STEP("open", "", 1024, KITH_SPARSE, open_filled, open_queries, close_all),
    STEP("open", "", 1024, KITH_SLOT, open_filled, open_queries, close_all),
    STEP("tracked-add", "add a component that a tracker follows", 4096, KITH_TABLE, open_tracked,
         tracked_adds, close_all),
    STEP("tracked-add", "", 4096, KITH_SPARSE, open_tracked, tracked_adds, close_all),
    STEP("tracker", "a change that a tracker tells", 4096, KITH_TABLE, open_tracked,
         look_at_tracked, close_all),
    STEP("seen-change", "add-remove where somebody looks for changes", 4096, KITH_TABLE, open_seen,
         seen_changes, close_all),
    STEP("seen-change", "", 4096, KITH_SPARSE, open_seen, seen_changes, close_all),
    STEP("seen-change", "", 4096, KITH_SLOT, open_seen, seen_changes, close_all),
    STEP("seen-life", "despawn, then spawn with two, likewise", 4096, KITH_TABLE, open_seen,
         seen_lives, close_all),
    STEP("seen-life", "", 4096, KITH_SPARSE, open_seen, seen_lives, close_all),
    STEP("seen-life", "", 4096, KITH_SLOT, open_seen, seen_lives, close_all),
    STEP("world", "an empty world, made and freed", 64, KITH_TABLE, NULL, make_worlds, NULL),
    STEP("register", "a type, with the world and with the process", 512, KITH_TABLE, open_types,
         register_types, close_all),
};
const uint32_t bench_steps_count = sizeof bench_steps / sizeof bench_steps[0];
