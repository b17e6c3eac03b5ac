/* A spatial index of boxes of mixed sizes, beside a grid made by a counting sort for just this: it knows
 * how large the plane is, and has each box in all cells that it is in. */
#include <kith/floats.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { BOXES = 1000000, RAY = 100 };

#define BOX_ROOM 4.0f /* of the plane for each box, and the side of a cell */
#define ASKED 3.5f    /* half of a side: 17 boxes are in such a box or touch it */

typedef struct Bounds {
    float left, top, right, bottom;
} Bounds;
KITH_TYPE(Bounds, KITH_FIELD(Bounds, left), KITH_FIELD(Bounds, top), KITH_FIELD(Bounds, right),
          KITH_FIELD(Bounds, bottom));

typedef struct box_entry {
    Bounds bounds;
    uint32_t slot1;
} box_entry;

typedef struct boxes_state {
    kith_world *world;
    kith_index *index;
    kith_query *touching; /* asked instead of the index: boxes between bound sides */
    uint32_t count;
    float side; /* of the plane */
    Bounds *boxes;
    uint32_t cells; /* along a side */
    box_entry *entries;
    uint32_t *starts;
    uint64_t random;
} boxes_state;

/* Up to 1.5 units long; one in a hundred up to 12, and one in a thousand up to 60. */
static Bounds random_box(boxes_state *state, uint32_t i)
{
    const float scale = i % 1000 == 0 ? 40 : i % 100 == 0 ? 8 : 1;
    const float left = bench_random_float(&state->random, state->side);
    const float top = bench_random_float(&state->random, state->side);
    const float right = left + scale * (0.25f + bench_random_float(&state->random, 1.25f));
    return (Bounds){left, top, right,
                    top + scale * (0.25f + bench_random_float(&state->random, 1.25f))};
}

static boxes_state *open_boxes(uint32_t count)
{
    boxes_state *state = bench_take(sizeof *state);
    *state = (boxes_state){.count = count, .random = 1};
    state->side = (float)sqrt((double)count * (double)BOX_ROOM);
    state->boxes = bench_take(count * sizeof *state->boxes);
    for (uint32_t i = 0; i < count; i++) {
        state->boxes[i] = random_box(state, i);
    }
    return state;
}

static void close_boxes(void *opened)
{
    boxes_state *state = opened;
    kith_world_free(state->world);
    free(state->boxes);
    free(state->entries);
    free(state->starts);
    free(state);
}

static Bounds random_asked(boxes_state *state)
{
    const float x = bench_random_float(&state->random, state->side);
    const float y = bench_random_float(&state->random, state->side);
    return (Bounds){x - ASKED, y - ASKED, x + ASKED, y + ASKED};
}

/* A way from one point to another, which never runs straight along an axis. */
typedef struct box_ray {
    Position from, to;
} box_ray;

static box_ray random_ray(boxes_state *state)
{
    const float inner = state->side - 2 * RAY;
    const float x = RAY + bench_random_float(&state->random, inner);
    const float y = RAY + bench_random_float(&state->random, inner);
    float dx = bench_random_float(&state->random, 2 * RAY) - RAY;
    float dy = bench_random_float(&state->random, 2 * RAY) - RAY;
    dx = fabsf(dx) < 1 ? 1 : dx;
    dy = fabsf(dy) < 1 ? 1 : dy;
    return (box_ray){{x, y}, {x + dx, y + dy}};
}

/* The same whichever of the two comes first. */
static uint64_t sum_of_boxes(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}

/* ---- Kith ---------------------------------------------------------------------------------------- */

static uint64_t ask_within(const boxes_state *state, Bounds asked)
{
    kith_index_found found;
    return bench_sum_found(kith_within_box(state->index,
                                           KITH_POINT((double)asked.left, (double)asked.top),
                                           KITH_POINT((double)asked.right, (double)asked.bottom),
                                           NULL, &found),
                           &found);
}

