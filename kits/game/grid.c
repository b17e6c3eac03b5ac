/* Grids that a program asks for itself. */
#include <kith/floats.h>

#include <math.h>

#include "game/cells.h"
#include "game/game_memory.h"

struct kith_grid {
    kith_world *world;
    kith_allocator allocator;
    ki_game_bodies bodies;
    ki_game_cells cells;
};

kith_grid *kith_grid_new(kith_world *world)
{
    if (world == NULL) {
        kith_misuse(NULL, "kith_grid_new: the world is NULL");
        return NULL;
    }
    if (kith_require_change(world, "kith_grid_new") != KITH_OK) {
        return NULL;
    }
    const kith_allocator allocator = kith_world_allocator(world);
    if (kith_game_register(world, NULL) != KITH_OK) {
        return NULL;
    }
    kith_grid *grid = ki_game_alloc(&allocator, 1, sizeof *grid);
    if (grid != NULL) {
        *grid = (kith_grid){.world = world, .allocator = allocator};
    }
    return grid;
}

void kith_grid_free(kith_grid *grid)
{
    if (grid == NULL) {
        return;
    }
    const kith_allocator allocator = grid->allocator;
    ki_game_cells_free(&grid->cells);
    ki_game_bodies_free(&grid->bodies);
    ki_game_free(&allocator, grid, 1, sizeof *grid);
}

