/* A spatial index of points, beside a grid made by a counting sort for just this. */
#include <kith/floats.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "places.h"

enum { NEAREST = 8 };

#define RADIUS 2.326f /* 17 points are in such a circle */
#define PAIR_DISTANCE 0.5

typedef struct grid_entry {
    Position position;
    kith_entity entity;
} grid_entry;

typedef struct places_state {
    kith_world *world;
    kith_index *index;
    kith_query *marked;    /* a quarter of all; or NULL */
    kith_query *box;       /* those between left and right, top and bottom; or NULL */
    uint32_t count;        /* of places */
    kith_entity *entities; /* slots ascend from 1 */
    Position *positions;
    grid_entry *entries; /* by cell */
    uint32_t *starts;
    uint8_t *marks; /* by slot, whether one is marked; or NULL */
    uint64_t random;
} places_state;

static places_state *open_places(uint32_t count)
{
    places_state *state = bench_take(sizeof *state);
    *state = (places_state){.count = count, .random = 1};
    state->positions = bench_take(count * sizeof *state->positions);
    state->entities = bench_take(count * sizeof *state->entities);
    for (uint32_t i = 0; i < count; i++) {
        state->positions[i] = random_place(&state->random);
        state->entities[i] = (kith_entity){i + 1, 0};
    }
    return state;
}

static void close_places(void *opened)
{
    places_state *state = opened;
    kith_world_free(state->world);
    free(state->entities);
    free(state->positions);
    free(state->entries);
    free(state->starts);
    free(state->marks);
    free(state);
}

/* ---- Kith ---------------------------------------------------------------------------------------- */

static void *open_world(uint32_t n, kith_layout layout)
{
    places_state *state = open_places(n);
    state->world = bench_world(layout);
    const kith_values values[] = {{&Position_type, state->positions, true}};
    const kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    if (kith_spawn_many(state->world, n, values, 1, state->entities) != KITH_OK ||
        kith_index_new(state->world, &def, &state->index) != KITH_OK) {
        bench_fail("the entities were not made");
    }
    return state;
}

static uint64_t sum_of_box(const places_state *state, Position at)
{
    const kith_point low = {(double)(at.x - HALF_BOX), (double)(at.y - HALF_BOX), 0};
    const kith_point high = {(double)(at.x + HALF_BOX), (double)(at.y + HALF_BOX), 0};
    kith_index_found found;
    return bench_sum_found(kith_within_box(state->index, low, high, NULL, &found), &found);
}

static void *open_index(uint32_t n, kith_layout layout)
{
    (void)n;
    places_state *state = open_world(PLACES, layout);
    sum_of_box(state, (Position){0, 0});
    return state;
}

static bench_sample build_index(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    places_state *state = opened;
    double start = bench_now();
    uint64_t sum = sum_of_box(state, (Position){500, 500});
    return (bench_sample){bench_now() - start, sum};
}

static bench_sample ask_boxes(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    places_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        sum += sum_of_box(state, random_place(&state->random));
    }
    return (bench_sample){bench_now() - start, sum};
}

/* Every fourth one is marked. */
static bool is_marked(uint32_t index1)
{
    return index1 % 4 == 0;
}

static void *open_marked(uint32_t n, kith_layout layout)
{
    places_state *state = open_index(n, layout);
    bool made = kith_register(state->world, &Marker_type,
                              &(kith_component_def){.layout = KITH_SLOT}) == KITH_OK;
    for (uint32_t i = 0; i < PLACES; i++) {
        if (is_marked(state->entities[i].index1)) {
            made = made && KITH_ADD(state->world, state->entities[i], Marker) == KITH_OK;
        }
    }
    state->marked = KITH_QUERY(state->world, KITH_WITH(Marker));
    if (!made || state->marked == NULL) {
        bench_fail("the entities were not marked");
    }
    sum_of_box(state, (Position){0, 0});
    return state;
}

static bench_sample ask_circles(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    places_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        Position at = random_place(&state->random);
        kith_index_found found;
        sum += bench_sum_found(kith_within_radius(state->index,
                                                  KITH_POINT((double)at.x, (double)at.y), RADIUS,
                                                  NULL, &found),
                               &found);
    }
    return (bench_sample){bench_now() - start, sum};
}

static void *open_ranges(uint32_t n, kith_layout layout)
{
    places_state *state = open_index(n, layout);
    state->box = KITH_QUERY(state->world, KITH_IF(Position, x, >=, kith_bound("left")),
                            KITH_IF(Position, x, <=, kith_bound("right")),
                            KITH_IF(Position, y, >=, kith_bound("top")),
                            KITH_IF(Position, y, <=, kith_bound("bottom")));
    return state;
}