static void *open_indexed(uint32_t n, kith_layout layout)
{
    boxes_state *state = open_boxes(n);
    state->world = bench_world(layout);
    const kith_values values[] = {{&Bounds_type, state->boxes, true}};
    const kith_index_def def = {.kind = KITH_INDEX_SPATIAL,
                                KITH_FIELDS(Bounds, left, top, right, bottom)};
    if (kith_spawn_many(state->world, n, values, 1, NULL) != KITH_OK ||
        kith_index_new(state->world, &def, &state->index) != KITH_OK) {
        bench_fail("the boxes were not made");
    }
    ask_within(state, state->boxes[0]);
    return state;
}

/* The same million, and a query by the conditions that boxes satisfy which touch a box. */
static void *open_conditions(uint32_t n, kith_layout layout)
{
    (void)n;
    boxes_state *state = open_indexed(BOXES, layout);
    state->touching = KITH_QUERY(state->world, KITH_IF(Bounds, left, <=, kith_bound("right")),
                                 KITH_IF(Bounds, right, >=, kith_bound("left")),
                                 KITH_IF(Bounds, top, <=, kith_bound("bottom")),
                                 KITH_IF(Bounds, bottom, >=, kith_bound("top")));
    if (state->touching == NULL) {
        bench_fail("the query was not made");
    }
    return state;
}

static uint64_t sum_touching(const boxes_state *state, Bounds asked)
{
    static const char *const names[] = {"left", "top", "right", "bottom"};
    const float sides[] = {asked.left, asked.top, asked.right, asked.bottom};
    for (uint32_t i = 0; i < 4; i++) {
        if (kith_query_bind(state->touching, names[i], sides[i]) != KITH_OK) {
            bench_fail("the query was not bound");
        }
    }
    return bench_sum_rows(state->touching);
}

static void *open_million(uint32_t n, kith_layout layout)
{
    (void)n;
    return open_indexed(BOXES, layout);
}

static bench_sample boxes_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    boxes_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        const Bounds asked = random_asked(state);
        sum += state->touching == NULL ? ask_within(state, asked) : sum_touching(state, asked);
    }
    return (bench_sample){bench_now() - start, sum};
}

static bench_sample rays_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    boxes_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        const box_ray ray = random_ray(state);
        kith_near first;
        uint32_t count;
        if (kith_along(state->index, KITH_POINT((double)ray.from.x, (double)ray.from.y),
                       KITH_POINT((double)ray.to.x, (double)ray.to.y), 1, NULL, &first,
                       &count) != KITH_OK) {
            bench_fail("the index was not asked");
        }
        sum += count == 0 ? 0 : first.entity.index1;
    }
    return (bench_sample){bench_now() - start, sum};
}

static bench_sample pairs_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    const boxes_state *state = opened;
    kith_pairs_found found;
    double start = bench_now();
    if (kith_pairs(state->index, 0, NULL, &found) != KITH_OK) {
        bench_fail("the index was not asked");
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < found.count; i++) {
        sum += sum_of_boxes(found.pairs[i].first.index1, found.pairs[i].second.index1);
    }
    return (bench_sample){bench_now() - start, sum};
}

/* Asked once already, as in a game in all ticks after the first: there is room for the answer. */
static void *open_asked(uint32_t n, kith_layout layout)
{
    boxes_state *state = open_indexed(n, layout);
    pairs_by_kith(state, n, layout);
    return state;
}

/* ---- The grid ------------------------------------------------------------------------------------ */

static uint32_t cell_along(const boxes_state *state, float number)
{
    const float cell = number * (1 / BOX_ROOM);
    return cell < 0 ? 0 : cell >= (float)state->cells ? state->cells - 1 : (uint32_t)cell;
}

