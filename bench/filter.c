/* position += velocity * dt over a table, without those that carry a slot tag; per visited entity. */
#include <stdlib.h>

#include "bench.h"

#define SHIP 10u /* entities of a ship: itself and its parts */

/* One in a hundred, at random; or every other. */
static bool is_frozen(uint32_t i, bool many)
{
    return many ? i % 2 == 1 : (i * 2654435761u >> 8) % 100 == 0;
}

typedef struct filter_state {
    kith_world *world;
    kith_query *query;
    Position *positions;
    Velocity *velocities;
    uint64_t *frozen;
    uint32_t visited;
} filter_state;

/* Ships, of which one in a hundred is switched off with its parts. */
static void *open_disabled(uint32_t n, kith_layout layout)
{
    (void)layout;
    filter_state *state = bench_take(sizeof *state);
    *state = (filter_state){.world = bench_world(KITH_TABLE)};
    state->query = KITH_QUERY(state->world, KITH_WRITE(Position), KITH_READ(Velocity),
                              KITH_WITHOUT(kith_disabled));
    kith_entity ship = KITH_NONE;
    for (uint32_t i = 0; i < n; i++) {
        Position position = bench_position(i);
        Velocity velocity = bench_velocity(i);
        kith_entity e = KITH_SPAWN(state->world, KITH_VALUE(Position, position),
                                   KITH_VALUE(Velocity, velocity));
        ship = i % SHIP == 0 ? e : ship;
        kith_set_parent(state->world, e, i % SHIP == 0 ? KITH_NONE : ship);
        if (i % SHIP == 0 && is_frozen(i / SHIP, false)) {
            KITH_ADD(state->world, e, kith_disabled);
        }
    }
    return state;
}

/* A world in tables, but for Marker. */
static void *open_kith(uint32_t n, bool many)
{
    filter_state *state = bench_take(sizeof *state);
    *state = (filter_state){.world = bench_world(KITH_TABLE)};
    kith_register(state->world, &Marker_type, &(kith_component_def){.layout = KITH_SLOT});
    state->query =
        KITH_QUERY(state->world, KITH_WRITE(Position), KITH_READ(Velocity), KITH_WITHOUT(Marker));
    for (uint32_t i = 0; i < n; i++) {
        Position position = bench_position(i);
        Velocity velocity = bench_velocity(i);
        kith_entity e = KITH_SPAWN(state->world, KITH_VALUE(Position, position),
                                   KITH_VALUE(Velocity, velocity));
        if (is_frozen(i, many)) {
            KITH_ADD(state->world, e, Marker);
        }
    }
    return state;
}

static void *open_few(uint32_t n, kith_layout layout)
{
    (void)layout;
    return open_kith(n, false);
}

static void *open_half(uint32_t n, kith_layout layout)
{
    (void)layout;
    return open_kith(n, true);
}

static void *open_arrays(uint32_t n, uint32_t parts, bool many)
{
    filter_state *state = bench_take(sizeof *state);
    *state = (filter_state){.positions = bench_take(n * sizeof(Position)),
                            .velocities = bench_take(n * sizeof(Velocity)),
                            .frozen = calloc(n / 64 + 1, sizeof *state->frozen)};
    for (uint32_t i = 0; i < n; i++) {
        state->positions[i] = bench_position(i);
        state->velocities[i] = bench_velocity(i);
        if (is_frozen(i / parts, many)) {
            state->frozen[i / 64] |= UINT64_C(1) << i % 64;
        } else {
            state->visited++;
        }
    }
    return state;
}

static void *open_few_arrays(uint32_t n, kith_layout layout)
{
    (void)layout;
    return open_arrays(n, 1, false);
}

static void *open_half_arrays(uint32_t n, kith_layout layout)
{
    (void)layout;
    return open_arrays(n, 1, true);
}

static void *open_disabled_arrays(uint32_t n, kith_layout layout)
{
    (void)layout;
    return open_arrays(n, SHIP, false);
}

static void close_filter(void *opened)
{
    filter_state *state = opened;
    kith_world_free(state->world);
    free(state->positions);
    free(state->velocities);
    free(state->frozen);
    free(state);
}

static double kith_pass(const filter_state *state)
{
    double sum = 0;
    for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
        Position *position = KITH_COLUMN_MUT(&it, Position);
        const Velocity *velocity = KITH_COLUMN(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            position[i].x += velocity[i].x * BENCH_DT;
            position[i].y += velocity[i].y * BENCH_DT;
        }
        sum += it.count;
    }
    return sum;
}

