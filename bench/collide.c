/* Move n boxes of mixed sizes, as many in a place whatever n is, and find who collides: the game kit,
 * beside a grid over arrays, and beside all pairs. */
#include <kith/game.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define COLLIDE_DT (1.0f / 64)
#define COLLIDE_TICKS 4      /* that are measured, behind one that is not */
#define COLLIDE_SPACE 6.0    /* of the plane, for each box */
#define COLLIDE_LARGEST 4.0f /* the longest side */

typedef struct collide_box {
    float x, y, width, height, dx, dy;
} collide_box;

static uint32_t collide_random(uint64_t *state, uint32_t limit)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % limit);
}

/* Sides of a half to two, and some of four. */
static float collide_side(uint64_t *random)
{
    return 0.5f * (float)(1 + collide_random(random, 4));
}

/* Others in each round: processors learn by heart where a thousand boxes lead, if those come again. */
static collide_box *make_boxes(uint32_t n)
{
    collide_box *boxes = bench_take(n * sizeof *boxes);
    uint32_t side = (uint32_t)sqrt(n * COLLIDE_SPACE);
    uint64_t random = n + bench_round;
    for (uint32_t i = 0; i < n; i++) {
        bool large = i % 16 == 0;
        boxes[i] = (collide_box){
            .x = (float)collide_random(&random, side * 16) / 16,
            .y = (float)collide_random(&random, side * 16) / 16,
            .width = large ? COLLIDE_LARGEST : collide_side(&random),
            .height = large ? COLLIDE_LARGEST : collide_side(&random),
            .dx = (float)collide_random(&random, 17) - 8,
            .dy = (float)collide_random(&random, 17) - 8,
        };
    }
    return boxes;
}

/* The same for a pair, whichever of the two comes first. */
static uint64_t pair_sum(uint32_t a, uint32_t b)
{
    uint64_t low = a < b ? a : b;
    uint64_t high = a < b ? b : a;
    uint64_t mixed = (low << 32 | high) * UINT64_C(0x9e3779b97f4a7c15);
    return mixed ^ mixed >> 29;
}

/* ---- Kith ---------------------------------------------------------------------------------------- */

static void *open_world_of_boxes(uint32_t n, kith_layout layout)
{
    kith_world *world = kith_world_new(NULL);
    const kith_component_def def = {.layout = layout};
    if (world == NULL || kith_game_register(world, &def) != KITH_OK ||
        kith_game_add_systems(world, KITH_GAME_MOVEMENT | KITH_GAME_COLLISION) != KITH_OK) {
        fprintf(stderr, "bench: no memory for a world\n");
        exit(1);
    }
    collide_box *boxes = make_boxes(n);
    for (uint32_t i = 0; i < n; i++) {
        KITH_SPAWN(world, KITH_VALUE(kith_position, {boxes[i].x, boxes[i].y}),
                   KITH_VALUE(kith_velocity, {boxes[i].dx, boxes[i].dy}),
                   KITH_VALUE(kith_collider, {.width = boxes[i].width, .height = boxes[i].height}));
    }
    free(boxes);
    return world;
}

static bench_sample collide_by_kith(void *world, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    bench_sample sample = {0, 0};
    for (int tick = 0; tick <= COLLIDE_TICKS; tick++) {
        double start = tick > 0 ? bench_now() : 0;
        if (kith_run(world, COLLIDE_DT) != KITH_OK) {
            bench_fail(kith_error(world));
        }
        sample.ns += tick > 0 ? (bench_now() - start) / COLLIDE_TICKS : 0;
        const kith_collision *hit;
        for (uint32_t i = 0; (hit = KITH_EVENT(world, i, kith_collision)) != NULL; i++) {
            if (hit->phase != KITH_COLLISION_EXIT) {
                sample.checksum += pair_sum(kith_entity_slot(hit->a), kith_entity_slot(hit->b));
            }
        }
    }
    return sample;
}

static void close_world_of_boxes(void *world)
{
    kith_world_free(world);
}

/* ---- Arrays -------------------------------------------------------------------------------------- */

typedef struct collide_pair {
    uint32_t a, b;
} collide_pair;