/* Counts the boxes of each cell, or puts them into it: `places` are numbers by cell, which go up. */
static void enter_boxes(const boxes_state *state, uint32_t *places, box_entry *entries)
{
    for (uint32_t i = 0; i < state->count; i++) {
        const Bounds own = state->boxes[i];
        const uint32_t right = cell_along(state, own.right), bottom = cell_along(state, own.bottom);
        for (uint32_t y = cell_along(state, own.top); y <= bottom; y++) {
            for (uint32_t x = cell_along(state, own.left); x <= right; x++) {
                const uint32_t place = places[y * state->cells + x]++;
                if (entries != NULL) {
                    entries[place] = (box_entry){own, i + 1};
                }
            }
        }
    }
}

static void *open_box_grid(uint32_t n, kith_layout layout)
{
    (void)layout;
    boxes_state *state = open_boxes(n);
    state->cells = (uint32_t)(state->side / BOX_ROOM) + 1;
    const uint32_t cells = state->cells * state->cells;
    state->starts = bench_take((cells + 2) * sizeof *state->starts);
    memset(state->starts, 0, (cells + 2) * sizeof *state->starts);
    enter_boxes(state, state->starts + 2, NULL);
    for (uint32_t cell = 1; cell <= cells; cell++) {
        state->starts[cell + 1] += state->starts[cell];
    }
    state->entries = bench_take(state->starts[cells + 1] * sizeof *state->entries);
    enter_boxes(state, state->starts + 1, state->entries);
    return state;
}

static void *open_million_grid(uint32_t n, kith_layout layout)
{
    (void)n;
    return open_box_grid(BOXES, layout);
}

static bool overlap(const Bounds *a, const Bounds *b)
{
    return (a->left <= b->right) & (b->left <= a->right) & (a->top <= b->bottom) &
           (b->top <= a->bottom);
}

/* Two that overlap do so in several cells: they count in that of the low corner of what they share. */
static bool is_counted_in(const boxes_state *state, uint32_t cell, const Bounds *a, const Bounds *b)
{
    const float left = a->left > b->left ? a->left : b->left;
    const float top = a->top > b->top ? a->top : b->top;
    return cell_along(state, top) * state->cells + cell_along(state, left) == cell;
}

static uint64_t sum_within(const boxes_state *state, const Bounds *asked)
{
    const uint32_t right = cell_along(state, asked->right);
    const uint32_t bottom = cell_along(state, asked->bottom);
    uint64_t sum = 0;
    for (uint32_t y = cell_along(state, asked->top); y <= bottom; y++) {
        for (uint32_t x = cell_along(state, asked->left); x <= right; x++) {
            const uint32_t cell = y * state->cells + x;
            for (uint32_t i = state->starts[cell]; i < state->starts[cell + 1]; i++) {
                const box_entry *own = &state->entries[i];
                if (overlap(&own->bounds, asked) &&
                    is_counted_in(state, cell, &own->bounds, asked)) {
                    sum += own->slot1;
                }
            }
        }
    }
    return sum;
}

static bench_sample boxes_by_grid(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    boxes_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        const Bounds asked = random_asked(state);
        sum += sum_within(state, &asked);
    }
    return (bench_sample){bench_now() - start, sum};
}

/* The part of a way where it comes to a box, from 0 to 1; infinity if it does not. */
static double part_of(const box_ray *ray, double by_dx, double by_dy, const Bounds *own)
{
    const double left = ((double)own->left - (double)ray->from.x) * by_dx;
    const double right = ((double)own->right - (double)ray->from.x) * by_dx;
    const double top = ((double)own->top - (double)ray->from.y) * by_dy;
    const double bottom = ((double)own->bottom - (double)ray->from.y) * by_dy;
    double enter = fmax(fmin(left, right), fmin(top, bottom));
    const double leave = fmin(fmax(left, right), fmax(top, bottom));
    enter = enter < 0 ? 0 : enter;
    return enter <= leave && enter <= 1 ? enter : (double)INFINITY;
}

