/* Ticks: what an empty system costs, and how much faster heavy ones are with a second thread,
 * beside loops over arrays by hand, in one thread and in two. */
#include <kith/kith.h>
#include <kith/spatial.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define SYSTEMS_DT 0.5f
#define TICKS 64u /* of empty systems, in one sample */

typedef struct systems_state {
    kith_world *world;
    kith_query *all;
} systems_state;

static systems_state *open_world(uint32_t n, uint32_t workers)
{
    systems_state *state = bench_take(sizeof *state);
    state->world = bench_filled_world(KITH_TABLE, n, NULL);
    state->all = KITH_QUERY(state->world, KITH_READ(Position), KITH_READ(Velocity));
    kith_workers_set(state->world, &(kith_workers_def){.threads = workers + 1});
    return state;
}

static void close_world(void *opened)
{
    systems_state *state = opened;
    kith_world_free(state->world);
    free(state);
}

static bench_sample time_ticks(systems_state *state, uint32_t ticks)
{
    kith_run(state->world, SYSTEMS_DT);
    double start = bench_now();
    for (uint32_t i = 0; i < ticks; i++) {
        kith_run(state->world, SYSTEMS_DT);
    }
    return (bench_sample){bench_now() - start, 0};
}

/* ---- Empty systems --------------------------------------------------------------------------- */

static void empty(kith_iter *it)
{
    ++*(uint64_t *)it->user;
}

static uint64_t empty_calls;

static void *open_empty(uint32_t n, kith_layout layout)
{
    (void)layout;
    systems_state *state = open_world(0, 0);
    for (uint32_t i = 0; i < n / TICKS; i++) {
        char name[16];
        snprintf(name, sizeof name, "empty %u", i);
        kith_system_add(state->world,
                        &(kith_system_def){.name = name,
                                           .run = empty,
                                           .user = &empty_calls,
                                           .priority = (int32_t)i,
                                           .query.terms = KITH_TERMS(KITH_WRITE(Position))});
    }
    return state;
}

static bench_sample run_empty(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    empty_calls = 0;
    bench_sample sample = time_ticks(opened, TICKS);
    sample.checksum = empty_calls - n / TICKS;
    return sample;
}

/* By hand: the same functions in a table. */
static bench_sample run_table(void *opened, uint32_t n, kith_layout layout)
{
    (void)opened;
    (void)layout;
    static void (*volatile function)(kith_iter * it) = empty;
    kith_iter it = {.user = &empty_calls};
    empty_calls = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        function(&it);
    }
    return (bench_sample){bench_now() - start, empty_calls};
}

/* ---- Heavy systems --------------------------------------------------------------------------- */

/* Some hundred steps on one number, which the compiler cannot foresee; and which cannot be made
 * side by side, so that all contestants take the same time for it. */
static inline float heavy(float x)
{
    for (int i = 0; i < 64; i++) {
        x = x * 0.5f + 1.0f / 1024;
    }
    return x;
}

static void heavy_positions(kith_iter *it)
{
    while (kith_next(it)) {
        Position *position = KITH_COLUMN_MUT(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            position[i].x = heavy(position[i].x);
        }
    }
}

static void heavy_velocities(kith_iter *it)
{
    while (kith_next(it)) {
        Velocity *velocity = KITH_COLUMN_MUT(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            velocity[i].x = heavy(velocity[i].x);
        }
    }
}

static void add_heavy(kith_world *world, bool both)
{
    kith_system_add(world, &(kith_system_def){.name = "positions",
                                              .run = heavy_positions,
                                              .parallel = !both,
                                              .query.terms = KITH_TERMS(KITH_WRITE(Position))});
    if (both) {
        kith_system_add(world, &(kith_system_def){.name = "velocities",
                                                  .run = heavy_velocities,
                                                  .query.terms = KITH_TERMS(KITH_WRITE(Velocity))});
    }
}

static void *open_heavy(uint32_t n, kith_layout layout)
{
    (void)layout;
    systems_state *state = open_world(n, 1);
    add_heavy(state->world, false);
    return state;
}

static void *open_heavy_serial(uint32_t n, kith_layout layout)
{
    (void)layout;
    systems_state *state = open_world(n, 0);
    add_heavy(state->world, false);
    return state;
}

static void *open_two(uint32_t n, kith_layout layout)
{
    (void)layout;
    systems_state *state = open_world(n, 1);
    add_heavy(state->world, true);
    return state;
}