kith_result kith_grid_build(kith_grid *grid, uint32_t layers)
{
    if (grid == NULL) {
        return kith_misuse(NULL, "kith_grid_build: the grid is NULL");
    }
    if (kith_require_owner(grid->world, "kith_grid_build") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    kith_grid built = *grid;
    kith_result result =
        ki_game_bodies_gather(grid->world, layers != 0 ? layers : UINT32_MAX, 0, &built.bodies);
    if (result != KITH_OK) {
        return result;
    }
    result = ki_game_cells_build(&built.cells, &built.bodies);
    if (result != KITH_OK) {
        ki_game_bodies_free(&built.bodies);
        return result;
    }
    ki_game_cells_free(&grid->cells);
    ki_game_bodies_free(&grid->bodies);
    *grid = built;
    grid->cells.bodies = &grid->bodies;
    return KITH_OK;
}

uint32_t kith_grid_count(const kith_grid *grid)
{
    if (grid == NULL) {
        kith_misuse(NULL, "kith_grid_count: the grid is NULL");
        return 0;
    }
    return grid->bodies.count;
}

/* ---- Looking into cells -------------------------------------------------------------------------- */

/* What is nearest to a point, of those that were looked at. */
typedef struct grid_nearest {
    double x, y;
    double square; /* of its distance, or of the radius before one is found */
    kith_entity entity;
} grid_nearest;

/* One question. The handles found so far are a heap with the highest slot on top, so that the
 * lowest ones stay when there are too many. */
typedef struct grid_look {
    const ki_game_cells *cells;
    ki_game_box box;
    uint32_t layers;
    grid_nearest *nearest; /* NULL: all in the box are asked for */
    bool partial;          /* some boxes outside of the box were not looked at */
    kith_entity *entities;
    uint32_t capacity;
    uint32_t found;
} grid_look;

/* Puts a handle where the heap has room at `at`, or below. */
static void sift_down(kith_entity *heap, uint32_t count, uint32_t at, kith_entity entity)
{
    for (;;) {
        uint64_t child = (uint64_t)at * 2 + 1;
        if (child + 1 < count && heap[child + 1].index1 > heap[child].index1) {
            child++;
        }
        if (child >= count || heap[child].index1 < entity.index1) {
            heap[at] = entity;
            return;
        }
        heap[at] = heap[child];
        at = (uint32_t)child;
    }
}

static void sift_up(kith_entity *heap, uint32_t at, kith_entity entity)
{
    while (at > 0 && heap[(at - 1) / 2].index1 < entity.index1) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = entity;
}

static void find(grid_look *look, kith_entity entity)
{
    if (look->found < look->capacity) {
        sift_up(look->entities, look->found, entity);
    } else if (look->capacity > 0 && entity.index1 < look->entities[0].index1) {
        sift_down(look->entities, look->capacity, 0, entity);
    }
    look->found++;
}

/* Turns the heap into a list in order. */
static void order_found(grid_look *look)
{
    uint32_t count = look->found < look->capacity ? look->found : look->capacity;
    while (count-- > 1) {
        kith_entity highest = look->entities[0];
        sift_down(look->entities, count, 0, look->entities[count]);
        look->entities[count] = highest;
    }
}

/* Whether a box is nearer by its middle, or has a lower slot at the same distance. */
static void compare(grid_look *look, uint32_t i)
{
    const ki_game_box *box = &look->cells->boxes[i];
    const ki_game_owner *owner = &look->cells->owners[i];
    grid_nearest *nearest = look->nearest;
    double dx = kith_mul_f64((double)box->left + (double)box->right, 0.5) - nearest->x;
    double dy = kith_mul_f64((double)box->top + (double)box->bottom, 0.5) - nearest->y;
    double square = kith_mul_f64(dx, dx) + kith_mul_f64(dy, dy);
    kith_entity entity = look->cells->bodies->entities[owner->body];
    if ((owner->tag.layers & look->layers) != 0 &&
        (square < nearest->square ||
         (square == nearest->square && entity.index1 < nearest->entity.index1))) {
        nearest->square = square;
        nearest->entity = entity;
    }
}

static void look_at(grid_look *look, uint32_t from, uint32_t end)
{
    if (look->nearest != NULL) {
        for (uint32_t i = from; i < end; i++) {
            compare(look, i);
        }
        return;
    }
    for (uint32_t i = from; i < end; i++) {
        if (ki_game_overlap(&look->cells->boxes[i], &look->box)) {
            const ki_game_owner *owner = &look->cells->owners[i];
            if ((owner->tag.layers & look->layers) != 0) {
                find(look, look->cells->bodies->entities[owner->body]);
            }
        }
    }
}

/* The boxes of one cell out of a bucket. */
static void look_at_bucket(grid_look *look, const ki_game_level *level, int32_t x, int32_t y)
{
    uint32_t bucket = ki_game_level_bucket(level, x, y);
    for (uint32_t i = level->starts[bucket]; i < level->starts[bucket + 1]; i++) {
        if (ki_game_is_in_cell(level, &look->cells->boxes[i], x, y)) {
            look_at(look, i, i + 1);
        }
    }
}

static void look_at_level(grid_look *look, const ki_game_level *level)
{
    const ki_game_range range = ki_game_level_range(level, &look->box);
    uint64_t cells =
        range.left > range.right || range.top > range.bottom
            ? 0
            : (uint64_t)(range.right - range.left + 1) * (uint64_t)(range.bottom - range.top + 1);
    bool all = range.left == level->left && range.top == level->top &&
               range.right == level->right && range.bottom == level->bottom;
    if (all || cells > level->end - level->first) {
        look_at(look, level->first, level->end);
        return;
    }
    look->partial = true;
    for (int32_t y = range.top; cells > 0 && y <= range.bottom; y++) {
        if (level->columns > 0) {
            look_at(look, level->starts[ki_game_level_cell(level, range.left, y)],
                    level->starts[ki_game_level_cell(level, range.right, y) + 1]);
            continue;
        }
        for (int32_t x = range.left; x <= range.right; x++) {
            look_at_bucket(look, level, x, y);
        }
    }
}

static void look_at_all_levels(grid_look *look)
{
    const ki_game_cells *cells = look->cells;
    for (uint32_t i = 0; i < cells->level_count; i++) {
        look_at_level(look, &cells->levels[i]);
    }
    look_at(look, cells->bodies->count - cells->endless_count, cells->bodies->count);
}

/* ---- The questions ------------------------------------------------------------------------------ */

uint32_t kith_grid_box(const kith_grid *grid, float left, float top, float right, float bottom,
                       uint32_t layers, kith_entity *entities, uint32_t capacity)
{
    if (grid == NULL || (entities == NULL && capacity > 0)) {
        kith_misuse(grid == NULL ? NULL : grid->world,
                    "kith_grid_box: the grid or the array is NULL");
        return 0;
    }
    if (grid->bodies.count == 0 || !(left <= right) || !(top <= bottom)) {
        return 0;
    }
    grid_look look = {.cells = &grid->cells,
                      .box = {left, top, right, bottom},
                      .layers = layers != 0 ? layers : UINT32_MAX,
                      .entities = entities,
                      .capacity = capacity};
    look_at_all_levels(&look);
    order_found(&look);
    return look.found;
}

kith_entity kith_grid_point(const kith_grid *grid, float x, float y, uint32_t layers)
{
    if (grid == NULL) {
        kith_misuse(NULL, "kith_grid_point: the grid is NULL");
        return KITH_NONE;
    }
    kith_entity found = KITH_NONE;
    kith_grid_box(grid, x, y, x, y, layers, &found, 1);
    return found;
}

/* Looks into squares that grow, until what is nearest lies within a circle in the square: nobody outside
 * of the square is as close. Rounding makes a square no smaller. */
kith_entity kith_grid_nearest(const kith_grid *grid, float x, float y, float radius,
                              uint32_t layers)
{
    if (grid == NULL) {
        kith_misuse(NULL, "kith_grid_nearest: the grid is NULL");
        return KITH_NONE;
    }
    if (grid->bodies.count == 0 || !(radius > 0) || !isfinite(x) || !isfinite(y)) {
        return KITH_NONE;
    }
    grid_nearest nearest = {x, y, kith_mul_f64(radius, radius), KITH_NONE};
    grid_look look = {.cells = &grid->cells,
                      .layers = layers != 0 ? layers : UINT32_MAX,
                      .nearest = &nearest,
                      .partial = true};
    float reach =
        grid->cells.level_count > 0 ? ldexpf(1, grid->cells.levels[0].exponent) : INFINITY;
    while (look.partial) {
        reach = reach < radius ? reach : radius;
        look.partial = false;
        look.box = (ki_game_box){nextafterf(x - reach, -INFINITY), nextafterf(y - reach, -INFINITY),
                                 nextafterf(x + reach, INFINITY), nextafterf(y + reach, INFINITY)};
        look_at_all_levels(&look);
        if (reach == radius || nearest.square < kith_mul_f64(reach, reach)) {
            break;
        }
        reach *= 2;
    }
    return nearest.entity;
}
