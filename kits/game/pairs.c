#include "game/pairs.h"

/* One search over all bodies. */
typedef struct pair_search {
    const ki_game_cells *cells;
    ki_game_pairs *pairs;
    bool failed; /* there was no memory for a pair */
} pair_search;

/* Two whose boxes, or those that hold their ways, overlap. */
static void meet(pair_search *search, uint32_t one, uint32_t other)
{
    const ki_game_bodies *bodies = search->cells->bodies;
    uint32_t a = one < other ? one : other;
    uint32_t b = one < other ? other : one;
    if ((bodies->bodies[a].mask & bodies->bodies[b].layers) == 0 ||
        (bodies->bodies[b].mask & bodies->bodies[a].layers) == 0) {
        return;
    }
    if ((ki_game_is_way(bodies, a) || ki_game_is_way(bodies, b)) &&
        ki_game_sweep(bodies, a, b) < 0) {
        return;
    }
    if (!ki_game_keys_add(&bodies->allocator, &search->pairs->keys,
                          (uint64_t)a << search->pairs->shift | b)) {
        search->failed = true;
    }
}

/* Boxes that stand in a row, all of them in cells that are wanted. */
static inline void scan_row(pair_search *search, uint32_t box, uint32_t from, uint32_t end)
{
    const ki_game_box *boxes = search->cells->boxes;
    const ki_game_box wanted = boxes[box];
    for (uint32_t i = from; i < end; i++) {
        if (ki_game_overlap(&boxes[i], &wanted)) {
            meet(search, search->cells->places[box].body, search->cells->places[i].body);
        }
    }
}

/* The boxes of one cell out of a bucket, from a number on. */
static void scan_bucket(pair_search *search, const ki_game_level *level, uint32_t box, int32_t x,
                        int32_t y, uint32_t from)
{
    const ki_game_box *boxes = search->cells->boxes;
    const ki_game_place *places = search->cells->places;
    uint32_t bucket = ki_game_level_bucket(level, x, y);
    uint32_t start = level->starts[bucket];
    for (uint32_t i = start > from ? start : from; i < level->starts[bucket + 1]; i++) {
        if (ki_game_overlap(&boxes[i], &boxes[box]) && places[i].x == x && places[i].y == y) {
            meet(search, places[box].body, places[i].body);
        }
    }
}

/* Those of a box's own level: behind it in its own cell, in the next one, and in three of the row
 * below. From the others it is found itself. */
static void scan_own_level(pair_search *search, const ki_game_level *level, uint32_t box)
{
    const ki_game_place place = search->cells->places[box];
    if (level->columns > 0) {
        uint32_t cell = ki_game_level_cell(level, place.x, place.y);
        scan_row(search, box, box + 1, level->starts[cell + 1 + place.reach_x]);
        if (place.reach_y) {
            cell += level->columns;
            scan_row(search, box, level->starts[cell - 1], level->starts[cell + 1 + place.reach_x]);
        }
        return;
    }
    scan_bucket(search, level, box, place.x, place.y, box + 1);
    if (place.reach_x) {
        scan_bucket(search, level, box, place.x + 1, place.y, 0);
    }
    if (place.reach_y) {
        for (int32_t x = place.x - 1; x <= place.x + (int32_t)place.reach_x; x++) {
            scan_bucket(search, level, box, x, place.y + 1, 0);
        }
    }
}

static int32_t least_of(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most_of(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Those of a level with larger cells: theirs may begin one column or row before the box does. */
static void scan_larger_level(pair_search *search, const ki_game_level *own,
                              const ki_game_level *level, uint32_t box)
{
    const ki_game_place place = search->cells->places[box];
    int apart = level->exponent - own->exponent;
    int shift = apart < 31 ? apart : 31;
    int32_t left = most_of((place.x >> shift) - 1, level->left);
    int32_t top = most_of((place.y >> shift) - 1, level->top);
    int32_t right = least_of((place.x + (int32_t)place.reach_x) >> shift, level->right);
    int32_t bottom = least_of((place.y + (int32_t)place.reach_y) >> shift, level->bottom);
    if (left > right) {
        return;
    }
    for (int32_t y = top; y <= bottom; y++) {
        if (level->columns > 0) {
            scan_row(search, box, level->starts[ki_game_level_cell(level, left, y)],
                     level->starts[ki_game_level_cell(level, right, y) + 1]);
            continue;
        }
        for (int32_t x = left; x <= right; x++) {
            scan_bucket(search, level, box, x, y, 0);
        }
    }
}

/* Those without an end are compared with all others, and those behind them. */
static void scan_endless(pair_search *search)
{
    uint32_t count = search->cells->bodies->count;
    for (uint32_t box = count - search->cells->endless_count; box < count; box++) {
        scan_row(search, box, 0, count - search->cells->endless_count);
        scan_row(search, box, box + 1, count);
    }
}

kith_result ki_game_pairs_find(ki_game_pairs *pairs, const ki_game_cells *cells)
{
    *pairs = (ki_game_pairs){.shift = 1};
    while (pairs->shift < 32 && cells->bodies->count >> pairs->shift != 0) {
        pairs->shift++;
    }
    pair_search search = {.cells = cells, .pairs = pairs};
    for (uint32_t own = 0; own < cells->level_count && !search.failed; own++) {
        const ki_game_level *level = &cells->levels[own];
        for (uint32_t box = level->first; box < level->end && !search.failed; box++) {
            scan_own_level(&search, level, box);
            for (uint32_t larger = own + 1; larger < cells->level_count; larger++) {
                scan_larger_level(&search, level, &cells->levels[larger], box);
            }
        }
    }
    if (!search.failed) {
        scan_endless(&search);
    }
    if (search.failed || !ki_game_keys_sort(&cells->bodies->allocator, &pairs->keys)) {
        ki_game_pairs_free(pairs, cells->bodies);
        return KITH_ERR_MEMORY;
    }
    return KITH_OK;
}

void ki_game_pairs_free(ki_game_pairs *pairs, const ki_game_bodies *bodies)
{
    ki_game_keys_free(&bodies->allocator, &pairs->keys);
}