static uint64_t sum_of_ranges(const places_state *state, Position at)
{
    const struct {
        const char *name;
        float number;
    } bounds[] = {{"left", at.x - HALF_BOX},
                  {"right", at.x + HALF_BOX},
                  {"top", at.y - HALF_BOX},
                  {"bottom", at.y + HALF_BOX}};
    for (uint32_t i = 0; i < 4; i++) {
        if (kith_query_bind(state->box, bounds[i].name, bounds[i].number) != KITH_OK) {
            bench_fail("the query was not bound");
        }
    }
    return bench_sum_rows(state->box);
}

static bench_sample ask_ranges(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    places_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        sum += sum_of_ranges(state, random_place(&state->random));
    }
    return (bench_sample){bench_now() - start, sum};
}

static bench_sample ask_nearest(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    places_state *state = opened;
    const kith_near_def def = {.query = state->marked};
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        Position at = random_place(&state->random);
        kith_near found[NEAREST];
        uint32_t count;
        if (kith_nearest(state->index, KITH_POINT((double)at.x, (double)at.y), NEAREST, &def, found,
                         &count) != KITH_OK) {
            bench_fail("the index was not asked");
        }
        for (uint32_t k = 0; k < count; k++) {
            sum += found[k].entity.index1;
        }
    }
    return (bench_sample){bench_now() - start, sum};
}

/* The same whichever of the two comes first. */
static uint64_t sum_of_pair(kith_entity a, kith_entity b)
{
    return (uint64_t)a.index1 * b.index1;
}

static bench_sample ask_pairs(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    places_state *state = opened;
    kith_pairs_found found;
    double start = bench_now();
    if (kith_pairs(state->index, PAIR_DISTANCE, NULL, &found) != KITH_OK) {
        bench_fail("the index was not asked");
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < found.count; i++) {
        sum += sum_of_pair(found.pairs[i].first, found.pairs[i].second);
    }
    return (bench_sample){bench_now() - start, sum};
}

/* ---- The grid ------------------------------------------------------------------------------------ */

static void *open_arrays(uint32_t n, kith_layout layout)
{
    (void)layout;
    return open_places(n);
}

static void build_grid(places_state *state)
{
    state->entries = bench_take((state->count + 1) * sizeof *state->entries);
    state->starts = bench_take((CELL_COUNT + 2) * sizeof *state->starts);
    memset(state->starts, 0, (CELL_COUNT + 2) * sizeof *state->starts);
    uint32_t *counts = state->starts + 2;
    for (uint32_t i = 0; i < state->count; i++) {
        counts[cell_of(state->positions[i])]++;
    }
    for (uint32_t cell = 1; cell < CELL_COUNT; cell++) {
        counts[cell] += counts[cell - 1];
    }
    uint32_t *places = state->starts + 1;
    for (uint32_t i = 0; i < state->count; i++) {
        Position at = state->positions[i];
        state->entries[places[cell_of(at)]++] = (grid_entry){at, state->entities[i]};
    }
}

static void *open_grid(uint32_t n, kith_layout layout)
{
    (void)n;
    places_state *state = open_arrays(PLACES, layout);
    build_grid(state);
    return state;
}

static void *open_marked_grid(uint32_t n, kith_layout layout)
{
    places_state *state = open_grid(n, layout);
    state->marks = bench_take(PLACES + 1);
    for (uint32_t i = 0; i <= PLACES; i++) {
        state->marks[i] = is_marked(i);
    }
    return state;
}

/* Writes who is in a box, and returns how many. */
static uint32_t find_in_grid(const places_state *state, Position at, float half, grid_entry *found)
{
    const float left = at.x - half, right = at.x + half, top = at.y - half, bottom = at.y + half;
    uint32_t count = 0;
    for (uint32_t y = cell_along(top); y <= cell_along(bottom); y++) {
        uint32_t end = state->starts[y * CELLS + cell_along(right) + 1];
        for (uint32_t i = state->starts[y * CELLS + cell_along(left)]; i < end; i++) {
            const Position own = state->entries[i].position;
            found[count] = state->entries[i];
            count +=
                (uint32_t)((own.x >= left) & (own.x <= right) & (own.y >= top) & (own.y <= bottom));
        }
    }
    return count;
}

static uint64_t sum_of_grid(const places_state *state, Position at)
{
    grid_entry found[4096];
    uint32_t count = find_in_grid(state, at, HALF_BOX, found);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += found[i].entity.index1;
    }
    return sum;
}

static bench_sample build_by_hand(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    places_state *state = opened;
    double start = bench_now();
    free(state->entries);
    free(state->starts);
    build_grid(state);
    uint64_t sum = sum_of_grid(state, (Position){500, 500});
    return (bench_sample){bench_now() - start, sum};
}

static bench_sample ask_grid(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    places_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        sum += sum_of_grid(state, random_place(&state->random));
    }
    return (bench_sample){bench_now() - start, sum};
}