static double rows_pass(const filter_state *state)
{
    double sum = 0;
    for (kith_iter it = kith_query_iter(state->query); kith_next_rows(&it);) {
        Position *const *position = KITH_POINTERS_MUT(&it, Position);
        const Velocity *const *velocity = KITH_POINTERS(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            position[i]->x += velocity[i]->x * BENCH_DT;
            position[i]->y += velocity[i]->y * BENCH_DT;
        }
        sum += it.count;
    }
    return sum;
}

static bench_sample time_passes(const filter_state *state, uint32_t n,
                                double (*pass)(const filter_state *state))
{
    pass(state);
    double start = bench_now();
    double visited = pass(state);
    double ns = bench_now() - start;
    double sum = 0;
    for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
        const Position *position = KITH_COLUMN(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += (double)position[i].x + (double)position[i].y;
        }
    }
    return (bench_sample){ns * n / visited, (uint64_t)sum};
}

static bench_sample by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return time_passes(opened, n, kith_pass);
}

static bench_sample by_rows(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    return time_passes(opened, n, rows_pass);
}

static void arrays_pass(const filter_state *state, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if ((state->frozen[i / 64] >> i % 64 & 1) == 0) {
            state->positions[i].x += state->velocities[i].x * BENCH_DT;
            state->positions[i].y += state->velocities[i].y * BENCH_DT;
        }
    }
}

static bench_sample by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const filter_state *state = opened;
    arrays_pass(state, n);
    double start = bench_now();
    arrays_pass(state, n);
    double ns = bench_now() - start;
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        if ((state->frozen[i / 64] >> i % 64 & 1) == 0) {
            sum += (double)state->positions[i].x + (double)state->positions[i].y;
        }
    }
    return (bench_sample){ns * n / state->visited, (uint64_t)sum};
}

#define SWITCHED 100u /* of so many ships one is switched */

/* Switches ships off and on, and asks of a part each time whether it is on. */
static bench_sample by_switching(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const filter_state *state = opened;
    uint32_t on = 0;
    uint32_t times = 0;
    double start = bench_now();
    for (uint32_t i = 0; i + 1 < n; i += SHIP * SWITCHED, times += 2) {
        kith_entity ship = {i + 1, 0}; /* the first entities of a world are in these slots */
        kith_entity part = {i + 2, 0};
        KITH_ADD(state->world, ship, kith_disabled);
        on += kith_query_contains(state->query, part);
        KITH_REMOVE(state->world, ship, kith_disabled);
        on += kith_query_contains(state->query, part);
    }
    return (bench_sample){(bench_now() - start) * n / times, on};
}

static bench_sample by_switching_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const filter_state *state = opened;
    uint32_t on = 0;
    uint32_t times = 0;
    double start = bench_now();
    for (uint32_t i = 0; i + 1 < n; i += SHIP * SWITCHED, times += 2) {
        for (uint32_t off = 0; off < 2; off++) {
            for (uint32_t k = i; k < i + SHIP && k < n; k++) {
                state->frozen[k / 64] ^= UINT64_C(1) << k % 64;
            }
            on += off;
        }
    }
    return (bench_sample){(bench_now() - start) * n / times, on};
}

const bench_workload bench_filter[] = {
    {"without-1%",
     "the loop without those that have a slot tag, 1% at random",
     100000,
     KITH_TABLE,
     1.2,
     {open_few, by_kith, close_filter},
     {open_few_arrays, by_arrays, close_filter},
     BENCH_ALONE},
    {"without-50%",
     "the same where every other has it",
     100000,
     KITH_TABLE,
     2,
     {open_half, by_kith, close_filter},
     {open_half_arrays, by_arrays, close_filter},
     BENCH_ALONE},
    {"without-50%-rows",
     "the same by kith_next_rows",
     100000,
     KITH_TABLE,
     2,
     {open_half, by_rows, close_filter},
     {open_half_arrays, by_arrays, close_filter},
     BENCH_ALONE},
    {"disabled",
     "the loop without ships that are off with their parts, 1%",
     100000,
     KITH_TABLE,
     1.2,
     {open_disabled, by_kith, close_filter},
     {open_disabled_arrays, by_arrays, close_filter},
     BENCH_ALONE},
    {"disabled-switch",
     "a ship with 9 parts is switched, and a part asked",
     1000000,
     KITH_TABLE,
     0,
     {open_disabled, by_switching, close_filter},
     {open_disabled_arrays, by_switching_arrays, close_filter},
     BENCH_ALONE},
};
const uint32_t bench_filter_count = sizeof bench_filter / sizeof bench_filter[0];