typedef struct collide_arrays {
    float *x, *y, *width, *height, *dx, *dy;
    float *left, *top, *right, *bottom; /* by cell */
    uint32_t *numbers;                  /* likewise */
    uint32_t *cells;                    /* of each box */
    uint32_t *starts;
    uint32_t start_capacity;
    collide_pair *pairs;
    uint32_t pair_count, pair_capacity;
} collide_arrays;

static void *open_arrays(uint32_t n, kith_layout layout)
{
    (void)layout;
    collide_arrays *all = bench_take(sizeof *all);
    memset(all, 0, sizeof *all);
    float **const floats[] = {&all->x,  &all->y,    &all->width, &all->height, &all->dx,
                              &all->dy, &all->left, &all->top,   &all->right,  &all->bottom};
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++) {
        *floats[i] = bench_take(n * sizeof(float));
    }
    all->numbers = bench_take(n * sizeof *all->numbers);
    all->cells = bench_take(n * sizeof *all->cells);
    collide_box *boxes = make_boxes(n);
    for (uint32_t i = 0; i < n; i++) {
        all->x[i] = boxes[i].x;
        all->y[i] = boxes[i].y;
        all->width[i] = boxes[i].width;
        all->height[i] = boxes[i].height;
        all->dx[i] = boxes[i].dx;
        all->dy[i] = boxes[i].dy;
    }
    free(boxes);
    return all;
}

static void close_arrays(void *opened)
{
    collide_arrays *all = opened;
    void *const parts[] = {all->x,       all->y,     all->width,  all->height, all->dx,
                           all->dy,      all->left,  all->top,    all->right,  all->bottom,
                           all->numbers, all->cells, all->starts, all->pairs,  all};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        free(parts[i]);
    }
}

static void move_arrays(collide_arrays *all, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        all->x[i] += all->dx[i] * COLLIDE_DT;
        all->y[i] += all->dy[i] * COLLIDE_DT;
    }
}

static void note_pair(collide_arrays *all, uint32_t a, uint32_t b)
{
    if (all->pair_count == all->pair_capacity) {
        all->pair_capacity = all->pair_capacity * 2 + 1024;
        all->pairs = realloc(all->pairs, all->pair_capacity * sizeof *all->pairs);
        if (all->pairs == NULL) {
            fprintf(stderr, "bench: no memory for pairs\n");
            exit(1);
        }
    }
    all->pairs[all->pair_count++] = (collide_pair){a, b};
}

/* As in "Systems and Queries". */
static void collide_all_pairs(collide_arrays *all, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i + 1; j < n; j++) {
            if (all->x[i] - all->width[i] / 2 < all->x[j] + all->width[j] / 2 &&
                all->x[i] + all->width[i] / 2 > all->x[j] - all->width[j] / 2 &&
                all->y[i] - all->height[i] / 2 < all->y[j] + all->height[j] / 2 &&
                all->y[i] + all->height[i] / 2 > all->y[j] - all->height[j] / 2) {
                note_pair(all, i, j);
            }
        }
    }
}

/* Sorts the boxes by the cell of their middle. A cell is as long as the largest box: boxes that
 * overlap are in neighbours. Returns how many columns there are. */
static uint32_t sort_into_cells(collide_arrays *all, uint32_t n)
{
    float least_x = all->x[0], least_y = all->y[0], most_x = all->x[0], most_y = all->y[0];
    for (uint32_t i = 1; i < n; i++) {
        least_x = all->x[i] < least_x ? all->x[i] : least_x;
        most_x = all->x[i] > most_x ? all->x[i] : most_x;
        least_y = all->y[i] < least_y ? all->y[i] : least_y;
        most_y = all->y[i] > most_y ? all->y[i] : most_y;
    }
    uint32_t columns = (uint32_t)((most_x - least_x) / COLLIDE_LARGEST) + 3;
    uint32_t rows = (uint32_t)((most_y - least_y) / COLLIDE_LARGEST) + 2;
    if (columns * rows + 1 > all->start_capacity) {
        free(all->starts);
        all->start_capacity = columns * rows + 1;
        all->starts = bench_take(all->start_capacity * sizeof *all->starts);
    }
    memset(all->starts, 0, (columns * rows + 1) * sizeof *all->starts);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t column = (uint32_t)((all->x[i] - least_x) / COLLIDE_LARGEST) + 1;
        uint32_t row = (uint32_t)((all->y[i] - least_y) / COLLIDE_LARGEST);
        all->cells[i] = row * columns + column;
        all->starts[all->cells[i]]++;
    }
    for (uint32_t cell = 1; cell <= columns * rows; cell++) {
        all->starts[cell] += all->starts[cell - 1];
    }
    for (uint32_t i = n; i-- > 0;) {
        uint32_t at = --all->starts[all->cells[i]];
        all->left[at] = all->x[i] - all->width[i] / 2;
        all->right[at] = all->x[i] + all->width[i] / 2;
        all->top[at] = all->y[i] - all->height[i] / 2;
        all->bottom[at] = all->y[i] + all->height[i] / 2;
        all->numbers[at] = i;
    }
    return columns;
}