static uint64_t sum_world(const systems_state *state)
{
    double sum = 0;
    for (kith_iter it = kith_query_iter(state->all); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += (double)KITH_COLUMN(&it, Position)[i].x * 1024;
            sum += (double)KITH_COLUMN(&it, Velocity)[i].x * 1024;
        }
    }
    return (uint64_t)sum;
}

static bench_sample run_heavy(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    bench_sample sample = time_ticks(opened, 1);
    sample.checksum = sum_world(opened);
    return sample;
}

/* ---- By hand --------------------------------------------------------------------------------- */

typedef struct hand_state {
    Position *positions;
    Velocity *velocities;
    uint32_t n;
} hand_state;

static void *open_hand(uint32_t n, kith_layout layout)
{
    (void)layout;
    hand_state *state = bench_take(sizeof *state);
    state->n = n;
    state->positions = bench_take(n * sizeof *state->positions);
    state->velocities = bench_take(n * sizeof *state->velocities);
    for (uint32_t i = 0; i < n; i++) {
        state->positions[i] = bench_position(i);
        state->velocities[i] = bench_velocity(i);
    }
    return state;
}

static void close_hand(void *opened)
{
    hand_state *state = opened;
    free(state->positions);
    free(state->velocities);
    free(state);
}

static void hand_positions(hand_state *state, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        state->positions[i].x = heavy(state->positions[i].x);
    }
}

static uint64_t sum_hand(const hand_state *state)
{
    double sum = 0;
    for (uint32_t i = 0; i < state->n; i++) {
        sum += (double)state->positions[i].x * 1024;
        sum += (double)state->velocities[i].x * 1024;
    }
    return (uint64_t)sum;
}

static bench_sample hand_serial(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    hand_state *state = opened;
    hand_positions(state, 0, n);
    double start = bench_now();
    hand_positions(state, 0, n);
    return (bench_sample){bench_now() - start, sum_hand(state)};
}

static bench_sample hand_serial_both(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    hand_state *state = opened;
    double start = 0;
    for (int pass = 0; pass < 2; pass++) {
        start = bench_now();
        hand_positions(state, 0, n);
        for (uint32_t i = 0; i < n; i++) {
            state->velocities[i].x = heavy(state->velocities[i].x);
        }
    }
    return (bench_sample){bench_now() - start, sum_hand(state)};
}

static void *hand_half(void *opened)
{
    hand_state *state = opened;
    hand_positions(state, 0, state->n / 2);
    return NULL;
}

/* Two threads, of which one is made for the purpose. */
static bench_sample hand_threads(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    hand_state *state = opened;
    hand_positions(state, 0, n);
    double start = bench_now();
    pthread_t thread;
    if (pthread_create(&thread, NULL, hand_half, state) != 0) {
        hand_half(state);
        hand_positions(state, n / 2, n);
        return (bench_sample){bench_now() - start, sum_hand(state)};
    }
    hand_positions(state, n / 2, n);
    pthread_join(thread, NULL);
    return (bench_sample){bench_now() - start, sum_hand(state)};
}

/* ---- Commands from two workers --------------------------------------------------------------- */

KITH_TAG(Marked);

static void mark(kith_iter *it)
{
    while (kith_next(it)) {
        const kith_entity *entities = kith_entities(it);
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_ADD(it->commands, entities[i], Marked);
        }
    }
}

static void *open_marks(uint32_t n, uint32_t workers)
{
    systems_state *state = open_world(n, workers);
    kith_register(state->world, &Marked_type, &(kith_component_def){.layout = KITH_SLOT});
    KITH_SYSTEM(state->world, mark, KITH_READ(Position), .parallel = true);
    return state;
}

static void *open_marks_serial(uint32_t n, kith_layout layout)
{
    (void)layout;
    return open_marks(n, 0);
}

static void *open_marks_two(uint32_t n, kith_layout layout)
{
    (void)layout;
    return open_marks(n, 1);
}

static bench_sample run_marks(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    return time_ticks(opened, 4);
}

/* ---- Indexes that a stage asks ----------------------------------------------------------------- */

typedef struct asking_state {
    systems_state systems; /* first */
    kith_index *indexes[2];
    uint64_t found;
} asking_state;

/* Writes all values, so that both indexes have to be filled anew. */
static void exchange(kith_iter *it)
{
    while (kith_next(it)) {
        Position *position = KITH_COLUMN_MUT(it, Position);
        Velocity *velocity = KITH_COLUMN_MUT(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            position[i] = (Position){position[i].y, position[i].x};
            velocity[i] = (Velocity){velocity[i].y, velocity[i].x};
        }
    }
}

