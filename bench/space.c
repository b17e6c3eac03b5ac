/* A million points in space in a spatial index, beside a grid made by a counting sort for just this. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { POINTS = 1000000, SPACE = 100, CELLS = 50, CELL_COUNT = CELLS * CELLS * CELLS };

#define HALF_CUBE 1.2856f /* of a side: 17 points are in such a cube */

typedef struct Place3 {
    float x, y, z;
} Place3;
KITH_TYPE(Place3, KITH_FIELD(Place3, x), KITH_FIELD(Place3, y), KITH_FIELD(Place3, z));

typedef struct space_entry {
    Place3 place;
    uint32_t slot1;
} space_entry;

typedef struct space_state {
    kith_world *world;
    kith_index *index;
    Place3 *places;
    space_entry *entries; /* by cell */
    uint32_t *starts;
    uint64_t random;
} space_state;

static Place3 random_place3(space_state *state)
{
    const float x = bench_random_float(&state->random, SPACE);
    const float y = bench_random_float(&state->random, SPACE);
    return (Place3){x, y, bench_random_float(&state->random, SPACE)};
}

static space_state *open_space(void)
{
    space_state *state = bench_take(sizeof *state);
    *state = (space_state){.random = 1};
    state->places = bench_take(POINTS * sizeof *state->places);
    for (uint32_t i = 0; i < POINTS; i++) {
        state->places[i] = random_place3(state);
    }
    return state;
}

static void close_space(void *opened)
{
    space_state *state = opened;
    kith_world_free(state->world);
    free(state->places);
    free(state->entries);
    free(state->starts);
    free(state);
}

/* ---- Kith ---------------------------------------------------------------------------------------- */

static uint64_t ask_cube(const space_state *state, Place3 at)
{
    const kith_point low = {(double)(at.x - HALF_CUBE), (double)(at.y - HALF_CUBE),
                            (double)(at.z - HALF_CUBE)};
    const kith_point high = {(double)(at.x + HALF_CUBE), (double)(at.y + HALF_CUBE),
                             (double)(at.z + HALF_CUBE)};
    kith_index_found found;
    return bench_sum_found(kith_within_box(state->index, low, high, NULL, &found), &found);
}

static void *open_space_index(uint32_t n, kith_layout layout)
{
    (void)n;
    space_state *state = open_space();
    state->world = bench_world(layout);
    const kith_values values[] = {{&Place3_type, state->places, true}};
    const kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Place3, x, y, z)};
    if (kith_spawn_many(state->world, POINTS, values, 1, NULL) != KITH_OK ||
        kith_index_new(state->world, &def, &state->index) != KITH_OK) {
        bench_fail("the entities were not made");
    }
    ask_cube(state, state->places[0]);
    return state;
}

static bench_sample cubes_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    space_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        sum += ask_cube(state, random_place3(state));
    }
    return (bench_sample){bench_now() - start, sum};
}

/* ---- The grid ------------------------------------------------------------------------------------ */

static uint32_t cell_along(float number)
{
    const float cell = number * ((float)CELLS / SPACE);
    return cell < 0 ? 0 : cell >= CELLS ? CELLS - 1 : (uint32_t)cell;
}

static uint32_t cell_of(Place3 at)
{
    return (cell_along(at.z) * CELLS + cell_along(at.y)) * CELLS + cell_along(at.x);
}

static void *open_space_grid(uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    space_state *state = open_space();
    state->entries = bench_take(POINTS * sizeof *state->entries);
    state->starts = bench_take((CELL_COUNT + 2) * sizeof *state->starts);
    memset(state->starts, 0, (CELL_COUNT + 2) * sizeof *state->starts);
    for (uint32_t i = 0; i < POINTS; i++) {
        state->starts[cell_of(state->places[i]) + 2]++;
    }
    for (uint32_t cell = 1; cell <= CELL_COUNT; cell++) {
        state->starts[cell + 1] += state->starts[cell];
    }
    for (uint32_t i = 0; i < POINTS; i++) {
        const Place3 at = state->places[i];
        state->entries[state->starts[cell_of(at) + 1]++] = (space_entry){at, i + 1};
    }
    return state;
}

/* Along x, cells are one after the other. */
static uint64_t sum_of_cube(const space_state *state, Place3 at)
{
    const Place3 low = {at.x - HALF_CUBE, at.y - HALF_CUBE, at.z - HALF_CUBE};
    const Place3 high = {at.x + HALF_CUBE, at.y + HALF_CUBE, at.z + HALF_CUBE};
    uint64_t sum = 0;
    for (uint32_t z = cell_along(low.z); z <= cell_along(high.z); z++) {
        for (uint32_t y = cell_along(low.y); y <= cell_along(high.y); y++) {
            const uint32_t row = (z * CELLS + y) * CELLS;
            const uint32_t end = state->starts[row + cell_along(high.x) + 1];
            for (uint32_t i = state->starts[row + cell_along(low.x)]; i < end; i++) {
                const Place3 own = state->entries[i].place;
                bool in = (own.x >= low.x) & (own.x <= high.x) & (own.y >= low.y) &
                          (own.y <= high.y) & (own.z >= low.z) & (own.z <= high.z);
                sum += in ? state->entries[i].slot1 : 0;
            }
        }
    }
    return sum;
}

static bench_sample cubes_by_grid(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    space_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        sum += sum_of_cube(state, random_place3(state));
    }
    return (bench_sample){bench_now() - start, sum};
}

const bench_workload bench_space[] = {
    {"places-3d-box",
     "a cube with 17 of 10^6 points; beside a sorted grid",
     20000,
     KITH_TABLE,
     1.5,
     {open_space_index, cubes_by_kith, close_space},
     {open_space_grid, cubes_by_grid, close_space},
     BENCH_ALONE},
};
const uint32_t bench_space_count = sizeof bench_space / sizeof bench_space[0];