/* Goes from cell to cell, until the first box in one is met before the next cell is. */
static uint32_t first_by_grid(const boxes_state *state, const box_ray *ray)
{
    const double dx = (double)ray->to.x - (double)ray->from.x;
    const double dy = (double)ray->to.y - (double)ray->from.y;
    const double by_dx = 1 / dx, by_dy = 1 / dy;
    uint32_t x = cell_along(state, ray->from.x), y = cell_along(state, ray->from.y);
    const double size = (double)BOX_ROOM;
    double next_x = ((x + (dx > 0 ? 1 : 0)) * size - (double)ray->from.x) * by_dx;
    double next_y = ((y + (dy > 0 ? 1 : 0)) * size - (double)ray->from.y) * by_dy;
    double best = (double)INFINITY;
    uint32_t slot1 = 0;
    for (;;) {
        const uint32_t cell = y * state->cells + x;
        for (uint32_t i = state->starts[cell]; i < state->starts[cell + 1]; i++) {
            const box_entry *own = &state->entries[i];
            const double part = part_of(ray, by_dx, by_dy, &own->bounds);
            if (part < best || (part == best && own->slot1 < slot1)) {
                best = part;
                slot1 = own->slot1;
            }
        }
        const double next = fmin(next_x, next_y);
        if (best <= next || next > 1) {
            return slot1;
        }
        if (next_x < next_y) {
            x += dx > 0 ? 1 : UINT32_MAX;
            next_x += fabs(size * by_dx);
        } else {
            y += dy > 0 ? 1 : UINT32_MAX;
            next_y += fabs(size * by_dy);
        }
    }
}

static bench_sample rays_by_grid(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    boxes_state *state = opened;
    uint64_t sum = 0;
    state->random = 5 + bench_round;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        const box_ray ray = random_ray(state);
        sum += first_by_grid(state, &ray);
    }
    return (bench_sample){bench_now() - start, sum};
}

/* They come in no order. */
static bench_sample pairs_by_grid(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    const boxes_state *state = opened;
    uint64_t sum = 0;
    double start = bench_now();
    for (uint32_t cell = 0; cell < state->cells * state->cells; cell++) {
        const uint32_t end = state->starts[cell + 1];
        for (uint32_t i = state->starts[cell]; i < end; i++) {
            const box_entry *own = &state->entries[i];
            for (uint32_t k = i + 1; k < end; k++) {
                const box_entry *other = &state->entries[k];
                if (overlap(&own->bounds, &other->bounds) &&
                    is_counted_in(state, cell, &own->bounds, &other->bounds)) {
                    sum += sum_of_boxes(own->slot1, other->slot1);
                }
            }
        }
    }
    return (bench_sample){bench_now() - start, sum};
}

#define BOXES_ROW(name, n, what, open, run, open_by_hand, run_by_hand)                             \
    {                                                                                              \
        name, what, n, KITH_TABLE, 0, {open, run, close_boxes},                                    \
            {open_by_hand, run_by_hand, close_boxes}, BENCH_ALONE                                  \
    }

const bench_workload bench_boxes[] = {
    BOXES_ROW("boxes-box", 20000, "a box that 17 of 10^6 boxes touch; beside a sorted grid",
              open_million, boxes_by_kith, open_million_grid, boxes_by_grid),
    BOXES_ROW("boxes-where", 20000, "the same by conditions; beside a sorted grid", open_conditions,
              boxes_by_kith, open_million_grid, boxes_by_grid),
    BOXES_ROW("boxes-ray", 20000, "the first of 10^6 boxes on a way; beside a sorted grid",
              open_million, rays_by_kith, open_million_grid, rays_by_grid),
    BOXES_ROW("boxes-pairs", BOXES, "pairs of 10^6 boxes that overlap; beside a sorted grid",
              open_asked, pairs_by_kith, open_box_grid, pairs_by_grid),
};
const uint32_t bench_boxes_count = sizeof bench_boxes / sizeof bench_boxes[0];