static void ask_both(kith_iter *it)
{
    asking_state *state = it->user;
    for (uint32_t i = 0; i < 2; i++) {
        kith_index_found found;
        it->result = kith_within_box(state->indexes[i], KITH_POINT(0, 0), KITH_POINT(30, 30), NULL,
                                     &found);
        state->found += it->result == KITH_OK ? found.count : 0;
    }
}

/* Spreads them over a square. */
static void spread(const systems_state *state)
{
    uint32_t number = 0;
    kith_query *query = KITH_QUERY(state->world, KITH_WRITE(Position), KITH_WRITE(Velocity));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++, number++) {
            const float x = (float)(number * 7919u % 100003u) / 100;
            const float y = (float)(number * 27211u % 99991u) / 100;
            KITH_COLUMN_MUT(&it, Position)[i] = (Position){x, y};
            KITH_COLUMN_MUT(&it, Velocity)[i] = (Velocity){y, x};
        }
    }
    kith_query_free(query);
}

static void *open_asking(uint32_t n, uint32_t workers)
{
    systems_state *opened = open_world(n, workers);
    asking_state *state = bench_take(sizeof *state);
    *state = (asking_state){.systems = *opened};
    free(opened);
    spread(&state->systems);
    kith_world *world = state->systems.world;
    const kith_index_def defs[2] = {{.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)},
                                    {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Velocity, x, y)}};
    if (kith_index_new(world, &defs[0], &state->indexes[0]) != KITH_OK ||
        kith_index_new(world, &defs[1], &state->indexes[1]) != KITH_OK) {
        bench_fail("an index was not made");
    }
    KITH_SYSTEM(world, exchange, KITH_WRITE(Position), KITH_WRITE(Velocity));
    KITH_SYSTEM(world, ask_both, .user = state,
                .indexes = KITH_INDEXES(state->indexes[0], state->indexes[1]));
    return state;
}

static void *open_asking_serial(uint32_t n, kith_layout layout)
{
    (void)layout;
    return open_asking(n, 0);
}

static void *open_asking_two(uint32_t n, kith_layout layout)
{
    (void)layout;
    return open_asking(n, 1);
}

static bench_sample run_asking(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    asking_state *state = opened;
    state->found = 0;
    bench_sample sample = time_ticks(&state->systems, 1);
    sample.checksum = state->found;
    return sample;
}

#define HEAVY_N 200000

const bench_workload bench_systems[] = {
    {"system",
     "a tick of 20 empty query systems; by hand: 20 calls",
     20 * TICKS,
     KITH_TABLE,
     0,
     {open_empty, run_empty, close_world},
     {NULL, run_table, NULL},
     BENCH_ALONE},
    {"heavy",
     "a parallel system, no workers; by hand: one thread",
     HEAVY_N,
     KITH_TABLE,
     1.05,
     {open_heavy_serial, run_heavy, close_world},
     {open_hand, hand_serial, close_hand},
     BENCH_ALONE},
};
const uint32_t bench_systems_count = sizeof bench_systems / sizeof bench_systems[0];

const bench_workload bench_parallel[] = {
    {"heavy-two",
     "a parallel system, one worker; by hand: one thread",
     HEAVY_N,
     KITH_TABLE,
     1 / 1.9,
     {open_heavy, run_heavy, close_world},
     {open_hand, hand_serial, close_hand},
     BENCH_ALONE},
    {"heavy-pthread",
     "the same; by hand: two threads",
     HEAVY_N,
     KITH_TABLE,
     1.05,
     {open_heavy, run_heavy, close_world},
     {open_hand, hand_threads, close_hand},
     BENCH_ALONE},
    {"two-systems",
     "two systems side by side, one worker; by hand: one thread",
     HEAVY_N,
     KITH_TABLE,
     1 / 1.8,
     {open_two, run_heavy, close_world},
     {open_hand, hand_serial_both, close_hand},
     BENCH_ALONE},
    {"mark-two",
     "a parallel system that queues, one worker; beside: none",
     HEAVY_N,
     KITH_TABLE,
     0,
     {open_marks_two, run_marks, close_world},
     {open_marks_serial, run_marks, close_world},
     BENCH_ALONE},
    {"indexes-two",
     "two spatial indexes filled anew, one worker; beside: none",
     100000,
     KITH_TABLE,
     0,
     {open_asking_two, run_asking, close_world},
     {open_asking_serial, run_asking, close_world},
     BENCH_ALONE},
};
const uint32_t bench_parallel_count = sizeof bench_parallel / sizeof bench_parallel[0];
