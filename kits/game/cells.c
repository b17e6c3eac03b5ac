#include "game/cells.h"

#include <math.h>
#include <string.h>

#include "game/memory.h"

/* Sizes are sorted by the exponent of a float: from the least normal one to infinity, and then those
 * that are in no cell. */
enum { SIZE_LEAST = -126, SIZES = 256, SIZE_ENDLESS = SIZES - 1 };

/* A float at a distance from 0 has 24 bits. Cells are no smaller than that is exact, which also keeps
 * their numbers far within those of int32_t. */
enum { COORDINATE_BITS = 24 };

/* The arrays of cells, together, may be so many times as long as there are boxes, and a bit. */
enum { CELLS_PER_BOX = 4, CELLS_BESIDES = 64, BUCKETS_MOST = 1 << 30 };

/* The least power of two that is no smaller than `value`, which is not negative. */
static int exponent_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int)(bits >> 23) - 127 + ((bits & 0x7fffff) != 0);
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

/* Which of SIZES a box is of. */
static uint8_t size_of(const ki_game_box *box)
{
    float side = larger(box->right - box->left, box->bottom - box->top);
    float far = larger(larger(fabsf(box->left), fabsf(box->right)),
                       larger(fabsf(box->top), fabsf(box->bottom)));
    if (!isfinite(side) || !isfinite(far)) {
        return SIZE_ENDLESS;
    }
    int exponent = exponent_of(side);
    int least = exponent_of(far) - COORDINATE_BITS;
    exponent = exponent < least ? least : exponent;
    return (uint8_t)(exponent < SIZE_LEAST ? 0 : exponent - SIZE_LEAST);
}

/* What is needed while bodies are arranged. */
typedef struct cells_draft {
    uint8_t *sizes;        /* of each body */
    ki_game_place *places; /* likewise */
    uint32_t counts[SIZES];
    uint32_t level_of[SIZES];
} cells_draft;

static void measure_bodies(const ki_game_bodies *bodies, cells_draft *draft)
{
    for (uint32_t i = 0; i < bodies->count; i++) {
        ki_game_box hull = ki_game_body_hull(bodies, i);
        draft->sizes[i] = size_of(&hull);
        draft->counts[draft->sizes[i]]++;
    }
}

/* A level for each size that there is. */
static kith_result make_levels(ki_game_cells *cells, cells_draft *draft)
{
    for (uint32_t size = 0; size < SIZE_ENDLESS; size++) {
        cells->level_count += draft->counts[size] > 0;
    }
    cells->levels =
        ki_game_take(&cells->bodies->allocator, cells->level_count, sizeof *cells->levels);
    if (cells->levels == NULL) {
        return KITH_ERR_MEMORY;
    }
    uint32_t made = 0;
    uint32_t first = 0;
    for (uint32_t size = 0; size < SIZE_ENDLESS; size++) {
        draft->level_of[size] = made;
        if (draft->counts[size] > 0) {
            int exponent = (int)size + SIZE_LEAST;
            cells->levels[made++] = (ki_game_level){.exponent = exponent,
                                                    .scale = ldexp(1, -exponent),
                                                    .first = first,
                                                    .end = first + draft->counts[size],
                                                    .left = INT32_MAX,
                                                    .top = INT32_MAX,
                                                    .right = INT32_MIN,
                                                    .bottom = INT32_MIN};
            first += draft->counts[size];
        }
    }
    cells->endless_count = draft->counts[SIZE_ENDLESS];
    return KITH_OK;
}

static void include_cell(ki_game_level *level, int32_t x, int32_t y)
{
    level->left = x < level->left ? x : level->left;
    level->right = x > level->right ? x : level->right;
    level->top = y < level->top ? y : level->top;
    level->bottom = y > level->bottom ? y : level->bottom;
}

static void place_bodies(ki_game_cells *cells, cells_draft *draft)
{
    for (uint32_t i = 0; i < cells->bodies->count; i++) {
        ki_game_place place = {.body = i};
        if (draft->sizes[i] != SIZE_ENDLESS) {
            ki_game_level *level = &cells->levels[draft->level_of[draft->sizes[i]]];
            ki_game_box hull = ki_game_body_hull(cells->bodies, i);
            place.x = ki_game_first_cell(hull.left, level->scale);
            place.y = ki_game_first_cell(hull.top, level->scale);
            place.reach_x = ki_game_last_cell(hull.right, level->scale) > place.x;
            place.reach_y = ki_game_last_cell(hull.bottom, level->scale) > place.y;
            include_cell(level, place.x, place.y);
        }
        draft->places[i] = place;
    }
}