static double square_of(Position a, Position b)
{
    const double dx = (double)a.x - (double)b.x;
    const double dy = (double)a.y - (double)b.y;
    return kith_mul_f64(dx, dx) + kith_mul_f64(dy, dy);
}

static bench_sample ask_grid_circles(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    places_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        const Position at = random_place(&state->random);
        grid_entry found[4096];
        uint32_t count = find_in_grid(state, at, RADIUS, found);
        for (uint32_t k = 0; k < count; k++) {
            bool in = square_of(found[k].position, at) <= (double)RADIUS * (double)RADIUS;
            sum += in ? found[k].entity.index1 : 0;
        }
    }
    return (bench_sample){bench_now() - start, sum};
}

/* The nearest of those in a box, which is made larger until as many are in the circle in it. */
static uint64_t sum_of_nearest(const places_state *state, Position at)
{
    for (float half = state->marks != NULL ? 2 * HALF_BOX : HALF_BOX;; half *= 1.5f) {
        grid_entry found[16384];
        double squares[NEAREST];
        uint32_t slots[NEAREST], kept = 0;
        uint32_t count = find_in_grid(state, at, half, found);
        for (uint32_t i = 0; i < count; i++) {
            if (state->marks != NULL && state->marks[found[i].entity.index1] == 0) {
                continue;
            }
            const double square = square_of(found[i].position, at);
            if (kept == NEAREST && square >= squares[NEAREST - 1]) {
                continue;
            }
            uint32_t place = kept < NEAREST ? kept++ : NEAREST - 1;
            for (; place > 0 && squares[place - 1] > square; place--) {
                squares[place] = squares[place - 1];
                slots[place] = slots[place - 1];
            }
            squares[place] = square;
            slots[place] = found[i].entity.index1;
        }
        if (kept == NEAREST && squares[NEAREST - 1] <= (double)half * (double)half) {
            uint64_t sum = 0;
            for (uint32_t i = 0; i < NEAREST; i++) {
                sum += slots[i];
            }
            return sum;
        }
    }
}

static bench_sample ask_grid_nearest(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    places_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        sum += sum_of_nearest(state, random_place(&state->random));
    }
    return (bench_sample){bench_now() - start, sum};
}

/* Each looks at those after it in its row of cells, and at the row below. They come in no order. */
static bench_sample ask_grid_pairs(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    const places_state *state = opened;
    const grid_entry *entries = state->entries;
    const float reach = (float)PAIR_DISTANCE;
    uint64_t sum = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < state->count; i++) {
        const Position own = entries[i].position;
        const uint32_t left = cell_along(own.x - reach), right = cell_along(own.x + reach);
        const uint32_t top = cell_along(own.y), bottom = cell_along(own.y + reach);
        for (uint32_t y = top; y <= bottom; y++) {
            uint32_t k = y == top ? i + 1 : state->starts[y * CELLS + left];
            for (; k < state->starts[y * CELLS + right + 1]; k++) {
                if (square_of(entries[k].position, own) <= PAIR_DISTANCE * PAIR_DISTANCE) {
                    sum += sum_of_pair(entries[i].entity, entries[k].entity);
                }
            }
        }
    }
    return (bench_sample){bench_now() - start, sum};
}

#define PLACES_ROW(name, n, target, what, open, run, open_by_hand, run_by_hand)                    \
    {                                                                                              \
        name, what, n, KITH_TABLE, target, {open, run, close_places},                              \
            {open_by_hand, run_by_hand, close_places}, BENCH_ALONE                                 \
    }

const bench_workload bench_places[] = {
    PLACES_ROW("places-build", PLACES, 1.3, "build a spatial index; beside a counting sort",
               open_world, build_index, open_arrays, build_by_hand),
    PLACES_ROW("places-box", 20000, 1.5, "a box with 17 of 10^6 points; beside a sorted grid",
               open_index, ask_boxes, open_grid, ask_grid),
    PLACES_ROW("places-where", 20000, 0, "the same by conditions; beside a sorted grid",
               open_ranges, ask_ranges, open_grid, ask_grid),
    PLACES_ROW("places-radius", 20000, 1.5, "a circle with 17 of 10^6; beside a sorted grid",
               open_index, ask_circles, open_grid, ask_grid_circles),
    PLACES_ROW("places-nearest", 20000, 3, "nearest 8 of 10^6 points; beside a sorted grid",
               open_index, ask_nearest, open_grid, ask_grid_nearest),
    PLACES_ROW("places-nearest-query", 20000, 3, "of the quarter with a tag; beside grid and bytes",
               open_marked, ask_nearest, open_marked_grid, ask_grid_nearest),
    PLACES_ROW("places-pairs", PLACES, 0, "pairs among 10^6 points; beside a sorted grid",
               open_index, ask_pairs, open_grid, ask_grid_pairs),
};
const uint32_t bench_places_count = sizeof bench_places / sizeof bench_places[0];