static void collide_run(collide_arrays *all, uint32_t box, uint32_t from, uint32_t end)
{
    float left = all->left[box], right = all->right[box];
    float top = all->top[box], bottom = all->bottom[box];
    for (uint32_t i = from; i < end; i++) {
        if ((all->left[i] < right) & (all->right[i] > left) & (all->top[i] < bottom) &
            (all->bottom[i] > top)) {
            note_pair(all, all->numbers[box], all->numbers[i]);
        }
    }
}

/* Each box with those behind it in its cell, those of the next one, and three below. */
static void collide_by_cells(collide_arrays *all, uint32_t n)
{
    uint32_t columns = sort_into_cells(all, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t cell = all->cells[all->numbers[i]];
        collide_run(all, i, i + 1, all->starts[cell + 2]);
        collide_run(all, i, all->starts[cell + columns - 1], all->starts[cell + columns + 2]);
    }
}

static bench_sample collide_arrays_by(collide_arrays *all, uint32_t n,
                                      void (*collide)(collide_arrays *all, uint32_t n))
{
    bench_sample sample = {0, 0};
    for (int tick = 0; tick <= COLLIDE_TICKS; tick++) {
        double start = tick > 0 ? bench_now() : 0;
        all->pair_count = 0;
        move_arrays(all, n);
        collide(all, n);
        sample.ns += tick > 0 ? (bench_now() - start) / COLLIDE_TICKS : 0;
        for (uint32_t i = 0; i < all->pair_count; i++) {
            sample.checksum += pair_sum(all->pairs[i].a, all->pairs[i].b);
        }
    }
    return sample;
}

static bench_sample collide_by_grid(void *all, uint32_t n, kith_layout layout)
{
    (void)layout;
    return collide_arrays_by(all, n, collide_by_cells);
}

static bench_sample collide_by_all_pairs(void *all, uint32_t n, kith_layout layout)
{
    (void)layout;
    return collide_arrays_by(all, n, collide_all_pairs);
}

#define COLLIDE_KITH                                                                               \
    {                                                                                              \
        open_world_of_boxes, collide_by_kith, close_world_of_boxes                                 \
    }
#define COLLIDE_GRID                                                                               \
    {                                                                                              \
        open_arrays, collide_by_grid, close_arrays                                                 \
    }

const bench_workload bench_collide[] = {
    {"collide", "move boxes and find what collides; by hand: a grid", 1000, KITH_TABLE, 1.5,
     COLLIDE_KITH, COLLIDE_GRID, BENCH_ALONE},
    {"collide", "", 10000, KITH_TABLE, 1.5, COLLIDE_KITH, COLLIDE_GRID, BENCH_ALONE},
    {"collide", "", 100000, KITH_TABLE, 1.5, COLLIDE_KITH, COLLIDE_GRID, BENCH_ALONE},
    {"collide", "", 100000, KITH_SPARSE, 0, COLLIDE_KITH, COLLIDE_GRID, BENCH_ALONE},
    {"collide", "", 100000, KITH_SLOT, 0, COLLIDE_KITH, COLLIDE_GRID, BENCH_ALONE},
    {"collide-pairs",
     "the same beside all pairs, as a loop in a loop",
     1000,
     KITH_TABLE,
     0,
     COLLIDE_KITH,
     {open_arrays, collide_by_all_pairs, close_arrays},
     BENCH_ALONE},
};
const uint32_t bench_collide_count = sizeof bench_collide / sizeof bench_collide[0];