/* Decides for each level how its cells are found. Large ones first, which need few. */
static void shape_levels(ki_game_cells *cells)
{
    uint64_t most = (uint64_t)cells->bodies->count * CELLS_PER_BOX + CELLS_BESIDES;
    for (uint32_t i = cells->level_count; i-- > 0;) {
        ki_game_level *level = &cells->levels[i];
        uint64_t columns = (uint64_t)((int64_t)level->right - level->left) + 3;
        uint64_t rows = (uint64_t)((int64_t)level->bottom - level->top) + 2;
        if (columns * rows <= most) {
            most -= columns * rows;
            level->columns = (uint32_t)columns;
            level->slots = (uint32_t)(columns * rows);
        } else {
            level->slots = 1;
            while (level->slots < BUCKETS_MOST &&
                   level->slots < 2 * (uint64_t)(level->end - level->first)) {
                level->slots *= 2;
            }
        }
        cells->slots += level->slots;
    }
}

/* Where the starts of each level begin among those of all: the end of one is the start of the next. */
static kith_result make_starts(ki_game_cells *cells)
{
    cells->starts =
        ki_game_take(&cells->bodies->allocator, cells->slots + 1, sizeof *cells->starts);
    if (cells->starts == NULL) {
        return KITH_ERR_MEMORY;
    }
    memset(cells->starts, 0, (cells->slots + 1) * sizeof *cells->starts);
    uint32_t *starts = cells->starts;
    for (uint32_t i = 0; i < cells->level_count; i++) {
        cells->levels[i].starts = starts;
        starts += cells->levels[i].slots;
    }
    return KITH_OK;
}

static uint32_t *start_of(ki_game_cells *cells, const cells_draft *draft, uint32_t body)
{
    const ki_game_level *level = &cells->levels[draft->level_of[draft->sizes[body]]];
    const ki_game_place *place = &draft->places[body];
    return &level->starts[ki_game_level_slot(level, place->x, place->y)];
}

/* Counts the boxes of each slot, and from that where they end; then fills the slots from their ends,
 * so that what is left are the starts. Those of a slot stand in the order of their numbers. */
static void fill_slots(ki_game_cells *cells, const cells_draft *draft)
{
    uint32_t count = cells->bodies->count;
    uint32_t endless = count;
    for (uint32_t i = 0; i < count; i++) {
        if (draft->sizes[i] != SIZE_ENDLESS) {
            ++*start_of(cells, draft, i);
        }
    }
    uint32_t sum = 0;
    for (size_t i = 0; i <= cells->slots; i++) {
        sum += cells->starts[i];
        cells->starts[i] = sum;
    }
    for (uint32_t i = count; i-- > 0;) {
        uint32_t at = draft->sizes[i] == SIZE_ENDLESS ? --endless : --*start_of(cells, draft, i);
        cells->boxes[at] = ki_game_body_hull(cells->bodies, i);
        cells->places[at] = draft->places[i];
    }
}

static kith_result arrange(ki_game_cells *cells, cells_draft *draft)
{
    const kith_allocator *allocator = &cells->bodies->allocator;
    uint32_t count = cells->bodies->count;
    draft->sizes = ki_game_take(allocator, count, sizeof *draft->sizes);
    draft->places = ki_game_take(allocator, count, sizeof *draft->places);
    cells->boxes = ki_game_take(allocator, count, sizeof *cells->boxes);
    cells->places = ki_game_take(allocator, count, sizeof *cells->places);
    if (draft->sizes == NULL || draft->places == NULL || cells->boxes == NULL ||
        cells->places == NULL) {
        return KITH_ERR_MEMORY;
    }
    measure_bodies(cells->bodies, draft);
    kith_result result = make_levels(cells, draft);
    if (result != KITH_OK) {
        return result;
    }
    place_bodies(cells, draft);
    shape_levels(cells);
    result = make_starts(cells);
    if (result == KITH_OK) {
        fill_slots(cells, draft);
    }
    return result;
}

kith_result ki_game_cells_build(ki_game_cells *cells, const ki_game_bodies *bodies)
{
    *cells = (ki_game_cells){.bodies = bodies};
    cells_draft draft = {0};
    kith_result result = arrange(cells, &draft);
    ki_game_give(&bodies->allocator, draft.sizes, bodies->count, sizeof *draft.sizes);
    ki_game_give(&bodies->allocator, draft.places, bodies->count, sizeof *draft.places);
    if (result != KITH_OK) {
        ki_game_cells_free(cells);
    }
    return result;
}

void ki_game_cells_free(ki_game_cells *cells)
{
    if (cells->bodies == NULL) {
        return;
    }
    const kith_allocator *allocator = &cells->bodies->allocator;
    uint32_t count = cells->bodies->count;
    ki_game_give(allocator, cells->boxes, count, sizeof *cells->boxes);
    ki_game_give(allocator, cells->places, count, sizeof *cells->places);
    ki_game_give(allocator, cells->levels, cells->level_count, sizeof *cells->levels);
    ki_game_give(allocator, cells->starts, cells->slots + 1, sizeof *cells->starts);
    *cells = (ki_game_cells){0};
}
